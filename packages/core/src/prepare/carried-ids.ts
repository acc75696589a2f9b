import { digestOf } from '../chat/digest.ts';
import { isPlainCharacter } from '../json/json-characters.ts';
import type { ForeignId } from '../stores/call-id-store.ts';

/** The longest id that a client sees, in characters. */
export const longestId = 64;

/** What our ids start with. */
export const idPrefix = 'call_';

const headDigits = 8;
/** How many of the digits tell the upstream that issued a carried id. */
const upstreamDigits = 3;
const headLength = idPrefix.length + headDigits + 1;

/** What is between an id's digits and the foreign id that it carries. */
const separators = { native: '_', wire: '-' } as const;

/**
 * An id of ours that carries a foreign one, so that the way back needs no memory: `call_`, eight digits, a separator and
 * the foreign id in letters, digits, `-` and `_`. `functions.read:7` of the tool `read` becomes
 * `call_1f2e3d4c_functions_2e___3a7`. The last three digits of an upstream's id tell which upstream it was. Undefined for
 * a foreign id that would make it longer than 64 characters, or that does not survive, such as half a character.
 */
export function carryId(name: string, foreign: ForeignId, randomHex: (length: number) => string): string | undefined {
  if (foreign.id === '' || foreign.id.length > longestId) return undefined;
  const text = escapeId(foreign.id, name);
  if (headLength + text.length > longestId || unescapeId(text, name) !== foreign.id) return undefined;
  const digits =
    foreign.kind === 'native'
      ? randomHex(headDigits)
      : randomHex(headDigits - upstreamDigits) + upstreamMark(foreign.upstream);
  return idPrefix + digits + separators[foreign.kind] + text;
}

/** The id that the model itself wrote for this call, if `callId` carries one. `name` is the call's own name. */
export function nativeIdOf(callId: string, name: string): string | undefined {
  return isCarrying(callId, separators.native) ? unescapeId(callId.slice(headLength), name) : undefined;
}

/** The id that this upstream's wire sent for this call, if `callId` carries one. `name` is the call's own name. */
export function wireIdOf(
  callId: string,
  { name, upstream }: { readonly name: string; readonly upstream: string },
): string | undefined {
  if (!isCarrying(callId, separators.wire)) return undefined;
  if (callId.slice(headLength - 1 - upstreamDigits, headLength - 1) !== upstreamMark(upstream)) return undefined;
  return unescapeId(callId.slice(headLength), name);
}

/** 1 to 64 letters, digits, `_` and `-`: what any client takes for an id. */
export function isPlainId(id: string): boolean {
  if (id === '' || id.length > longestId) return false;
  for (let at = 0; at < id.length; at += 1) if (!isPlainCharacter(id.charCodeAt(at))) return false;
  return true;
}

function upstreamMark(upstream: string): string {
  return digestOf(upstream)[0].toString(16).padStart(8, '0').slice(-upstreamDigits);
}

function isCarrying(callId: string, separator: string): boolean {
  if (callId.length <= headLength || callId.length > longestId || !callId.startsWith(idPrefix)) return false;
  if (callId.charAt(headLength - 1) !== separator) return false;
  for (let at = idPrefix.length; at < headLength - 1; at += 1) if (!isHex(callId.charCodeAt(at))) return false;
  return true;
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
    if (code !== underscore) {
      if (!isPlain(code)) return undefined;
      bytes.push(code);
      at += 1;
    } else if (text.charCodeAt(at + 1) === underscore) {
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

const underscore = 0x5f;

/** Letters, digits and hyphen. */
function isPlain(code: number): boolean {
  return isPlainCharacter(code) && code !== underscore;
}

/** Lower-case hexadecimal digits, as we write them. */
function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66);
}
