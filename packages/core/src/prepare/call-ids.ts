import type { ChatRequest } from '../chat/request.ts';
import type { ToolCall } from '../chat/tool.ts';
import type { CallIdStore, ForeignId } from '../stores/call-id-store.ts';
import { carryId, idPrefix, isPlainId, nativeIdOf, wireIdOf } from './carried-ids.ts';

/** Random digits of an id that carries nothing. */
const mintedDigits = 24;

export interface CallIdsOptions {
  /** The conversation so far. */
  readonly request: Pick<ChatRequest, 'messages'>;
  readonly randomHex: (length: number) => string;
  /** The name of the upstream whose wire sends the ids that are claimed. */
  readonly upstream?: string;
  /** Keeps the foreign ids that ours cannot carry. Default: they are forgotten. */
  readonly store?: CallIdStore | undefined;
}

/**
 * Makes the call ids that a client sees in one reply. Each is 1 to 64 letters, digits, `_` and `-`, and none repeats
 * within the conversation: not one that the request holds, and not one of this reply.
 *
 * Without a foreign id: `call_` and 24 lower-case hexadecimal digits. With one: an id that carries it (`carried-ids.ts`).
 * Where that is too long: 24 digits, and the store keeps the foreign id.
 */
export class CallIds {
  readonly #options: Omit<CallIdsOptions, 'request'>;
  /** The ids of the request. Until the reply's first call they are a list, which takes a third of what a set takes. */
  readonly #past: readonly string[];
  #known: Set<string> | undefined;

  constructor({ request, ...options }: CallIdsOptions) {
    this.#options = options;
    this.#past = pastIdsIn(request);
  }

  get #taken(): Set<string> {
    this.#known ??= new Set(this.#past);
    return this.#known;
  }

  /** An id for a call that a model wrote as text, carrying the model's own id where it wrote one. */
  mint(name: string, nativeId = ''): string {
    return this.#mint(name, { kind: 'native', id: nativeId });
  }

  /** The model's own id of a call that was minted without one came after the call's arguments. */
  remember(callId: string, nativeId: string): void {
    this.#options.store?.put(callId, { kind: 'native', id: nativeId });
  }

  /**
   * The id for a call that came with a wire's id: that id itself, or a new one that leads back to it if clients could not
   * take it or it was already used, or a new one if it is empty. Some upstreams count from zero in every turn.
   */
  claim(name: string, wireId: string): string {
    const { upstream = '' } = this.#options;
    const taken = this.#taken;
    // An id that looks as if we had made it would be taken for the one that it seems to carry.
    if (isPlainId(wireId) && !taken.has(wireId) && wireIdOf(wireId, { name, upstream }) === undefined) {
      taken.add(wireId);
      return wireId;
    }
    return this.#mint(name, { kind: 'wire', id: wireId, upstream });
  }

  #mint(name: string, foreign: ForeignId): string {
    const { randomHex, store } = this.#options;
    const taken = this.#taken;
    for (let attempt = 0; attempt < 16; attempt += 1) {
      const carrying = carryId(name, foreign, randomHex);
      const id = carrying ?? idPrefix + randomHex(mintedDigits);
      if (taken.has(id)) continue;
      taken.add(id);
      if (carrying === undefined && foreign.id !== '') store?.put(id, foreign);
      return id;
    }
    throw new Error('randomHex keeps returning the same digits');
  }
}

/** Finds the id that a model itself wrote for a past call: carried by the client's id, or in the store. */
export function nativeIdsIn(
  store: CallIdStore | undefined,
): (call: Pick<ToolCall, 'callId' | 'name'>) => string | undefined {
  return ({ callId, name }) => {
    const carried = nativeIdOf(callId, name);
    if (carried !== undefined) return carried;
    const stored = storedFor(callId, store);
    return stored?.kind === 'native' ? stored.id : undefined;
  };
}

/** Finds the id that this upstream issued for a past call: carried by the client's id, or in the store. */
export function wireIdsIn(
  upstream: string,
  store: CallIdStore | undefined,
): (call: Pick<ToolCall, 'callId' | 'name'>) => string | undefined {
  return ({ callId, name }) => {
    const carried = wireIdOf(callId, { name, upstream });
    if (carried !== undefined) return carried;
    const stored = storedFor(callId, store);
    return stored?.kind === 'wire' && stored.upstream === upstream ? stored.id : undefined;
  };
}

/** The ids of past calls that a store may be asked for, for stores that have to look before they can answer. */
export function storableIdsIn(request: Pick<ChatRequest, 'messages'>): readonly string[] {
  return [...new Set(pastIdsIn(request).filter(isStorable))];
}

function pastIdsIn({ messages }: Pick<ChatRequest, 'messages'>): readonly string[] {
  const ids: string[] = [];
  for (const { content } of messages) {
    for (const part of content) if (part.type === 'tool-call') ids.push(part.callId);
  }
  return ids;
}

function storedFor(callId: string, store: CallIdStore | undefined): ForeignId | undefined {
  return isStorable(callId) ? store?.get(callId) : undefined;
}

/** Only ids that carry nothing are ever stored, so most need no looking up. */
function isStorable(callId: string): boolean {
  return callId.length === idPrefix.length + mintedDigits && callId.startsWith(idPrefix);
}
