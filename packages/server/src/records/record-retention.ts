import { type After, everyUnrefInterval } from '../after.ts';
import type { Log } from '../log/create-log.ts';
import type { Database } from '../stores/database.ts';
import { deleteUnused } from '../stores/passage-rows.ts';
import { placesOf, type SqlValue, type Statement, StoreError } from '../stores/sql-client.ts';
import type { RecordArchive } from './record-archive.ts';
import { recordOf, wholeColumns } from './record-store.ts';

export interface RecordRetentionOptions {
  readonly database: Database;
  /** Takes what goes before it goes; absent: it is deleted at once. */
  readonly archive?: RecordArchive | undefined;
  /** Milliseconds after which a record goes; 0: never. */
  readonly maxAge: number;
  /** About the most characters of all records; 0: any number. */
  readonly maxSize: number;
  /** Milliseconds that a passage may have been used after the database was told so the last time. */
  readonly slack: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly log: Pick<Log, 'error'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: a timer that keeps no process. */
  readonly every?: After;
}

/** The part of the bound that may be written between two looks at the size. */
const between = 0.05;

/** Records that are archived at once. */
const batch = 16;

/** Lets records go that are too old or too many: at the start, from time to time, and whenever much was written. */
export class RecordRetention {
  readonly #options: RecordRetentionOptions;
  readonly #stop: () => void;
  #written = 0;
  #running: Promise<void> | undefined;

  constructor(options: RecordRetentionOptions) {
    this.#options = options;
    this.#stop = (options.every ?? everyUnrefInterval)(options.interval, () => this.pruneInBackground());
  }

  /** So many characters were written. */
  wrote(size: number): void {
    const { maxSize } = this.#options;
    this.#written += size;
    if (maxSize > 0 && this.#written > maxSize * between) this.pruneInBackground();
  }

  /** Lets go now; what runs already is waited for. Rejects with a StoreError, or with what went wrong with the archive. */
  prune(): Promise<void> {
    this.#running ??= this.#prune().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    this.#stop();
    await this.#running?.catch(() => {});
  }

  async #prune(): Promise<void> {
    const { archive, database } = this.#options;
    this.#written = 0;
    const doomed = this.#doomed();
    if (doomed === undefined) return;
    if (archive === undefined) {
      const sql = `DELETE FROM dragoman_exchanges WHERE key IN (${doomed.sql})`;
      await database.run([...database.client.lock, { ...doomed, sql }, ...this.#leftovers()]);
      return;
    }
    while (await this.#archiveSome(archive, doomed));
    await database.run(this.#leftovers());
    await archive.prune();
  }

  /** Deletes what only led to records that have gone, or was said in them. */
  #leftovers(): readonly Statement[] {
    const { slack, now } = this.#options;
    const sql = `DELETE FROM dragoman_exchange_links
      WHERE at < (SELECT COALESCE(MIN(at), CAST($1 AS BIGINT)) FROM dragoman_exchanges)`;
    return [{ sql, values: [now()] }, deleteUnused({ slack, now: now() })];
  }

  /** Archives and deletes some; false when none was left. */
  async #archiveSome(archive: RecordArchive, doomed: Statement): Promise<boolean> {
    const { database } = this.#options;
    const sql = `SELECT ${wholeColumns} FROM dragoman_exchanges WHERE key IN (${doomed.sql}) ORDER BY at, key LIMIT ${batch}`;
    const [rows = []] = await database.run([{ ...doomed, sql }]);
    if (rows.length === 0) return false;
    const records = await Promise.all(rows.map((row) => recordOf(row, database)));
    await archive.write(records.map((record) => JSON.stringify(record)));
    const values = rows.map(({ key }) => String(key));
    await database.run([{ sql: `DELETE FROM dragoman_exchanges WHERE key IN (${placesOf(rows)})`, values }]);
    return true;
  }

  /** The keys of all that has to go; undefined where nothing ever has to. */
  #doomed(): Statement | undefined {
    const { maxAge, maxSize, now } = this.#options;
    const values: SqlValue[] = [];
    const parts: string[] = [];
    if (maxAge > 0) parts.push(`SELECT key FROM dragoman_exchanges WHERE at < $${values.push(now() - maxAge)}`);
    if (maxSize > 0) {
      parts.push(`SELECT key FROM (
        SELECT key, SUM(size) OVER (ORDER BY at DESC, key DESC) AS total FROM (
          SELECT key, at, size FROM dragoman_exchanges UNION ALL SELECT key, used_at, size FROM dragoman_passages
        ) AS kept
      ) AS sizes WHERE total > $${values.push(maxSize)}`);
    }
    return parts.length === 0 ? undefined : { sql: parts.join(' UNION '), values };
  }

  /** `prune` for nobody who waits: what goes wrong is told in the log. */
  pruneInBackground(): void {
    // The database tells its own failures, and what is left now goes the next time.
    this.prune().catch((thrown: unknown) => {
      if (thrown instanceof StoreError) return;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.log.error(`records cannot be archived, so none is deleted: ${reason}`);
    });
  }
}
