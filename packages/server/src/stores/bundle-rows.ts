import { packBytes } from './packed-bytes.ts';
import type { SqlValue, Statement } from './sql-client.ts';

/** Bytes, wherever they are. */
export interface BundledBytes {
  readonly length: number;
  copyTo(target: Uint8Array, from: number): void;
}

/** A record on its way into the database. */
export interface BundledRecord {
  readonly id: string;
  /** As JSON strings: a bundle has records of one of each. */
  readonly owner: string;
  readonly model: string;
  readonly upstream: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly failed: boolean;
  readonly ms: number;
  readonly calls: number;
  /** Undefined where they are not known. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
  /** What it is found by, one after the other, without spaces. */
  readonly names: string;
  /** JSON text: who asked what, and how it went. */
  readonly head: string;
  /** What was said, but its passages; absent where no word of it is kept. */
  readonly body?: BundledBytes | undefined;
  /** The keys of its passages in order. */
  readonly passages: readonly string[];
}

/** Where a record is in the body of its bundle, and which of the bundle's passages are its own: from where on how many. */
export interface BundleLayout {
  /** Absent: all that there is. */
  readonly bytes?: number;
  readonly runs: readonly (readonly [number, number])[];
}

/** Records that are one row. */
export interface Bundle {
  readonly key: string;
  readonly columns: Readonly<Record<(typeof columnNames)[number], SqlValue>>;
  readonly texts: Readonly<Record<(typeof textNames)[number], SqlValue>>;
  readonly body: Uint8Array | undefined;
}

const columnNames = [
  'owner',
  'model',
  'upstream',
  'first_at',
  'last_at',
  'exchanges',
  'failed',
  'ms',
  'calls',
  'counted',
  'input_tokens',
  'output_tokens',
  'size',
  'names',
] as const;

const textNames = ['heads', 'layout', 'passages'] as const;

/** Characters of the key of a passage: 132 bits of a digest. */
export const digestLength = 22;

export function digestsIn(text: string): readonly string[] {
  return Array.from({ length: text.length / digestLength }, (_, at) =>
    text.slice(at * digestLength, (at + 1) * digestLength),
  );
}

/** Fewer bytes of one record stand in it as they are: to set up a compressor costs more than it saves. */
const plain = 8192;

const dayLength = 86_400_000;

/** Those of one caller, model, upstream and day together, in their order. */
export async function bundlesOf(records: readonly BundledRecord[]): Promise<readonly Bundle[]> {
  const groups = new Map<string, [BundledRecord, ...BundledRecord[]]>();
  for (const record of records) {
    const { owner, model, upstream, at } = record;
    const name = `${owner} ${model} ${upstream} ${Math.floor(at / dayLength)}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [record]);
    else group.push(record);
  }
  return Promise.all([...groups.values()].map(bundleOf));
}

/** All of one group. */
export async function bundleOf(records: readonly [BundledRecord, ...BundledRecord[]]): Promise<Bundle> {
  const [{ id: key, owner, model, upstream }] = records;
  const keys = new Map<string, number>();
  for (const { passages } of records) for (const each of passages) if (!keys.has(each)) keys.set(each, keys.size);
  const layout = records.map(({ body, passages }): BundleLayout | null =>
    body === undefined ? null : { bytes: body.length, runs: runsOf(passages, keys) },
  );
  const bodies = records.flatMap(({ body }) => (body === undefined ? [] : [body]));
  const body = bodies.length === 0 ? undefined : await packTogether(bodies);
  const texts = {
    heads: `[${records.map(({ head }) => head).join(',')}]`,
    layout: JSON.stringify(layout),
    passages: [...keys.keys()].join(''),
  };
  const names = records.map((record) => record.names).join(' ');
  const sum = (of: (record: BundledRecord) => number) => records.reduce((all, each) => all + of(each), 0);
  const times = records.map(({ at }) => at);
  const columns = {
    owner,
    model,
    upstream,
    first_at: Math.min(...times),
    last_at: Math.max(...times),
    exchanges: records.length,
    failed: sum(({ failed }) => (failed ? 1 : 0)),
    ms: sum(({ ms }) => Math.round(ms)),
    calls: sum(({ calls }) => calls),
    counted: sum(({ tokens }) => (tokens === undefined ? 0 : 1)),
    input_tokens: sum(({ tokens }) => tokens?.input ?? 0),
    output_tokens: sum(({ tokens }) => tokens?.output ?? 0),
    size: Object.values(texts).reduce((all, { length }) => all + length, names.length + (body?.length ?? 0)),
    names,
  };
  return { key, columns, texts, body };
}

/** Where bodies are put together: memory of its own for each bundle would be much garbage. */
let desk: Uint8Array | undefined;
const deskLength = 4 * 1024 * 1024;

async function packTogether(bodies: readonly BundledBytes[]): Promise<Uint8Array> {
  const length = bodies.reduce((sum, each) => sum + each.length, 0);
  // Another bundle may be there.
  const own = desk ?? Buffer.allocUnsafeSlow(deskLength);
  desk = undefined;
  const all = length > own.length ? Buffer.allocUnsafeSlow(length) : own.subarray(0, length);
  let at = 0;
  for (const body of bodies) {
    body.copyTo(all, at);
    at += body.length;
  }
  try {
    return await packBytes(all, { plain });
  } finally {
    desk = own;
  }
}

function runsOf(passages: readonly string[], keys: ReadonlyMap<string, number>): BundleLayout['runs'] {
  const runs: [number, number][] = [];
  for (const passage of passages) {
    const place = keys.get(passage) ?? 0;
    const run = runs.at(-1);
    if (run !== undefined && run[0] + run[1] === place) run[1] += 1;
    else runs.push([place, 1]);
  }
  return runs;
}

/** Writes a bundle in the place of what its first record was written with before, should that not have been heard of. */
export function writeBundle({ key, columns, texts, body }: Bundle): readonly Statement[] {
  const named = body === undefined ? texts : { ...texts, body };
  return [upsert('dragoman_bundles', { key, ...columns }), upsert('dragoman_bundle_texts', { key, ...named })];
}

/** Writes less of it in its place, unless somebody else was first; as many rows come back as are written. `names`: what it had. */
export function rewriteBundle(
  key: string,
  { names, heads }: { readonly names: string; readonly heads: string },
  left: Bundle | undefined,
): readonly Statement[] {
  if (left === undefined) {
    return [{ sql: 'DELETE FROM dragoman_bundles WHERE key = $1 AND names = $2 RETURNING key', values: [key, names] }];
  }
  const named = left.body === undefined ? left.texts : { ...left.texts, body: left.body };
  return [
    update('dragoman_bundle_texts', { key, heads }, named),
    update('dragoman_bundles', { key, names }, left.columns),
  ];
}

type Columns = Readonly<Record<string, SqlValue>>;

function update(table: string, old: Columns, row: Columns): Statement {
  const values = [...Object.values(row), ...Object.values(old)];
  const changes = Object.keys(row).map((name, at) => `${name} = $${at + 1}`);
  const first = changes.length + 1;
  const conditions = Object.keys(old).map((name, at) => `${name} = $${first + at}`);
  return {
    sql: `UPDATE ${table} SET ${changes.join(', ')} WHERE ${conditions.join(' AND ')} RETURNING key`,
    values,
  };
}

function upsert(table: string, row: Columns): Statement {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  const changes = names.slice(1).map((name) => `${name} = excluded.${name}`);
  return {
    sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})
      ON CONFLICT (key) DO UPDATE SET ${changes.join(', ')}`,
    values: Object.values(row),
  };
}
