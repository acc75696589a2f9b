import type { ChatRequest } from '../chat/request.ts';

const longestId = 64;
const prefix = 'call_';
const randomLength = 8;
const headLength = prefix.length + randomLength + 1;

/**
 * What stands between an id's random part and the foreign id that it carries: one a model wrote in its dialect, or one
 * an upstream's wire sent that was already used.
 */
const separators = { native: '_', wire: '-' } as const;

interface Foreign {
  readonly kind: keyof typeof separators;
  readonly id: string;
}

/**
 * Mints the call ids that a client sees in one reply. No id repeats within the conversation: not one that the request
 * holds, and not one of this reply.
 *
 * Without a foreign id: `call_` and 24 lower-case hexadecimal digits. With one: `call_`, eight digits, a separator and
 * the foreign id, so that the way back needs no memory: `functions.read:7` of the tool `read` becomes
 * `call_1f2e3d4c_functions_2e___3a7`. A foreign id that would make it longer than 64 characters is not carried.
 */
export class CallIds {
  readonly #randomHex: (length: number) => string;
  readonly #request: Pick<ChatRequest, 'messages'>;
  #taken: Set<string> | undefined;

  /** `request` holds the conversation so far; it is read when the first id is asked for. */
  constructor(options: {
    readonly request: Pick<ChatRequest, 'messages'>;
    readonly randomHex: (length: number) => string;
  }) {
    this.#request = options.request;
    this.#randomHex = options.randomHex;
  }

  /** An id for a call that a model wrote as text, carrying the model's own id where it wrote one. */
  mint(name: string, nativeId = ''): string {
    return this.#mint(name, { kind: 'native', id: nativeId });
  }

  /**
   * The id for a call that came with a wire's id: that id itself, or a new one that carries it if it was already used,
   * or a new one if it is empty. Some upstreams count from zero in every turn.
   */
  claim(name: string, wireId: string): string {
    if (wireId === '') return this.#mint(name, { kind: 'wire', id: '' });
    const taken = this.#ids();
    if (taken.has(wireId)) return this.#mint(name, { kind: 'wire', id: wireId });
    taken.add(wireId);
    return wireId;
  }

  #mint(name: string, foreign: Foreign): string {
    const taken = this.#ids();
    const tail = carriedText(name, foreign);
    for (let attempt = 0; attempt < 16; attempt += 1) {
      const id = tail === undefined ? prefix + this.#randomHex(24) : `${prefix}${this.#randomHex(randomLength)}${tail}`;
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
    throw new Error('randomHex keeps returning the same digits');
  }

  #ids(): Set<string> {
    if (this.#taken !== undefined) return this.#taken;
    const taken = new Set<string>();
    for (const message of this.#request.messages) {
      if (message.role !== 'assistant') continue;
      for (const part of message.content) if (part.type === 'tool-call') taken.add(part.callId);
    }
    this.#taken = taken;
    return taken;
  }
}

/** The id that the model itself wrote for this call, if `callId` carries one. `name` is the call's own name. */
export function nativeIdOf(callId: string, name: string): string | undefined {
  return carriedId(callId, { name, kind: 'native' });
}

/** The repeated id that the upstream's wire sent for this call, if `callId` carries one. `name` is the call's own name. */
export function wireIdOf(callId: string, name: string): string | undefined {
  return carriedId(callId, { name, kind: 'wire' });
}

function carriedText(name: string, foreign: Foreign): string | undefined {
  if (foreign.id === '' || foreign.id.length > longestId) return undefined;
  const text = separators[foreign.kind] + escapeId(foreign.id, name);
  if (prefix.length + randomLength + text.length > longestId) return undefined;
  // Lone surrogates and the like do not survive: such an id is not carried rather than changed.
  return unescapeId(text.slice(1), name) === foreign.id ? text : undefined;
}

function carriedId(callId: string, expected: { readonly name: string; readonly kind: Foreign['kind'] }) {
  if (callId.length <= headLength || callId.length > longestId || !callId.startsWith(prefix)) return undefined;
  if (callId.charAt(headLength - 1) !== separators[expected.kind]) return undefined;
  for (let at = prefix.length; at < headLength - 1; at += 1) if (!isHex(callId.charCodeAt(at))) return undefined;
  return unescapeId(callId.slice(headLength), expected.name);
}

/** Letters, digits and hyphens stay; the call's name becomes `__`; every other byte of UTF-8 becomes `_` and two digits. */
function escapeId(id: string, name: string): string {
  const at = name === '' ? -1 : id.indexOf(name);
  if (at < 0) return escapeText(id);
  return `${escapeText(id.slice(0, at))}__${escapeText(id.slice(at + name.length))}`;
}

function escapeText(text: string): string {
  let escaped = '';
  for (const byte of new TextEncoder().encode(text)) {
    escaped += isPlain(byte) ? String.fromCharCode(byte) : `_${byte.toString(16).padStart(2, '0')}`;
  }
  return escaped;
}

/** Undefined if `text` is not something that `escapeId` writes. */
function unescapeId(text: string, name: string): string | undefined {
  const pieces: string[] = [];
  let bytes: number[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x5f) {
      if (!isPlain(code)) return undefined;
      bytes.push(code);
      at += 1;
    } else if (text.charCodeAt(at + 1) === 0x5f) {
      pieces.push(decoded(bytes), name);
      bytes = [];
      at += 2;
    } else {
      if (!isHex(text.charCodeAt(at + 1)) || !isHex(text.charCodeAt(at + 2))) return undefined;
      bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16));
      at += 3;
    }
  }
  pieces.push(decoded(bytes));
  const id = pieces.join('');
  return escapeId(id, name) === text ? id : undefined;
}

function decoded(bytes: readonly number[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** Letters, digits and hyphen. */
function isPlain(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x2d
  );
}

/** Lower-case hexadecimal digits, as we write them. */
function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66);
}
