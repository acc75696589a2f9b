import { type BundledRecord, type BundleLayout, digestsIn } from '../stores/bundle-rows.ts';
import type { Database } from '../stores/database.ts';
import { unpackBytes } from '../stores/packed-bytes.ts';
import { readPassages } from '../stores/passage-rows.ts';
import type { Row } from '../stores/sql-client.ts';
import type { RecordHead } from './exchange-record.ts';
import { unpack } from './pack-body.ts';

/** A record as its bundle has it. */
export interface StoredRecord {
  readonly head: RecordHead;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What it is found by, one after the other. */
  readonly names: string;
  /** The row of its bundle, and its place there. */
  readonly row: Row;
  readonly place: number;
}

/** The records of a row, without what was said. */
export function readStored(row: Row): readonly StoredRecord[] {
  const heads = JSON.parse(String(row.heads)) as readonly RecordHead[];
  const names = String(row.names).split(' ');
  return heads.map((head, place) => ({ head, at: Date.parse(head.at), names: names[place] ?? '', row, place }));
}

/** A bundle whose row has what was said. */
export class ReadBundle {
  readonly records: readonly StoredRecord[];
  readonly #owner: string;
  readonly #layout: readonly (BundleLayout | null)[];
  readonly #passages: readonly string[];
  readonly #body: Uint8Array;

  private constructor(row: Row, body: Uint8Array) {
    this.records = readStored(row);
    this.#owner = String(row.owner);
    this.#layout = JSON.parse(String(row.layout)) as readonly (BundleLayout | null)[];
    this.#passages = digestsIn(String(row.passages));
    this.#body = body;
  }

  static async open(row: Row): Promise<ReadBundle> {
    return new ReadBundle(row, row.body instanceof Uint8Array ? await unpackBytes(row.body) : new Uint8Array());
  }

  /** A record with what was said. */
  async whole(place: number, database: Pick<Database, 'run'>): Promise<RecordHead> {
    const head = this.#record(place).head;
    const { body, passages: keys } = this.parts(place);
    if (body === undefined) return head;
    const found = await readPassages(database, { owner: this.#owner, keys });
    const passages = keys.map((key) => found.get(key));
    return { ...head, said: await unpack(body, passages) };
  }

  /** What was said in a record, but its passages, and the keys of these. */
  parts(place: number): Pick<BundledRecord, 'passages'> & { readonly body: Uint8Array | undefined } {
    const own = this.#layout[place] ?? null;
    if (own === null) return { body: undefined, passages: [] };
    const from = this.#layout.slice(0, place).reduce((sum, each) => sum + (each?.bytes ?? 0), 0);
    const body = this.#body.subarray(from, own.bytes === undefined ? undefined : from + own.bytes);
    return { body, passages: own.runs.flatMap(([first, count]) => this.#passages.slice(first, first + count)) };
  }

  #record(place: number): StoredRecord {
    const record = this.records[place];
    if (record === undefined) throw new Error('a bundle has a record in each of its places');
    return record;
  }
}
