import { type CallIdStore, MemoryCallIdStore } from '@dragoman/core';
import type { Database } from './database.ts';
import { ownedName, readRecords, recordKey } from './keyed-rows.ts';
import { readForeignId } from './read-stored.ts';
import type { WriteQueue } from './write-queue.ts';

export interface StoredCallIdsOptions {
  readonly database: Database;
  readonly queue: WriteQueue;
  /** The most characters in memory. */
  readonly maxSize: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

const table = 'dragoman_call_ids';

/** Ids that are remembered as unknown. */
const mostUnknown = 20_000;

/** Milliseconds that a request waits for ids at most; without them call and result still share the id of ours. */
const patience = 1_000;

/**
 * Foreign ids in memory, with a database after it. The engine asks without waiting, so what a request may ask for is
 * fetched before it begins.
 */
export class StoredCallIds {
  readonly #options: StoredCallIdsOptions;
  readonly #memory: MemoryCallIdStore;
  /** What a database that is ours alone does not know: an agent sends the ids of its whole history with each request. */
  readonly #unknown = new Set<string>();

  constructor(options: StoredCallIdsOptions) {
    this.#options = options;
    // It may be another one now.
    options.database.onRecovery(() => this.#unknown.clear());
    this.#memory = new MemoryCallIdStore({ maxSize: options.maxSize });
  }

  /** The ids of one caller. */
  of(owner: string): CallIdStore {
    const memory = this.#memory.of(owner);
    return {
      get: (callId) => memory.get(callId),
      put: (callId, foreign) => {
        const { queue, now } = this.#options;
        memory.put(callId, foreign);
        if (memory.get(callId) === undefined) return;
        this.#unknown.delete(ownedName(owner, callId));
        const body = JSON.stringify(foreign);
        queue.push({ act: 'put', table, key: recordKey(owner, callId), body, itemKeys: [], at: now() });
      },
    };
  }

  /**
   * Brings into memory what the database knows of these ids. Never rejects: while the database fails, it brings nothing,
   * and it takes no longer than a second.
   */
  async fetch(owner: string, callIds: readonly string[]): Promise<void> {
    const { database, wait } = this.#options;
    const memory = this.#memory.of(owner);
    const missing = callIds.filter(
      (callId) => memory.get(callId) === undefined && !this.#unknown.has(ownedName(owner, callId)),
    );
    if (missing.length === 0 || database.fails) return;
    await Promise.race([this.#fetch(owner, missing).catch(() => {}), wait(patience)]);
  }

  async #fetch(owner: string, callIds: readonly string[]): Promise<void> {
    const { database, queue, now } = this.#options;
    const byKey = new Map(callIds.map((callId) => [recordKey(owner, callId), callId]));
    const memory = this.#memory.of(owner);
    const found = await readRecords(database, { table, keys: [...byKey.keys()] });
    for (const [key, callId] of byKey) {
      const body = found.get(key);
      if (body !== undefined) {
        memory.put(callId, readForeignId(body));
        queue.push({ act: 'use', table, key, at: now() });
      } else if (!database.client.shared && queue.get(table, key) === undefined) {
        this.#unknown.add(ownedName(owner, callId));
      }
    }
    if (this.#unknown.size > mostUnknown) this.#unknown.clear();
  }
}
