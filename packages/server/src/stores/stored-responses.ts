import { DragomanError, type ResponseStore, type StoredResponse } from '@dragoman/core';
import type { Redact } from '../log/redact.ts';
import type { Database } from './database.ts';
import { findHolders, readChain, readRecords, recordKey } from './keyed-rows.ts';
import { readStoredResponse } from './read-stored.ts';
import { redactedJson } from './redact-json.ts';
import type { WriteQueue } from './write-queue.ts';

export interface StoredResponsesOptions {
  readonly database: Database;
  readonly queue: WriteQueue;
  readonly redact: Redact;
  /** The most characters of one chain. */
  readonly maxChain: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

const table = 'dragoman_responses';

/**
 * Milliseconds after which a response that is not there is looked for again, in a database that others write to: the
 * client may have had it from another gateway a moment ago, which may still be writing.
 */
const patience = [50, 200, 750];

/**
 * Responses in a database. What was put is seen at once, and written in its own time. Reading throws `store-failed` when
 * the database does, since nobody knows then whether there is such a response.
 */
export class StoredResponses implements ResponseStore {
  readonly #options: StoredResponsesOptions;

  constructor(options: StoredResponsesOptions) {
    this.#options = options;
  }

  put(stored: StoredResponse): boolean {
    const { queue, redact, now } = this.#options;
    const { id, owner, input, output } = stored;
    const itemKeys = [...input, ...output].flatMap((item) =>
      typeof item.id === 'string' ? [recordKey(owner, item.id)] : [],
    );
    const body = redactedJson(stored, redact);
    const previous = stored.previousId === undefined ? {} : { previousKey: recordKey(owner, stored.previousId) };
    return queue.push({ act: 'put', table, key: recordKey(owner, id), body, itemKeys, ...previous, at: now() });
  }

  async get(id: string, owner: string): Promise<StoredResponse | undefined> {
    const key = recordKey(owner, id);
    const found = await this.#patiently(key, () => this.#read([key]));
    return found.find((stored) => stored.id === id && stored.owner === owner);
  }

  async chain(id: string, owner: string): Promise<readonly StoredResponse[]> {
    const found: StoredResponse[] = [];
    let size = 0;
    for (let next: string | undefined = id; next !== undefined; next = found.at(-1)?.previousId) {
      const key = recordKey(owner, next);
      // Whatever the latest one continues was stored long before it.
      const bodies = await (found.length > 0 ? this.#piece(key) : this.#patiently(key, () => this.#piece(key)));
      if (bodies.length === 0) break;
      for (const body of bodies) {
        size += body.length;
        if (size > this.#options.maxChain) throw tooLong(this.#options.maxChain);
        found.push(readStoredResponse(body));
      }
    }
    return found;
  }

  async items(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, unknown>> {
    const wanted = new Set(ids);
    const found = new Map<string, unknown>();
    if (wanted.size === 0) return found;
    const itemKeys = [...wanted].map((id) => recordKey(owner, id));
    const holders = await reading(() => findHolders(this.#options.database, itemKeys));
    for (const { input, output } of await this.#read([...this.#waitingHolders(itemKeys), ...holders])) {
      for (const item of [...input, ...output]) {
        if (typeof item.id === 'string' && wanted.has(item.id) && !found.has(item.id)) found.set(item.id, item);
      }
    }
    return found;
  }

  async delete(id: string, owner: string): Promise<boolean> {
    const key = recordKey(owner, id);
    if ((await this.#read([key])).length === 0) return false;
    await reading(() => this.#options.queue.write({ act: 'delete', table, key }));
    return true;
  }

  async #patiently<T>(key: string, read: () => Promise<readonly T[]>): Promise<readonly T[]> {
    let found = await read();
    for (const pause of this.#options.database.client.shared ? patience : []) {
      if (found.length > 0 || this.#options.queue.get(table, key)?.act === 'delete') break;
      await this.#options.wait(pause);
      found = await read();
    }
    return found;
  }

  /** The bodies of a response and of some that it continues: what waits to be written counts for more than the database. */
  async #piece(first: string): Promise<readonly string[]> {
    const { queue, database, now } = this.#options;
    const waiting = queue.get(table, first);
    if (waiting?.act === 'put') return [waiting.body];
    if (waiting?.act === 'delete') return [];
    const bodies: string[] = [];
    for (const [key, body] of await reading(() => readChain(database, first))) {
      const change = queue.get(table, key);
      if (change !== undefined && change.act !== 'use') break;
      bodies.push(body);
      queue.push({ act: 'use', table, key, at: now() });
    }
    return bodies;
  }

  /** The responses with these keys that are there: what waits to be written counts for more than the database. */
  async #read(keys: readonly string[]): Promise<readonly StoredResponse[]> {
    const { queue, database, now } = this.#options;
    const bodies: string[] = [];
    const asked: string[] = [];
    for (const key of new Set(keys)) {
      const change = queue.get(table, key);
      if (change?.act === 'put') bodies.push(change.body);
      else if (change?.act !== 'delete') asked.push(key);
    }
    if (asked.length > 0) {
      for (const [key, body] of await reading(() => readRecords(database, { table, keys: asked }))) {
        bodies.push(body);
        queue.push({ act: 'use', table, key, at: now() });
      }
    }
    return bodies.map(readStoredResponse);
  }

  #waitingHolders(itemKeys: readonly string[]): readonly string[] {
    const wanted = new Set(itemKeys);
    const holders: string[] = [];
    for (const change of this.#options.queue.changes()) {
      if (change.act === 'put' && change.itemKeys.some((key) => wanted.has(key))) holders.push(change.key);
    }
    return holders;
  }
}

async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new DragomanError('store-failed', 'The database of stored responses cannot be reached. Try again soon.', {
      cause,
    });
  }
}

function tooLong(maxChain: number): DragomanError {
  return new DragomanError(
    'context-too-long',
    `The responses that this one continues hold more than ${maxChain} characters. Begin a new conversation with what still matters.`,
    { param: 'previous_response_id' },
  );
}
