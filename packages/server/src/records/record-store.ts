import { type BundledRecord, bundleOf, digestsIn, rewriteBundle } from '../stores/bundle-rows.ts';
import type { Database } from '../stores/database.ts';
import type { Change } from '../stores/keyed-rows.ts';
import { deletePassages, type PassageRow } from '../stores/passage-rows.ts';
import type { Row, SqlValue, Statement } from '../stores/sql-client.ts';
import type { RecordHead } from './exchange-record.ts';
import { KeptBytes } from './kept-bytes.ts';
import { ReadBundle, readStored, type StoredRecord } from './read-bundle.ts';
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

const columnOf = { model: 'model', key: 'owner', upstream: 'upstream', day: 'last_at / 86400000' } as const;

const milliseconds = { day: 86_400_000 };

/** Rows that one statement asks for. */
const mostRows = 400;

/** Bundles that are read at once. */
const mostBundles = 16;

/** What records are looked for by. */
interface Search extends Omit<RecordQuery, 'name' | 'after'> {
  /** Names as they are kept, each of which is enough. */
  readonly names?: readonly string[] | undefined;
  /** Its own id, or one that any of `names` leads to. */
  readonly id?: string | undefined;
  readonly after?: StoredRecord | undefined;
}

/** Records in a database; the SQL of it. All methods reject with a StoreError when the database fails. */
export class RecordStore {
  readonly #database: Pick<Database, 'run'>;

  constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  async list({ name, after, ...query }: RecordQuery): Promise<readonly RecordHead[]> {
    const last = after === undefined ? undefined : await this.#get(after, { ...query, whole: false });
    if (after !== undefined && last === undefined) return [];
    const names =
      name === undefined ? undefined : spellings(name).flatMap((each) => [keptName(each), nameDigest(askedName(each))]);
    const found = await this.#search({ ...query, id: name, names, after: last });
    return query.whole === true ? this.#whole(found) : found.map(({ head }) => head);
  }

  /** With what was said. */
  async get(id: string, scope: Scope): Promise<RecordHead | undefined> {
    const found = await this.#get(id, { scope, whole: true });
    return found && (await this.#whole([found]))[0];
  }

  /**
   * The latest record that each of these links leads to, without what was said; at last, where several were written together. In one
   * question; `since`: only what is not older, in milliseconds since 1970.
   */
  async find(names: readonly string[], since = 0): Promise<ReadonlyMap<string, readonly RecordHead[]>> {
    const parts = names.map(
      (_, at) => `SELECT * FROM (SELECT ${at} AS place, ${headColumns} WHERE names LIKE $${at + 2} AND last_at >= $1
        ORDER BY last_at DESC, key DESC LIMIT 1) AS found_${at}`,
    );
    const values = [since, ...names.map((name) => `%${name}%`)];
    const rows = await this.#rows({ sql: parts.join(' UNION ALL '), values });
    const found = names.map((name, at) => {
      const own = rows.filter(({ place }) => Number(place) === at).flatMap(readStored);
      const its = own.filter((record) => record.names.includes(name)).sort(byTime);
      return [name, its.map(({ head }) => head)] as const;
    });
    return new Map(found);
  }

  /** Deletes one record, or all in scope, with what only they say. Returns how many there were. */
  async delete(scope: Scope, id?: string): Promise<number> {
    if (id !== undefined) return this.#deleteOne(scope, id);
    const values: SqlValue[] = [];
    const where = whereOf(inScope(scope, (value) => `$${values.push(value)}`));
    const rows = await this.#rows({ sql: `DELETE FROM dragoman_bundles${where} RETURNING exchanges`, values });
    await this.#rows({ sql: `DELETE FROM dragoman_passages${where}`, values });
    return rows.reduce((sum, { exchanges }) => sum + Number(exchanges), 0);
  }

  async #deleteOne(scope: Scope, id: string): Promise<number> {
    for (;;) {
      const record = await this.#get(id, { scope, whole: true });
      if (record === undefined) return 0;
      const { row, place } = record;
      const bundle = await ReadBundle.open(row);
      const [first, ...others] = bundle.records
        .filter((each) => each.place !== place)
        .map(({ head, names, place: at }) => {
          const { body, passages } = bundle.parts(at);
          const kept = body && new KeptBytes();
          if (body !== undefined) kept?.add(body);
          return bundledOf(head, { names, headText: JSON.stringify(head), body: kept, passages });
        });
      const left = first && (await bundleOf([first, ...others]));
      const old = { names: String(row.names), heads: String(row.heads) };
      const [rows = []] = await this.#database.run(rewriteBundle(String(row.key), old, left));
      // Otherwise somebody else has deleted another record of this bundle meanwhile.
      if (rows.length === 0) continue;
      await this.#deleteUnused(String(row.owner), bundle.parts(place).passages);
      return 1;
    }
  }

  /** Deletes those of a caller's passages that none of his records holds. */
  async #deleteUnused(owner: string, keys: readonly string[]): Promise<void> {
    const unused = new Set(keys);
    for (let after = ''; unused.size > 0; ) {
      const sql = `SELECT key, passages FROM dragoman_bundles JOIN dragoman_bundle_texts USING (key)
        WHERE owner = $1 AND key > $2 AND passages <> '' ORDER BY key LIMIT ${mostRows}`;
      const rows = await this.#rows({ sql, values: [owner, after] });
      for (const { passages } of rows) for (const key of digestsIn(String(passages))) unused.delete(key);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = String(last.key);
    }
    const statements = deletePassages(owner, [...unused]);
    if (statements.length > 0) await this.#database.run(statements);
  }

  async #get(id: string, query: Pick<Search, 'scope' | 'whole'>): Promise<StoredRecord | undefined> {
    const names = [keptName(id)];
    const found = await this.#search({ ...query, id, names, limit: 2 });
    return found.find(({ head }) => head.id === id);
  }

  /** Bundles overlap: what has been read is in order up to where the next bundle may begin. */
  async #search(search: Search): Promise<readonly StoredRecord[]> {
    const { id, names, after, limit, oldestFirst = false } = search;
    const [edge, sign] = oldestFirst ? (['first_at', 1] as const) : (['last_at', -1] as const);
    const isFound = (record: StoredRecord) =>
      (id === undefined || record.head.id === id || names?.some((name) => record.names.includes(name)) === true) &&
      (after === undefined || byTime(record, after) * sign > 0);
    const found: StoredRecord[] = [];
    for (let last: Row | undefined; ; ) {
      const rows = await this.#bundles(search, { edge, last });
      last = rows.at(-1);
      found.push(...rows.flatMap(readStored).filter(isFound));
      found.sort((a, b) => byTime(a, b) * sign);
      const end = Number(last?.[edge]);
      const isAll = rows.length < Math.min(limit, mostBundles);
      const sure = found.filter(({ at }) => (at - end) * sign < 0).length;
      if (isAll || sure >= limit) return found.slice(0, limit);
    }
  }

  /** The next bundles in which there may be such a record. */
  async #bundles(
    { scope, whole, id, names = [], after, limit }: Search,
    { edge, last }: { readonly edge: 'first_at' | 'last_at'; readonly last: Row | undefined },
  ): Promise<readonly Row[]> {
    const values: SqlValue[] = [];
    const put = (value: SqlValue): string => `$${values.push(value)}`;
    const conditions = [...inScope(scope, put)];
    if (id !== undefined) {
      const named = names.map((name) => `names LIKE ${put(`%${name}%`)}`);
      conditions.push(`(${[`key = ${put(id)}`, ...named].join(' OR ')})`);
    }
    const [order, side] = edge === 'first_at' ? ['ASC', '>'] : ['DESC', '<'];
    if (after !== undefined) {
      conditions.push(edge === 'first_at' ? `last_at >= ${put(after.at)}` : `first_at <= ${put(after.at)}`);
    }
    if (last !== undefined)
      conditions.push(`(${edge}, key) ${side} (${put(Number(last[edge]))}, ${put(String(last.key))})`);
    const sql = `SELECT ${whole === true ? wholeColumns : headColumns}${whereOf(conditions)}
      ORDER BY ${edge} ${order}, key ${order} LIMIT ${put(Math.min(limit, mostBundles))}`;
    return this.#rows({ sql, values });
  }

  async #whole(found: readonly StoredRecord[]): Promise<readonly RecordHead[]> {
    const bundles = new Map<Row, ReadBundle>();
    const whole: RecordHead[] = [];
    for (const { row, place } of found) {
      const bundle = bundles.get(row) ?? (await ReadBundle.open(row));
      bundles.set(row, bundle);
      whole.push(await bundle.whole(place, this.#database));
    }
    return whole;
  }

  /** Counts records that are not older than `since` (milliseconds since 1970), in groups. */
  async count(scope: Scope, { by, since }: { readonly by: readonly Grouping[]; readonly since: number }) {
    const values: SqlValue[] = [since];
    const conditions = ['last_at >= $1', ...inScope(scope, (value) => `$${values.push(value)}`)];
    const groups = by.map((each) => `${columnOf[each]} AS by_${each}`);
    const sums = `SUM(exchanges) AS exchanges, SUM(failed) AS failed, SUM(calls) AS calls, SUM(input_tokens) AS input_tokens,
      SUM(output_tokens) AS output_tokens, SUM(counted) AS counted, SUM(ms) AS ms`;
    const columns = by.map((each) => columnOf[each]).join(', ');
    const order = by.length === 0 ? '' : ` GROUP BY ${columns} ORDER BY ${columns}`;
    const sql = `SELECT ${[...groups, sums].join(', ')} FROM dragoman_bundles${whereOf(conditions)}${order}`;
    return (await this.#rows({ sql, values })).map((row) => countOf(row, by));
  }

  async #rows(statement: Statement): Promise<readonly Row[]> {
    const [rows = []] = await this.#database.run([statement]);
    return rows;
  }
}

/** A name that people ask by, as it is kept: the name itself where it is short and holds nothing that means something in SQL. */
export function keptName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? `=${name};` : hiddenName(name);
}

/** The same without the name. */
export function hiddenName(name: string): string {
  return `=${nameDigest(askedName(name))};`;
}

/** Records that are older than kept names have digests of this. */
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
  /** Under which people find it, as they are kept. */
  readonly names: readonly string[];
  /** What was said, but its passages; absent at the level `metadata`. */
  readonly body?: BundledRecord['body'];
  /** The keys of its passages in order. */
  readonly passages?: readonly string[];
  /** Those of them that may not be in the database yet. */
  readonly unwritten?: readonly PassageRow[];
  readonly written?: () => void;
}

/** A record on its way into the database. */
export function insertRecord(
  head: Omit<RecordHead, 'said'>,
  { headText, links, names, body, passages = [], unwritten = [], written }: RecordParts,
): Change {
  const kept = [keptName(head.id), ...names, ...links].join('');
  return {
    act: 'record',
    table: 'dragoman_bundles',
    key: head.id,
    size: headText.length + (body?.length ?? 0) + kept.length,
    record: bundledOf(head, { headText, names: kept, body, passages }),
    passages: unwritten,
    ...(written === undefined ? {} : { written }),
  };
}

function bundledOf(
  { id, at, key, model, plan, error, ms, calls, usage }: Omit<RecordHead, 'said'>,
  { headText: head, ...parts }: Pick<BundledRecord, 'names' | 'body' | 'passages'> & { readonly headText: string },
): BundledRecord {
  return {
    id,
    owner: ownerOf({ key }),
    model: JSON.stringify(model),
    upstream: JSON.stringify(plan.upstream),
    at: Date.parse(at),
    failed: error !== undefined,
    ms,
    calls,
    tokens: usage && { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 },
    head,
    ...parts,
  };
}

function byTime(a: StoredRecord, b: StoredRecord): number {
  if (a.at !== b.at || a.head.id === b.head.id) return a.at - b.at;
  return a.head.id < b.head.id ? -1 : 1;
}

function inScope(scope: Scope, put: (value: SqlValue) => string): readonly string[] {
  return scope === 'all' ? [] : [`owner = ${put(JSON.stringify(scope.owner))}`];
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

const headColumns = `key, owner, first_at, last_at, names, heads FROM dragoman_bundles JOIN dragoman_bundle_texts USING (key)`;

/** What a whole bundle is read from. */
export const wholeColumns = `layout, passages, body, ${headColumns}`;

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
