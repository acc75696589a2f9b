import type { Log } from '../log/create-log.ts';
import type { Database } from './database.ts';
import { type Change, writeRecords } from './keyed-rows.ts';
import { StoreError } from './sql-client.ts';

export interface WriteQueueOptions {
  readonly database: Database;
  /** The most characters that wait. Beyond that the oldest changes are lost, which the log is told. */
  readonly maxSize: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Milliseconds that a change waits for others, to be written with them; what is waited for is written at once. Default: none. */
  readonly delay?: number;
  /** So many characters are in the database now. */
  readonly onWritten?: (size: number) => void;
}

interface Entry {
  readonly change: Change;
  readonly size: number;
  readonly settled: ((error?: StoreError) => void)[];
}

/** What one change takes beside its body, roughly. */
const entrySize = 300;

/** What one transaction takes at most. */
const batch = { changes: 256, size: 4 * 1024 * 1024 };

/**
 * Changes on their way into the database. Nobody waits for them: they are taken at once and seen at once, by `get`, and
 * written soon after, many in one transaction. While the database fails they stay here, as many as there is room for.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  /** By record, oldest first; what is being written stays until it is. */
  #entries: Map<string, Entry> = new Map();
  #size = 0;
  #most = batch.changes;
  #lost = 0;
  #allLost = 0;
  #isPlanned = false;
  #writing: Promise<void> | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
    options.database.onRecovery(() => this.#plan());
  }

  /** Changes that are not in the database yet. */
  get waiting(): number {
    return this.#entries.size;
  }

  /** Changes since the start that were given up. */
  get lost(): number {
    return this.#allLost;
  }

  /** What will be written of a record, if anything will. */
  get(table: Change['table'], key: string): Change | undefined {
    return this.#entries.get(`${table} ${key}`)?.change;
  }

  /** All that waits, oldest first. */
  *changes(): Iterable<Change> {
    for (const { change } of this.#entries.values()) yield change;
  }

  /** Takes a change in place of an older one of the same record. Returns false when there is no room, even in an empty queue. */
  push(change: Change): boolean {
    return this.#add(change) !== undefined;
  }

  /** `push`, and waits until it is in the database. Rejects with a StoreError when that fails, which is tried again all the same. */
  write(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = this.#add(change);
      if (entry === undefined)
        reject(new StoreError('refused', 'what is to be written is larger than the queue of writes'));
      else entry.settled.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  /** Writes all that waits, unless the database fails. Resolves when nothing waits or nothing more can be done. */
  async flush(): Promise<void> {
    while (this.#entries.size > 0) {
      this.#writing ??= this.#writeBatch();
      await this.#writing;
      if (this.#options.database.fails) return;
    }
  }

  /** Flushes for the last time, and tells the log what is lost with the process. */
  async close(): Promise<void> {
    await this.flush();
    if (this.#entries.size > 0)
      this.#options.log.error(`the store fails: ${writes(this.#entries.size)} lost at the end`);
  }

  #add(change: Change): Entry | undefined {
    const name = `${change.table} ${change.key}`;
    const size = entrySize + sizeOf(change);
    if (size > this.#options.maxSize) return undefined;
    const old = this.#entries.get(name);
    // What is about to be put or deleted is not changed by having been used.
    if (old !== undefined && change.act === 'use') return old;
    this.#remove(name);
    const entry: Entry = { change, size, settled: [...(old?.settled ?? [])] };
    this.#entries.set(name, entry);
    this.#size += size;
    this.#makeRoom(name);
    this.#plan();
    return entry;
  }

  #makeRoom(latest: string): void {
    for (const [name, { settled }] of this.#entries) {
      if (this.#size <= this.#options.maxSize) return;
      if (name === latest) continue;
      this.#remove(name);
      this.#lose(settled);
    }
  }

  #lose(settled: Entry['settled'], error = new StoreError('unreachable', 'the queue of writes is full')): void {
    if (this.#lost === 0) {
      this.#options.log.warn('the store is too slow: writes are lost, oldest first');
    }
    this.#lost += 1;
    this.#allLost += 1;
    for (const settle of settled) settle(error);
  }

  /** Writes after what runs now, so that a reply whose end is stored leaves first. */
  #plan(): void {
    if (this.#isPlanned || this.#writing !== undefined || this.#options.database.fails) return;
    this.#isPlanned = true;
    const write = () => {
      this.#isPlanned = false;
      void this.flush();
    };
    const { delay } = this.#options;
    if (delay === undefined) setImmediate(write);
    else setTimeout(write, delay).unref();
  }

  async #writeBatch(): Promise<void> {
    const entries = this.#nextBatch();
    try {
      await writeRecords(
        this.#options.database,
        entries.map(({ change }) => change),
      );
      this.#written(entries);
    } catch (thrown) {
      this.#failed(entries, thrown instanceof StoreError ? thrown : new StoreError('refused', String(thrown), thrown));
    } finally {
      this.#writing = undefined;
    }
  }

  #nextBatch(): readonly Entry[] {
    const entries: Entry[] = [];
    let size = 0;
    for (const entry of this.#entries.values()) {
      size += entry.size;
      if (entries.length > 0 && (entries.length >= this.#most || size > batch.size)) break;
      entries.push(entry);
    }
    return entries;
  }

  #written(entries: readonly Entry[]): void {
    this.#forget(entries);
    let size = 0;
    for (const entry of entries) {
      size += entry.size;
      if (entry.change.act === 'insert') entry.change.written?.();
      for (const settle of entry.settled.splice(0)) settle();
    }
    this.#most = batch.changes;
    if (this.#lost > 0 && this.#entries.size === 0) {
      this.#options.log.warn(`the store is fast enough again; ${writes(this.#lost)} lost`);
      this.#lost = 0;
    }
    this.#options.onWritten?.(size);
  }

  /** What the database refuses even alone would stop everything after it for ever. */
  #failed(entries: readonly Entry[], error: StoreError): void {
    for (const { settled } of entries) for (const settle of settled.splice(0)) settle(error);
    const [first] = entries;
    if (error.kind !== 'refused' || first === undefined) return;
    this.#most = Math.max(1, Math.floor(entries.length / 2));
    if (entries.length > 1) return;
    this.#forget(entries);
    this.#lose([]);
  }

  /**
   * Unless there is a newer change of its record by now. An empty map is replaced: the table of one that shrinks leads to the next, and
   * where it has grown old all that is written later stays with it until all garbage is collected.
   */
  #forget(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const name = `${entry.change.table} ${entry.change.key}`;
      if (this.#entries.get(name) === entry) this.#remove(name);
    }
    if (this.#entries.size === 0) this.#entries = new Map();
  }

  #remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#size -= entry.size;
  }
}

/** Characters of what is written. */
function sizeOf(change: Change): number {
  switch (change.act) {
    case 'put':
      return change.body.length;
    case 'insert':
      return (change.passages ?? []).reduce((sum, { body }) => sum + body.length, change.size);
    default:
      return 0;
  }
}

function writes(count: number): string {
  return count === 1 ? '1 write was' : `${count} writes were`;
}
