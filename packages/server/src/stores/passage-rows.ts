import type { Database } from './database.ts';
import { inParts, placesOf, type Statement } from './sql-client.ts';

/** A passage of records as its row has it. */
export interface PassageRow {
  /** A JSON string. */
  readonly owner: string;
  readonly key: string;
  readonly body: Uint8Array;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes those that are not there, and says of the others that they are used. */
export function writePassages(rows: readonly PassageRow[]): readonly Statement[] {
  const nameOf = ({ owner, key }: PassageRow) => `${owner} ${key}`;
  const distinct = [...new Map(rows.map((row) => [nameOf(row), row])).entries()];
  // In one order everywhere, so that two processes that write the same rows wait for each other instead of blocking.
  const sorted = distinct.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return inParts(sorted).map((part) => {
    const places = part.map((_, at) => `(${placesOf({ length: 5 }, at * 5 + 1)})`);
    return {
      sql: `INSERT INTO dragoman_passages (owner, key, body, size, used_at) VALUES ${places.join(', ')}
        ON CONFLICT (owner, key) DO UPDATE SET used_at = excluded.used_at
        WHERE dragoman_passages.used_at < excluded.used_at`,
      values: part.flatMap(({ owner, key, body, at }) => [owner, key, body, body.length, at]),
    };
  });
}

/** The bodies of those of one caller's passages that are there, by key. */
export async function readPassages(
  database: Pick<Database, 'run'>,
  { owner, keys }: { readonly owner: string; readonly keys: readonly string[] },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const part of inParts([...new Set(keys)])) {
    const sql = `SELECT key, body FROM dragoman_passages WHERE owner = $1 AND key IN (${placesOf(part, 2)})`;
    const [rows = []] = await database.run([{ sql, values: [owner, ...part] }]);
    for (const { key, body } of rows) if (body instanceof Uint8Array) found.set(String(key), body);
  }
  return found;
}

export function deletePassages(owner: string, keys: readonly string[]): readonly Statement[] {
  return inParts(keys).map((part) => ({
    sql: `DELETE FROM dragoman_passages WHERE owner = $1 AND key IN (${placesOf(part, 2)})`,
    values: [owner, ...part],
  }));
}

/** Deletes those that no record has used for so long that none which is left can hold them. `slack` and `now` in milliseconds. */
export function deleteUnused({ slack, now }: { readonly slack: number; readonly now: number }): Statement {
  return {
    sql: `DELETE FROM dragoman_passages
      WHERE used_at < (SELECT COALESCE(MIN(at), CAST($1 AS BIGINT)) FROM dragoman_exchanges) - CAST($2 AS BIGINT)`,
    values: [now, slack],
  };
}
