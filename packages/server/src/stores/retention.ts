import { everyUnrefInterval } from '../after.ts';
import type { Database } from './database.ts';
import type { Table } from './keyed-rows.ts';
import type { Statement } from './sql-client.ts';

export interface RetentionOptions {
  readonly database: Database;
  /** Milliseconds since the last use after which something is forgotten; 0 keeps it for ever. */
  readonly maxAge: number;
  /** About the most characters that each table keeps; 0: any number. What was not used for longest goes first. */
  readonly maxSize: number;
  /** The most points of conversations. */
  readonly mostPoints: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The part of the bound that may be written between two looks at the size. */
const slack = 0.05;

const tables: readonly Table[] = ['dragoman_responses', 'dragoman_call_ids', 'dragoman_points', 'dragoman_facts'];

/** Forgets what is too old or too much: at the start, from time to time, and whenever much was written. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stop: () => void;
  #written = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#stop = everyUnrefInterval(options.interval, () => this.#pruneInBackground());
  }

  /** So many characters were written. */
  wrote(size: number): void {
    const { maxSize } = this.#options;
    this.#written += size;
    if (maxSize > 0 && this.#written > maxSize * slack) this.#pruneInBackground();
  }

  /** Forgets now. Rejects with a StoreError. */
  async prune(): Promise<void> {
    const { database, maxAge, maxSize, mostPoints, now } = this.#options;
    this.#written = 0;
    const statements = tables.flatMap((table) => [
      ...(maxAge > 0 ? [tooOld(table, now() - maxAge)] : []),
      ...(maxSize > 0 ? [tooMuch(table, maxSize)] : []),
    ]);
    await database.run([...database.client.lock, ...statements, tooMany('dragoman_points', mostPoints)]);
  }

  close(): void {
    this.#stop();
  }

  #pruneInBackground(): void {
    // The database tells its own failures, and what is left now goes the next time.
    this.prune().catch(() => {});
  }
}

function tooOld(table: Table, before: number): Statement {
  return { sql: `DELETE FROM ${table} WHERE used_at < $1`, values: [before] };
}

function tooMuch(table: Table, maxSize: number): Statement {
  const sql = `DELETE FROM ${table} WHERE key IN (
    SELECT key FROM (
      SELECT key, SUM(size) OVER (ORDER BY used_at DESC, key) AS total FROM ${table}
    ) AS sizes WHERE total > $1)`;
  return { sql, values: [maxSize] };
}

function tooMany(table: Table, maxCount: number): Statement {
  const sql = `DELETE FROM ${table} WHERE key IN (
    SELECT key FROM (
      SELECT key, ROW_NUMBER() OVER (ORDER BY used_at DESC, key) AS place FROM ${table}
    ) AS places WHERE place > $1)`;
  return { sql, values: [maxCount] };
}
