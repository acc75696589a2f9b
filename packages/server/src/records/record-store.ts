import type { Database } from '../stores/database.ts';
import type { Change } from '../stores/keyed-rows.ts';
import { deletePassages, type PassageRow, readPassages } from '../stores/passage-rows.ts';
import { inParts, placesOf, type Row, type SqlValue, type Statement } from '../stores/sql-client.ts';
import type { RecordHead } from './exchange-record.ts';
import { unpack, unpackOld } from './pack-body.ts';
import { keyLength } from './passages.ts';
import { readRecord } from './read-record.ts';
import { nameDigest } from './redact-record.ts';

/** Whose records may be seen: those of one key by its name, or of all. */
export type Scope = { readonly owner: string } | 'all';

export interface RecordQuery {
  readonly scope: Scope;
  /** Only those that are known by this name: an id of any kind. */
  readonly name?: string;
  /** The oldest first. Default: the latest. */
  readonly oldestFirst?: boolean;
  /** Only those after this one in the order that is asked for. */
  readonly after?: string;
  readonly limit: number;
  /** With what was said. */
  readonly whole?: boolean;
}

/** What records can be counted by. */
export const groupings = ['model', 'key', 'day', 'upstream'] as const;
export type Grouping = (typeof groupings)[number];

/** How much was asked for, of one group. */
export interface RecordCount {
  readonly model?: string;
  readonly key?: string;
  /** UTC, such as `2026-11-22`. */
  readonly day?: string;
  readonly upstream?: string;
  readonly exchanges: number;
  readonly failed: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Exchanges of which the tokens are known. */
  readonly withUsage: number;
  /** Milliseconds, on the average. */
  readonly ms: number;
}

const columnOf = { model: 'model', key: 'owner', upstream: 'upstream', day: 'at / 86400000' } as const;

const milliseconds = { day: 86_400_000 };

/** Records whose passages are looked through at a time. */
const mostRows = 400;

/** Records in a database; the SQL of it. All methods reject with a StoreError when the database fails. */
export class RecordStore {
  readonly #database: Pick<Database, 'run'>;

  constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  async list(query: RecordQuery): Promise<readonly RecordHead[]> {
    const values: SqlValue[] = [];
    const put = (value: SqlValue): string => `$${values.push(value)}`;
    const conditions = [...inScope(query.scope, put)];
    if (query.name !== undefined) {
      const names = spellings(query.name).map((name) => nameDigest(askedName(name)));
      // Records that are older than their column of names.
      const older = `SELECT exchange_key FROM dragoman_exchange_links WHERE name IN (${names.map(put).join(', ')})`;
      const named = names.map((name) => `names LIKE ${put(`%${name}%`)}`).join(' OR ');
      conditions.push(`(key = ${put(query.name)} OR ${named} OR key IN (${older}))`);
    }
    if (query.after !== undefined) {
      const side = query.oldestFirst === true ? '>' : '<';
      const key = put(query.after);
      conditions.push(`(at, key) ${side} (SELECT at, key FROM dragoman_exchanges WHERE key = ${key})`);
    }
    const order = query.oldestFirst === true ? 'ASC' : 'DESC';
    const sql = `SELECT ${query.whole === true ? wholeColumns : 'head'} FROM dragoman_exchanges${whereOf(conditions)}
      ORDER BY at ${order}, key ${order} LIMIT ${put(query.limit)}`;
    return Promise.all((await this.#rows({ sql, values })).map((row) => recordOf(row, this.#database)));
  }

  /** With what was said. */
  async get(id: string, scope: Scope): Promise<RecordHead | undefined> {
    const values: SqlValue[] = [id];
    const conditions = ['key = $1', ...inScope(scope, (value) => `$${values.push(value)}`)];
    const [row] = await this.#rows({
      sql: `SELECT ${wholeColumns} FROM dragoman_exchanges${whereOf(conditions)}`,
      values,
    });
    return row === undefined ? undefined : recordOf(row, this.#database);
  }

  /** The latest records that each of these links leads to, without what was said; at most so many of each, in one question. */
  async find(names: readonly string[], most: number): Promise<ReadonlyMap<string, readonly RecordHead[]>> {
    const parts = names.map(
      (_, at) => `SELECT * FROM (SELECT ${at} AS place, head FROM dragoman_exchanges WHERE key IN (
        SELECT exchange_key FROM dragoman_exchange_links WHERE name = $${at + 1}
      ) ORDER BY at DESC, key DESC LIMIT ${most}) AS found_${at}`,
    );
    const rows = await this.#rows({ sql: parts.join(' UNION ALL '), values: names.map(nameDigest) });
    const found = names.map((name, at) => {
      const own = rows.filter(({ place }) => Number(place) === at);
      return [name, own.map(({ head }) => readRecord(String(head)))] as const;
    });
    return new Map(found);
  }

  /** Deletes one record, or all in scope, with what only they say. Returns how many there were. */
  async delete(scope: Scope, id?: string): Promise<number> {
    const values: SqlValue[] = [];
    const put = (value: SqlValue): string => `$${values.push(value)}`;
    const conditions = [...(id === undefined ? [] : [`key = ${put(id)}`]), ...inScope(scope, put)];
    const sql = `DELETE FROM dragoman_exchanges${whereOf(conditions)} RETURNING owner, passages`;
    const rows = await this.#rows({ sql, values });
    if (id === undefined) {
      const all: SqlValue[] = [];
      const its = inScope(scope, (value) => `$${all.push(value)}`);
      await this.#rows({ sql: `DELETE FROM dragoman_passages${whereOf(its)}`, values: all });
    } else {
      for (const { owner, passages } of rows) await this.#deleteUnused(String(owner), keysIn(passages));
    }
    const exists = 'SELECT 1 FROM dragoman_exchanges WHERE key = exchange_key';
    await this.#rows({ sql: `DELETE FROM dragoman_exchange_links WHERE NOT EXISTS (${exists})` });
    return rows.length;
  }

  /** Deletes those of a caller's passages that none of his records holds. */
  async #deleteUnused(owner: string, keys: readonly string[]): Promise<void> {
    const unused = new Set(keys);
    for (let after = ''; unused.size > 0; ) {
      const sql = `SELECT key, passages FROM dragoman_exchanges WHERE owner = $1 AND key > $2 AND passages IS NOT NULL
        ORDER BY key LIMIT ${mostRows}`;
      const rows = await this.#rows({ sql, values: [owner, after] });
      for (const { passages } of rows) for (const key of keysIn(passages)) unused.delete(key);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = String(last.key);
    }
    const statements = deletePassages(owner, [...unused]);
    if (statements.length > 0) await this.#database.run(statements);
  }

  /** Counts records that are not older than `since` (milliseconds since 1970), in groups. */
  async count(scope: Scope, { by, since }: { readonly by: readonly Grouping[]; readonly since: number }) {
    const values: SqlValue[] = [since];
    const conditions = ['at >= $1', ...inScope(scope, (value) => `$${values.push(value)}`)];
    const groups = by.map((each) => `${columnOf[each]} AS by_${each}`);
    const sums = `COUNT(*) AS exchanges, SUM(failed) AS failed, SUM(calls) AS calls, SUM(input_tokens) AS input_tokens,
      SUM(output_tokens) AS output_tokens, SUM(counted) AS counted, SUM(ms) AS ms`;
    const columns = by.map((each) => columnOf[each]).join(', ');
    const order = by.length === 0 ? '' : ` GROUP BY ${columns} ORDER BY ${columns}`;
    const sql = `SELECT ${[...groups, sums].join(', ')} FROM dragoman_exchanges${whereOf(conditions)}${order}`;
    return (await this.#rows({ sql, values })).map((row) => countOf(row, by));
  }

  async #rows(statement: Statement): Promise<readonly Row[]> {
    const [rows = []] = await this.#database.run([statement]);
    return rows;
  }
}

/**
 * A name that people ask by, as a record is found by it. Clients choose some of them: this one is never a name that
 * places a record in a conversation.
 */
function askedName(name: string): string {
  return `asked ${name}`;
}

/** A name as it is asked for, and the digits after the prefix that a wire writes before the id of a reply. */
function spellings(name: string): readonly string[] {
  const digits = /[_-]([0-9a-f]{24})$/.exec(name)?.[1];
  return digits === undefined ? [name] : [name, digits];
}

/** The owner of a record's row and of its passages: of them the database keeps a JSON string. */
export function ownerOf({ key = '' }: Pick<RecordHead, 'key'>): string {
  return JSON.stringify(key);
}

/** What is written with a record. */
export interface RecordParts {
  /** The record itself as JSON. */
  readonly headText: string;
  /** Under which the next one of its conversation finds it. */
  readonly links: readonly string[];
  /** Under which people find it. */
  readonly names: readonly string[];
  /** What was said, but its passages; absent at the level `metadata`. */
  readonly packed?: Uint8Array | undefined;
  /** The keys of its passages in order. */
  readonly passages?: readonly string[];
  /** Those of them that may not be in the database yet. */
  readonly unwritten?: readonly PassageRow[];
  readonly written?: () => void;
}

const headColumns = `key, at, owner, model, upstream, failed, ms, calls, counted, input_tokens, output_tokens, head, body, size, names`;
const insertHead = insertOf(headColumns);
const insertWhole = insertOf(`${headColumns}, packed, passages`);

function insertOf(columns: string): string {
  return `INSERT INTO dragoman_exchanges (${columns}) VALUES (${placesOf(columns.split(', '))}) ON CONFLICT (key) DO NOTHING`;
}

/** A record on its way into the database. */
export function insertRecord(
  record: Omit<RecordHead, 'said'>,
  { headText, links, names, packed, passages = [], unwritten = [], written }: RecordParts,
): Change {
  const { usage, error } = record;
  const keys = passages.join('');
  const size = headText.length + (packed?.length ?? 0) + keys.length;
  const at = Date.parse(record.at);
  const row: readonly SqlValue[] = [
    record.id,
    at,
    ownerOf(record),
    JSON.stringify(record.model),
    JSON.stringify(record.plan.upstream),
    error === undefined ? 0 : 1,
    Math.round(record.ms),
    record.calls,
    usage === undefined ? 0 : 1,
    usage?.inputTokens ?? 0,
    usage?.outputTokens ?? 0,
    headText,
    '',
    size,
    names.map((name) => nameDigest(askedName(name))).join(''),
    ...(packed === undefined ? [] : [packed, keys]),
  ];
  const statements = [
    { sql: packed === undefined ? insertHead : insertWhole, values: row },
    ...linkStatements(links, { id: record.id, at }),
  ];
  return {
    act: 'insert',
    table: 'dragoman_exchanges',
    key: record.id,
    size,
    statements,
    passages: unwritten,
    ...(written === undefined ? {} : { written }),
  };
}

/** Under which the record with this id is found by those that follow it. */
function linkStatements(
  links: readonly string[],
  { id, at }: { readonly id: string; readonly at: number },
): readonly Statement[] {
  return inParts([...new Set(links)].map(nameDigest)).map((part) => {
    const rows = part.map((_, index) => `($${index + 3}, $1, $2)`).join(', ');
    const sql = `INSERT INTO dragoman_exchange_links (name, exchange_key, at) VALUES ${rows}`;
    return { sql, values: [id, at, ...part] };
  });
}

function inScope(scope: Scope, put: (value: SqlValue) => string): readonly string[] {
  return scope === 'all' ? [] : [`owner = ${put(JSON.stringify(scope.owner))}`];
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** The columns of a whole record. */
export const wholeColumns = 'key, owner, head, body, packed, passages';

/** A record out of its row, with what was said where the row has that. */
export async function recordOf(
  { owner, head, body, packed, passages }: Row,
  database: Pick<Database, 'run'>,
): Promise<RecordHead> {
  if (packed instanceof Uint8Array && passages === null) {
    return { ...readRecord(String(head)), said: await unpackOld(packed) };
  }
  if (packed instanceof Uint8Array) {
    const keys = keysIn(passages);
    const found = await readPassages(database, { owner: String(owner), keys });
    const said = await unpack(
      packed,
      keys.map((key) => found.get(key)),
    );
    return { ...readRecord(String(head)), said };
  }
  if (typeof body !== 'string' || body === '') return readRecord(String(head));
  return readRecord(`${String(head).slice(0, -1)},"said":${body}}`);
}

/** The keys of a record's passages, as its row has them; none in rows that are older. */
function keysIn(passages: unknown): readonly string[] {
  const text = typeof passages === 'string' ? passages : '';
  return Array.from({ length: text.length / keyLength }, (_, at) => text.slice(at * keyLength, (at + 1) * keyLength));
}

function countOf(row: Row, by: readonly Grouping[]): RecordCount {
  const number = (name: string) => Number(row[name] ?? 0);
  const exchanges = number('exchanges');
  const groups = by.map((each) => {
    const value = row[`by_${each}`];
    const text = each === 'day' ? dayOf(Number(value)) : JSON.parse(String(value));
    return [each, String(text)] as const;
  });
  return {
    ...Object.fromEntries(groups),
    exchanges,
    failed: number('failed'),
    calls: number('calls'),
    inputTokens: number('input_tokens'),
    outputTokens: number('output_tokens'),
    withUsage: number('counted'),
    ms: exchanges === 0 ? 0 : Math.round(number('ms') / exchanges),
  };
}

function dayOf(days: number): string {
  return new Date(days * milliseconds.day).toISOString().slice(0, 10);
}
