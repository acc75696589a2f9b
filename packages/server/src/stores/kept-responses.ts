import {
  DragomanError,
  inputItems,
  lookUpsOf,
  type ResponseStore,
  type StoredResponse,
  type WireResponse,
} from '@dragoman/core';

/** What a request refers to, as the wire reads it. */
export interface Past {
  /** The items of the responses that it continues, oldest first. */
  readonly history: readonly unknown[];
  /** Items by id. */
  readonly references: ReadonlyMap<string, unknown>;
}

export interface KeptOptions {
  readonly store: ResponseStore;
  /** Keeps what belongs to a connection. */
  readonly held: ResponseStore;
  readonly owner: string;
  /** A name that nobody else has: what asks not to be stored is kept under it, for as long as the connection lasts. */
  readonly connection?: string;
}

/** The responses that one caller may read and continue: what is stored, and in a WebSocket what its connection holds. */
export class KeptResponses {
  readonly #store: ResponseStore;
  readonly #owner: string;
  readonly #connection: string | undefined;
  readonly #heldStore: ResponseStore;
  readonly #held = new Set<string>();

  constructor({ store, held, owner, connection }: KeptOptions) {
    this.#store = store;
    this.#heldStore = held;
    this.#owner = owner;
    this.#connection = connection;
  }

  /** Throws `response-unknown`. */
  async find(id: string): Promise<StoredResponse> {
    const stored = await this.#store.get(id, this.#owner);
    if (stored === undefined) throw unknownResponse(id);
    return stored;
  }

  async delete(id: string): Promise<boolean> {
    return this.#store.delete(id, this.#owner);
  }

  /** What a body continues and refers to. Throws `previous-response-unknown`: half a conversation is worth nothing. */
  async past(body: unknown): Promise<Past> {
    const { previousId, references } = lookUpsOf(body);
    const chain: StoredResponse[] = [];
    for (let id = previousId; id !== undefined; id = chain.at(-1)?.previousId) {
      const piece = await this.#chain(id);
      if (piece.length === 0) throw unknownPrevious(previousId);
      for (const response of piece) chain.push(response);
    }
    return {
      history: chain.reverse().flatMap(({ input, output }) => [...input, ...output]),
      references: await this.#items(references),
    };
  }

  /**
   * Keeps a response that has ended, with the items that its request brought: stored, or held for the connection. Returns
   * false when there is no room for it.
   */
  put(
    response: WireResponse,
    asked: { readonly body: unknown; readonly past: Past; readonly frames?: readonly string[] },
  ): boolean {
    if (response.status === 'failed' && response.previous_response_id !== null)
      this.forget(response.previous_response_id);
    const owner = response.store ? this.#owner : this.#connection;
    if (owner === undefined) return false;
    if (owner === this.#connection) this.#held.add(response.id);
    return (owner === this.#connection ? this.#heldStore : this.#store).put(
      storedResponse(response, { owner, ...asked }),
    );
  }

  /** The connection no longer holds a response, as one that should have continued it failed. What is stored stays. */
  forget(id: string): void {
    if (this.#connection !== undefined && this.#held.delete(id)) void this.#heldStore.delete(id, this.#connection);
  }

  /** The connection is over, and what it held goes with it. */
  close(): void {
    for (const id of [...this.#held]) this.forget(id);
  }

  /** What is held may continue what is stored, so a chain may change its store once. */
  async #chain(id: string): Promise<readonly StoredResponse[]> {
    const held = this.#connection === undefined ? [] : await this.#heldStore.chain(id, this.#connection);
    return held.length > 0 ? held : this.#store.chain(id, this.#owner);
  }

  async #items(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const stored = await this.#store.items(ids, this.#owner);
    if (this.#connection === undefined) return stored;
    return new Map([...stored, ...(await this.#heldStore.items(ids, this.#connection))]);
  }
}

/** A response with its request, as a store keeps it. */
export function storedResponse(
  response: WireResponse,
  asked: { readonly owner: string; readonly body: unknown; readonly past: Past; readonly frames?: readonly string[] },
): StoredResponse {
  const { id, previous_response_id: previousId, output } = response;
  const { owner, body, past, frames } = asked;
  return {
    id,
    owner,
    ...(previousId === null ? {} : { previousId }),
    response: { ...response },
    input: inputItems(body, { replyId: id.slice('resp_'.length), references: past.references }),
    output: output.map((item) => ({ ...item })),
    ...(frames === undefined ? {} : { frames }),
  };
}

export function unknownResponse(id: string): DragomanError {
  return new DragomanError('response-unknown', `There is no stored response ${shownId(id)}.`, { param: 'id' });
}

function unknownPrevious(id: string | undefined): DragomanError {
  return new DragomanError(
    'previous-response-unknown',
    `The response ${shownId(id)}, or one before it, is not stored. Send the whole conversation in input.`,
    { param: 'previous_response_id' },
  );
}

/** An id that somebody made up, short enough for a message. */
export function shownId(id: string | undefined): string {
  return JSON.stringify((id ?? '').slice(0, 100));
}
