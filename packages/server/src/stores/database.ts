import { type After, afterUnrefTimeout } from '../after.ts';
import type { Log } from '../log/create-log.ts';
import { migrate, schemaVersion } from './migrations.ts';
import { type Row, type SqlClient, type Statement, StoreError } from './sql-client.ts';

export interface DatabaseOptions {
  readonly client: SqlClient;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: a timer that keeps no process. */
  readonly later?: After;
}

/** Milliseconds until a database that failed is tried again: doubled from the shortest to the longest. */
const pause = { shortest: 250, longest: 30_000 };

/** A write that changes nothing, but fails where others would. */
const probe: Statement = {
  sql: 'UPDATE dragoman_schema SET applied_at = applied_at WHERE version = $1',
  values: [schemaVersion],
};

/**
 * A database with our tables in it, and whether it works. Each change between working and failing is logged once. While it
 * fails it is tried again by itself; `onRecovery` tells when it works.
 */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #later: After;
  #opened: Promise<void> | undefined;
  /** It has been opened: whoever opened it is told otherwise why that failed. */
  #isInUse = false;
  #fails = false;
  #pause = pause.shortest;
  #cancel: (() => void) | undefined;
  #closed = false;
  readonly #recovered: (() => void)[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#later = options.later ?? afterUnrefTimeout;
  }

  get client(): SqlClient {
    return this.#options.client;
  }

  /** Whether the last thing that it was asked went wrong. */
  get fails(): boolean {
    return this.#fails;
  }

  /**
   * Makes or migrates the tables. Throws a StoreError when that will not get better by itself; a database that cannot be
   * reached now is a line in the log, and is tried again.
   */
  async open(): Promise<void> {
    try {
      await this.#run([probe]);
    } catch (thrown) {
      if (!(thrown instanceof StoreError) || thrown.kind !== 'unreachable') {
        await this.close();
        throw thrown;
      }
      this.#report(thrown);
    }
    this.#isInUse = true;
  }

  /** As the client's `run`, on tables that are there. */
  async run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const rows = await this.#run(statements);
    this.#pause = pause.shortest;
    return rows;
  }

  /** `tell` is called whenever it works again. */
  onRecovery(report: () => void): void {
    this.#recovered.push(report);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.client.close();
  }

  async #run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    try {
      this.#opened ??= migrate(this.client, this.#options.now);
      await this.#opened;
      const rows = await this.client.run(statements);
      this.#works();
      return rows;
    } catch (thrown) {
      this.#failed(thrown);
      throw thrown;
    }
  }

  #works(): void {
    if (!this.#fails) return;
    this.#fails = false;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#options.log.info('the store works again');
    for (const report of this.#recovered) report();
  }

  #failed(thrown: unknown): void {
    // The tables may be gone, too: whoever made the database anew gets them back.
    this.#opened = undefined;
    if (!this.#fails && this.#isInUse) this.#report(thrown);
    this.#fails = true;
    if (this.#closed || this.#cancel !== undefined) return;
    this.#cancel = this.#later(this.#pause, () => this.#tryAgain());
    this.#pause = Math.min(this.#pause * 2, pause.longest);
  }

  #report(thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.#options.log.error(`the store fails; replies go on, and it is tried again: ${reason}`);
  }

  #tryAgain(): void {
    this.#cancel = undefined;
    this.#run([probe]).catch(() => {});
  }
}
