import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import type { Database } from '../stores/database.ts';
import type { Change } from '../stores/keyed-rows.ts';
import type { PassageRow } from '../stores/passage-rows.ts';
import type { WriteQueue } from '../stores/write-queue.ts';
import type { RecordedConversation, RecordHead } from './exchange-record.ts';
import { pack, packBytes } from './pack-body.ts';
import { KnownPassages } from './passages.ts';
import { placeAfter, type RecordPlace } from './place-record.ts';
import { insertRecord, ownerOf, type RecordQuery, RecordStore, type Scope } from './record-store.ts';
import { type Ending, Recorder, type RecorderOptions } from './recorder.ts';
import { createRecordRedact, type SaidRecord } from './redact-record.ts';

export interface RecordsOptions {
  readonly level: RecordHead['level'];
  /** The most characters of one record, about. */
  readonly room: number;
  readonly database: Database;
  readonly queue: WriteQueue;
  readonly redact: Redact;
  /** Milliseconds after which the database is told anew that a passage is used. */
  readonly renewedAfter: number;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly randomHex: (length: number) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Called when all is written for the last time. */
  readonly onClosed: () => Promise<void>;
}

export interface RecordsHealth {
  /** Exchanges that are over and not in the database yet. */
  readonly waiting: number;
  /** Exchanges since the start that are not recorded, as more came than the database took. */
  readonly lost: number;
}

/** A request for a reply that is over. */
interface Ended {
  readonly recorder: Recorder;
  readonly ending: Ending;
  /** Bytes that it keeps, about. */
  readonly size: number;
}

/** Milliseconds of one turn in which records are made. */
const turn = 8;

/** Milliseconds in which records wait for others. */
const together = 10;

/** Replies that have ended and wait to be recorded, and their bytes, about; what comes while there is more is not recorded. */
const mostWaiting = { replies: 1024, size: 64 * 1024 * 1024 };

/** Milliseconds that a record waits for the database to tell which exchange it goes on from. */
const patience = 2_000;

/**
 * Names that are remembered, so that the next request of a conversation needs no database to be placed; and how many of the oldest go at
 * once, when there are more: each look for the oldest walks over all that has gone from the map.
 */
const mostNames = 20_000;
const goAtOnce = 4_000;

/**
 * Records of exchanges with upstreams. Nobody waits for one: it is made after its reply has left, one at a time, and written in
 * its own time. A record that cannot be made is told in the log and breaks nothing.
 */
export class Records {
  readonly #options: RecordsOptions;
  readonly #store: RecordStore;
  readonly #redact: ReturnType<typeof createRecordRedact>;
  readonly #passages: KnownPassages;
  /** Places of records by the names that lead to them, the latest last. */
  readonly #known = new Map<string, RecordPlace>();
  /** Names that led to nothing in a database that is ours alone. */
  readonly #unknown = new Set<string>();
  /** Of which no record has been made, the oldest first. */
  readonly #ended: Ended[] = [];
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #waitingSize = 0;
  #lost = 0;

  constructor(options: RecordsOptions) {
    this.#options = options;
    this.#store = new RecordStore(options.database);
    this.#redact = createRecordRedact(options.redact);
    this.#passages = new KnownPassages(options);
    // It may be another one now, in which nothing is.
    options.database.onRecovery(() => this.#passages.clear());
  }

  /** Begins to watch a request for a reply. */
  begin(request: Omit<RecorderOptions, 'level' | 'room' | 'at'>): Recorder {
    const { level, room, now } = this.#options;
    return new Recorder({ ...request, level, room, at: now() });
  }

  /** Its reply is over. Never throws. */
  end(recorder: Recorder, ending: Ending): void {
    const { size } = recorder;
    const isFull = this.#waiting >= mostWaiting.replies || this.#waitingSize + size > mostWaiting.size;
    if (isFull && this.#waiting > 0) {
      this.#lose();
      return;
    }
    this.#waiting += 1;
    this.#waitingSize += size;
    this.#ended.push({ recorder, ending, size });
    if (this.#ended.length === 1) this.#work = this.#work.then(() => this.#keepEnded());
  }

  async list(query: RecordQuery): Promise<readonly RecordHead[]> {
    await this.written();
    return this.#store.list(query);
  }

  async get(id: string, scope: Scope): Promise<RecordHead | undefined> {
    await this.written();
    return this.#store.get(id, scope);
  }

  async delete(scope: Scope, id?: string): Promise<number> {
    // In its turn: a record that was made meanwhile could hold a passage that goes.
    const deleted = this.#work.then(async () => {
      await this.#options.queue.flush();
      this.#known.clear();
      this.#passages.clear();
      return this.#store.delete(scope, id);
    });
    this.#work = deleted.then(ignore, ignore);
    return deleted;
  }

  async count(...asked: Parameters<RecordStore['count']>): ReturnType<RecordStore['count']> {
    await this.written();
    return this.#store.count(...asked);
  }

  /** How they are doing, for `/health`. */
  health(): RecordsHealth {
    const { queue } = this.#options;
    return { waiting: this.#waiting + queue.waiting, lost: this.#lost + queue.lost };
  }

  /** Waits until all that has ended is in the database, unless that fails. */
  async written(): Promise<void> {
    await this.#work;
    await this.#options.queue.flush();
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#options.queue.close();
    await this.#options.onClosed();
  }

  /** Makes records of all that has ended: what waits keeps all that its request took. */
  async #keepEnded(): Promise<void> {
    await soon();
    let until = performance.now() + turn;
    // Nothing that has been recorded is kept by the list of those that follow.
    const ended = this.#ended.splice(0).reverse();
    for (let each = ended.pop(); each !== undefined; each = ended.pop()) {
      if (performance.now() > until) {
        await nextTurn();
        until = performance.now() + turn;
      }
      try {
        await this.#keep(each);
      } catch (thrown) {
        this.#options.log.error(`a record could not be written: ${thrown instanceof Error ? thrown.message : thrown}`);
      }
      this.#waiting -= 1;
      this.#waitingSize -= each.size;
    }
  }

  async #keep({ recorder, ending }: Ended): Promise<void> {
    if (!recorder.isPrepared) return;
    const { identity, names } = recorder;
    const place = await this.#place(names.before, identity);
    const record = recorder.record(ending, { id: `exch_${this.#options.randomHex(24)}`, place });
    this.#remember(record.head, names.own);
    const change = await this.#changeOf(record, names.own);
    if (!this.#options.queue.push(change)) this.#lose();
  }

  async #changeOf(record: SaidRecord, links: readonly string[]): Promise<Change> {
    const { redact, now } = this.#options;
    const known = this.#passages;
    known.looksFor(redact.knows?.());
    const before = ownerOf(record.head);
    const names = publicNames(record.head);
    const { head, headText, body } = this.#redact(record, ({ key }) => known.get(before, key) !== undefined);
    if (body === undefined) return insertRecord(head, { headText, links, names });
    // A secret like its name changes the name of an owner.
    const owner = ownerOf(head);
    const unwritten: PassageRow[] = [];
    for (const { key, bytes } of body.passages) {
      const its = known.get(owner, key);
      if (its !== undefined && its.packed === undefined) continue;
      const packed = its?.packed ?? (await packBytes(bytes));
      if (its === undefined) known.add(owner, key, packed);
      unwritten.push({ owner, key, body: packed, at: now() });
    }
    return insertRecord(head, {
      headText,
      links,
      names,
      packed: await pack(body),
      passages: body.passages.map(({ key }) => key),
      unwritten,
      written: () =>
        known.written(
          owner,
          unwritten.map(({ key }) => key),
        ),
    });
  }

  async #place(before: readonly string[], identity: string | undefined) {
    let place: Pick<RecordedConversation, 'id' | 'step' | 'parent'> | undefined;
    const firstKnown = before.findIndex((name) => this.#known.has(name));
    const stored = await this.#stored(firstKnown < 0 ? before : before.slice(0, firstKnown));
    for (const name of before) {
      const known = this.#known.get(name);
      place ??= placeAfter(known === undefined ? (stored.get(name) ?? []) : [known], identity);
    }
    return place ?? { id: `conv_${this.#options.randomHex(24)}`, step: 1 };
  }

  /** What the database knows under these names, of each the latest last; nothing while it fails or takes its time. */
  async #stored(all: readonly string[]): Promise<ReadonlyMap<string, readonly RecordHead[]>> {
    const { database, wait } = this.#options;
    const names = all.filter((name) => !this.#unknown.has(name));
    if (database.fails || names.length === 0) return new Map();
    const none = new Map<string, readonly RecordHead[]>();
    const found = await Promise.race([this.#store.find(names, 8).catch(() => none), wait(patience).then(() => none)]);
    for (const [name, records] of found) if (records.length === 0 && !database.client.shared) this.#unknown.add(name);
    if (this.#unknown.size > mostNames) this.#unknown.clear();
    return new Map([...found].map(([name, records]) => [name, [...records].reverse()]));
  }

  #remember({ id, conversation }: RecordPlace, names: readonly string[]): void {
    // Not the whole head: there are thousands of names.
    const place = { id, conversation };
    for (const name of names) {
      this.#unknown.delete(name);
      this.#known.delete(name);
      this.#known.set(name, place);
    }
    if (this.#known.size <= mostNames) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      if (this.#known.size <= mostNames - goAtOnce) return;
    }
  }

  #lose(): void {
    if (this.#lost === 0) this.#options.log.warn('records are lost: the store is too slow');
    this.#lost += 1;
  }
}

function ignore(): void {}

/** A few milliseconds, in which others end: what is made together costs less. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, together));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What people may ask for a record by, beside its own id. */
function publicNames({ requestId, replyId, upstreamReplyId, conversation, error }: RecordHead): readonly string[] {
  const { identity, upstream } = conversation;
  const names = [requestId, replyId, upstreamReplyId, conversation.id, identity, upstream?.id, error?.id];
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}
