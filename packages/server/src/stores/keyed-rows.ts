import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { type PassageRow, writePassages } from './passage-rows.ts';
import { inParts, placesOf, type Row, type Statement } from './sql-client.ts';

/** The tables whose rows are a key, a body, its size and when it was last used. */
export type Table = 'dragoman_responses' | 'dragoman_call_ids' | 'dragoman_points' | 'dragoman_facts';

/** The further keys under which records of a table are found: the table that holds them, and its two columns. */
const keyTables = {
  dragoman_responses: { name: 'dragoman_items', item: 'item_key', record: 'response_key' },
  dragoman_points: { name: 'dragoman_point_keys', item: 'link_key', record: 'point_key' },
  dragoman_call_ids: undefined,
  dragoman_facts: undefined,
} as const;

/** One thing to be written. */
export type Change =
  | {
      readonly act: 'put';
      readonly table: Table;
      readonly key: string;
      /** JSON text. */
      readonly body: string;
      /** Further keys under which it is found: those of a response's items, or of the histories that lead to a point. */
      readonly itemKeys: readonly string[];
      /** The key of the response that a response continues. */
      readonly previousKey?: string;
      /** Milliseconds since 1970. */
      readonly at: number;
    }
  | { readonly act: 'use'; readonly table: Table; readonly key: string; readonly at: number }
  | { readonly act: 'delete'; readonly table: Table; readonly key: string }
  | {
      readonly act: 'insert';
      readonly table: 'dragoman_exchanges';
      readonly key: string;
      /** Characters of it. */
      readonly size: number;
      readonly statements: readonly Statement[];
      /** What it has in common with others, as far as that may not be there yet: written before it. */
      readonly passages?: readonly PassageRow[];
      /** Called when it is there. */
      readonly written?: () => void;
    };

/** The key of what one caller stores under an id: no two pairs share one, and it is short however long they are. */
export function recordKey(owner: string, id: string): string {
  return createHash('sha256').update(ownedName(owner, id)).digest('base64url');
}

/** An id and whose it is: no two pairs share one. */
export function ownedName(owner: string, id: string): string {
  return `${owner.length} ${owner} ${id}`;
}

/** Writes all changes or none; no two of them may be about one record. */
export async function writeRecords(database: Database, changes: readonly Change[]): Promise<void> {
  // In one order everywhere, so that two processes that write the same rows wait for each other instead of blocking.
  const sorted = [...changes].sort((a, b) => compare(`${a.table} ${a.key}`, `${b.table} ${b.key}`));
  const passages = sorted.flatMap((change) => (change.act === 'insert' ? (change.passages ?? []) : []));
  await database.run([...writePassages(passages), ...sorted.flatMap(statementsOf)]);
}

/** The bodies of those records that are there. */
export async function readRecords(
  database: Database,
  { table, keys }: { readonly table: Table; readonly keys: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await select(database, keys, (list) => `SELECT key, body FROM ${table} WHERE key IN (${list})`);
  return new Map(rows.map(({ key, body }) => [String(key), String(body)]));
}

/** What one statement follows of a chain at most; characters. */
const piece = { links: 256, size: 8 * 1024 * 1024 };

/**
 * Responses along a chain, from the one with this key on, as keys and bodies: as far as the rows say what they continue,
 * and one statement goes.
 */
export async function readChain(database: Database, key: string): Promise<readonly (readonly [string, string])[]> {
  const sql = `WITH RECURSIVE chain (key, body, previous_key, links, total) AS (
      SELECT key, body, previous_key, 1, size FROM dragoman_responses WHERE key = $1
      UNION ALL
      SELECT earlier.key, earlier.body, earlier.previous_key, links + 1, total + earlier.size
      FROM chain JOIN dragoman_responses AS earlier ON earlier.key = chain.previous_key
      WHERE links < ${piece.links} AND total < ${piece.size}
    ) SELECT key, body FROM chain ORDER BY links`;
  const [rows = []] = await database.run([{ sql, values: [key] }]);
  return rows.map((row) => [String(row.key), String(row.body)]);
}

/** The keys of the responses that hold any of these items. */
export async function findHolders(database: Database, itemKeys: readonly string[]): Promise<readonly string[]> {
  const rows = await select(
    database,
    itemKeys,
    (list) => `SELECT DISTINCT response_key AS key FROM dragoman_items WHERE item_key IN (${list})`,
  );
  return [...new Set(rows.map(({ key }) => String(key)))];
}

async function select(
  database: Database,
  keys: readonly string[],
  sqlOf: (list: string) => string,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const values of inParts(keys)) {
    const [found = []] = await database.run([{ sql: sqlOf(placesOf(values)), values }]);
    rows.push(...found);
  }
  return rows;
}

function statementsOf(change: Change): readonly Statement[] {
  const { table, key } = change;
  switch (change.act) {
    case 'delete':
      return [{ sql: `DELETE FROM ${table} WHERE key = $1`, values: [key] }];
    case 'use':
      return [{ sql: `UPDATE ${table} SET used_at = $1 WHERE key = $2 AND used_at < $1`, values: [change.at, key] }];
    case 'put':
      return [
        {
          sql: `INSERT INTO ${table} (key, body, size, used_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (key) DO UPDATE SET body = excluded.body, size = excluded.size, used_at = excluded.used_at`,
          values: [key, change.body, change.body.length, change.at],
        },
        ...(change.previousKey === undefined ? [] : [previousStatement(key, change.previousKey)]),
        ...keyStatements(change),
      ];
    case 'insert':
      return change.statements;
    default:
      return change satisfies never;
  }
}

function previousStatement(key: string, previousKey: string): Statement {
  return { sql: 'UPDATE dragoman_responses SET previous_key = $1 WHERE key = $2', values: [previousKey, key] };
}

/** A record that comes again may have other keys than before. */
function keyStatements({ table, key, itemKeys }: Change & { readonly act: 'put' }): readonly Statement[] {
  const keyTable = keyTables[table];
  if (keyTable === undefined) return [];
  const { name, item, record } = keyTable;
  const inserts = inParts([...new Set(itemKeys)]).map((part) => {
    const rows = part.map((_, at) => `($${at + 2}, $1)`).join(', ');
    return { sql: `INSERT INTO ${name} (${item}, ${record}) VALUES ${rows}`, values: [key, ...part] };
  });
  return [{ sql: `DELETE FROM ${name} WHERE ${record} = $1`, values: [key] }, ...inserts];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
