import {
  type ConversationPoint,
  type ConversationStore,
  DragomanError,
  type FoundPoints,
  type Standing,
} from '@dragoman/core';
import { type After, everyUnrefInterval } from '../after.ts';
import type { Database } from './database.ts';
import { findPoints, lifeTime } from './find-points.ts';
import { recordKey } from './keyed-rows.ts';
import type { StoredPoint } from './read-stored.ts';
import type { WriteQueue } from './write-queue.ts';

export interface StoredConversationsOptions {
  readonly database: Database;
  readonly queue: WriteQueue;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Calls `tick` every so many milliseconds until the returned function is called. Default: a timer that keeps no process. */
  readonly every?: After;
}

const table = 'dragoman_points';

/**
 * Milliseconds that a request waits for its place at most, before the whole history is sent anew, which costs more than
 * waiting; and the end of a reply, until other gateways can find the point after it. A database that is known to fail is
 * not waited for.
 */
const patience = { place: 5_000, end: 3_000 };

/** Milliseconds between two signs of life of the messages under way. */
const signs = 10_000;

/**
 * Points in a database, which is where requests of several gateways meet: whoever takes a point does so in one statement
 * of the database. Nothing of them is kept in memory but what is on its way.
 */
export class StoredConversations {
  readonly #options: StoredConversationsOptions;
  /** Writes on their way. Whoever asks waits for them, so that this gateway finds at once what it has put. */
  readonly #writing = new Set<Promise<unknown>>();
  /** How many messages are under way after points, by the keys of their rows. */
  readonly #open = new Map<string, number>();
  #stopSigns: (() => void) | undefined;
  /** When the latest point was put: no two are of the same time, so that they have an order. */
  #latest = 0;

  constructor(options: StoredConversationsOptions) {
    this.#options = options;
  }

  /** The points of one caller. */
  of(owner: string): ConversationStore {
    return {
      find: (keys) => this.#inTime(this.#find(owner, keys)),
      take: (pointId) => this.#take(recordKey(owner, pointId)),
      settle: (pointId, outcome) => this.#settle(recordKey(owner, pointId), outcome),
      put: (point, keys) => this.#put(owner, { point, keys }),
    };
  }

  /** Resolves when nothing is on its way any more, or nothing more can be done. */
  async close(): Promise<void> {
    this.#stopSigns?.();
    if (!this.#options.database.fails) await Promise.allSettled(this.#writing);
  }

  async #find(owner: string, keys: readonly string[]): Promise<FoundPoints> {
    const { database, now } = this.#options;
    await Promise.allSettled(this.#writing);
    return findPoints(database, { owner, keys, now: now() });
  }

  /** What comes too late is given back: by then the request has gone another way. */
  async #take(key: string): Promise<Standing | undefined> {
    let isLate = false;
    const taking = this.#takeRow(key).then((before) => {
      if (before === undefined) return undefined;
      this.#begin(key);
      if (isLate) this.#settle(key, 'withdrawn');
      return before;
    });
    try {
      return await this.#inTime(taking);
    } catch (thrown) {
      isLate = true;
      taking.catch(() => {});
      throw thrown;
    }
  }

  async #takeRow(key: string): Promise<Standing | undefined> {
    const { database, now } = this.#options;
    await Promise.allSettled(this.#writing);
    const sql = `UPDATE ${table} SET continuations = continuations + 1, taken_at = $2, used_at = $2,
      open = CASE WHEN taken_at > $3 THEN open + 1 ELSE 1 END WHERE key = $1 RETURNING continuations, open`;
    const [rows] = await database.run([{ sql, values: [key, now(), now() - lifeTime] }]);
    const row = rows?.[0];
    return row === undefined ? undefined : { continuations: Number(row.continuations) - 1, open: Number(row.open) - 1 };
  }

  #settle(key: string, outcome: 'kept' | 'withdrawn'): void {
    const { database } = this.#options;
    this.#end(key);
    const less = (column: string) => `${column} = CASE WHEN ${column} > 0 THEN ${column} - 1 ELSE 0 END`;
    const columns = outcome === 'kept' ? ['open'] : ['open', 'continuations'];
    const sql = `UPDATE ${table} SET ${columns.map(less).join(', ')} WHERE key = $1`;
    // After what was put before it: who sees that a reply is over has to find the point after it.
    const before = Promise.allSettled(this.#writing);
    this.#track(before.then(() => database.run([{ sql, values: [key] }])));
  }

  #put(
    owner: string,
    { point, keys }: { readonly point: ConversationPoint; readonly keys: readonly string[] },
  ): Promise<void> | undefined {
    const { database, queue, now, wait } = this.#options;
    this.#latest = Math.max(this.#latest + 1, now());
    const stored: StoredPoint = { ...point, at: this.#latest };
    const itemKeys = keys.map((key) => recordKey(owner, key));
    const key = recordKey(owner, point.id);
    const written = queue.write({ act: 'put', table, key, body: JSON.stringify(stored), itemKeys, at: stored.at });
    this.#track(written);
    if (!database.client.shared || database.fails) return undefined;
    return Promise.race([written.catch(() => {}), wait(patience.end)]);
  }

  /** The database tells its own failures. */
  #track(write: Promise<unknown>): void {
    const tracked = write.catch(() => {}).finally(() => this.#writing.delete(tracked));
    this.#writing.add(tracked);
  }

  /** Rejects with `store-failed` where the database does, and where it takes too long. */
  async #inTime<T>(asked: Promise<T>): Promise<T> {
    const { database, wait } = this.#options;
    const late = async (): Promise<never> => {
      if (!database.fails) await wait(patience.place);
      throw new Error('the database takes too long');
    };
    try {
      return await Promise.race([asked, late()]);
    } catch (cause) {
      throw new DragomanError('store-failed', 'The database of conversations cannot be reached. Try again soon.', {
        cause,
      });
    }
  }

  #begin(key: string): void {
    const { every = everyUnrefInterval } = this.#options;
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    this.#stopSigns ??= every(signs, () => this.#sign());
  }

  #end(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
    if (this.#open.size > 0) return;
    this.#stopSigns?.();
    this.#stopSigns = undefined;
  }

  /** Says that the messages which this gateway has under way still are. */
  #sign(): void {
    const { database, now } = this.#options;
    const sql = `UPDATE ${table} SET taken_at = $2 WHERE key = $1`;
    const keys = [...this.#open.keys()].sort();
    this.#track(database.run(keys.map((key) => ({ sql, values: [key, now()] }))));
  }
}
