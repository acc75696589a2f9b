import pg from 'pg';
import { codeOf } from '../code-of.ts';
import { type Row, type SqlClient, type Statement, StoreError } from './sql-client.ts';

/** Any number that other programs in the same database are unlikely to lock. */
const lockNumber = 7_261_946_028_413;

/** How often a transaction is begun anew that PostgreSQL has broken off for the sake of another one. */
const attempts = 5;

/** What these numbers of a PostgreSQL database bound; milliseconds. */
const timeouts = { connect: 3_000, statement: 10_000 };

/** A PostgreSQL database after a small pool of connections. */
export class PostgresClient implements SqlClient {
  readonly place: string;
  readonly shared = true;
  readonly lock: readonly Statement[] = [{ sql: `SELECT pg_advisory_xact_lock(${lockNumber})` }];
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.place = placeOf(url);
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: timeouts.connect,
      query_timeout: timeouts.statement,
      application_name: 'dragoman',
      keepAlive: true,
    });
    // Without listeners, a connection that breaks would end the process: the pool listens to those that are idle, and
    // nobody to those in use, whose query fails besides. The next call makes a new one.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#runOnce(statements);
      } catch (thrown) {
        if (attempt >= attempts || !isCollision(thrown)) throw this.#problem(thrown);
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #runOnce(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const client = await this.#pool.connect();
    let hasFailed = true;
    try {
      const rows: (readonly Row[])[] = [];
      const isOne = statements.length === 1;
      if (!isOne) await client.query('BEGIN');
      for (const { sql, values = [] } of statements) rows.push((await client.query<Row>(sql, [...values])).rows);
      if (!isOne) await client.query('COMMIT');
      hasFailed = false;
      return rows;
    } finally {
      // A connection that is closed takes its open transaction with it.
      client.release(hasFailed);
    }
  }

  #problem(thrown: unknown): StoreError {
    const message = thrown instanceof Error ? thrown.message || codeOf(thrown) : String(thrown);
    const kind = isRefusal(thrown) ? 'refused' : 'unreachable';
    return new StoreError(kind, `PostgreSQL at ${this.place}: ${message}`, thrown);
  }
}

/** Host and database of an address, without its user and password. */
function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    return `${host}${port === '' ? '' : `:${port}`}${pathname}`;
  } catch {
    return 'the configured address';
  }
}

/** Two transactions wanted the same rows, and this one had to go. PostgreSQL's own codes have five characters. */
function isCollision(thrown: unknown): boolean {
  return codeOf(thrown) === '40P01' || codeOf(thrown) === '40001';
}

/** It was reached and said no, other than for being too busy, about to start or about to stop. */
function isRefusal(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code.length === 5 && !['57P', '08', '53'].some((passing) => code.startsWith(passing)) && !code.startsWith('E');
}
