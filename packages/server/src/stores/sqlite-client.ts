import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../package-folder.ts';
import { type Row, type SqlClient, type Statement, StoreError } from './sql-client.ts';

/** What the thread answers. */
interface Reply {
  readonly id: number;
  readonly rows?: readonly (readonly Row[])[];
  readonly problem?: string;
}

interface Waiting {
  readonly resolve: (rows: readonly (readonly Row[])[]) => void;
  readonly reject: (error: StoreError) => void;
}

const script = join(packageFolder, 'bin', 'sqlite-worker.js');

/** One SQLite file, in a thread of its own. A thread that ends is replaced at the next call. */
export class SqliteClient implements SqlClient {
  readonly place: string;
  readonly shared: boolean;
  /** Every transaction begins as the only writer. */
  readonly lock: readonly Statement[] = [];
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #calls = 0;

  /**
   * A relative path counts from the current folder. The file and its folder are made where they are missing. `:memory:` is
   * no file: what is in it ends with the thread. `shared`: several processes of one gateway use the file.
   */
  constructor(path: string, { shared = false }: { readonly shared?: boolean } = {}) {
    this.shared = shared;
    const isMemory = path === ':memory:';
    this.#path = isMemory ? path : resolve(path);
    this.place = isMemory ? 'in memory' : `the file ${path}`;
  }

  run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const worker = this.#running();
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...withSqlOnce(statements) });
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(script, { workerData: { path: this.#path } });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#answer(reply));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', () => this.#ended(worker, new Error('its thread has ended')));
    this.#worker = worker;
    return worker;
  }

  #answer({ id, rows, problem }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // The process may end while nobody waits for this thread.
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (rows !== undefined) waiting?.resolve(rows);
    else waiting?.reject(this.#problem(problem ?? 'no reason given'));
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of left) waiting.reject(this.#problem(error.message, error));
  }

  #problem(message: string, cause?: Error): StoreError {
    return new StoreError('refused', `SQLite, ${this.place}: ${message}`, cause);
  }
}

/** A message is copied: what many statements have in common stands in it once, and each of them names its place. */
function withSqlOnce(statements: readonly Statement[]) {
  const places = new Map<string, number>();
  const runs = statements.map(({ sql, values = [] }) => {
    const place = places.get(sql) ?? places.size;
    places.set(sql, place);
    return { place, values };
  });
  return { sqls: [...places.keys()], runs };
}
