import type { FoundPoints, KnownPoint } from '@dragoman/core';
import { recordKey } from './keyed-rows.ts';
import { readStoredPoint, type StoredPoint } from './read-stored.ts';
import type { Row, SqlClient } from './sql-client.ts';

/** Milliseconds after which a message that has given no sign of life counts as under way no longer. */
export const lifeTime = 35_000;

/** The most points of one key: conversations that a client began in the very same words. */
const mostAlike = 32;

/** What a database knows of one caller's points. Only reads. Rejects as `run` does. */
export async function findPoints(
  database: Pick<SqlClient, 'run'>,
  { owner, keys, now }: { readonly owner: string; readonly keys: readonly string[]; readonly now: number },
): Promise<FoundPoints> {
  if (keys.length === 0) return new Map();
  const names = new Map(keys.map((key) => [recordKey(owner, key), key]));
  const [rows = []] = await database.run([{ sql: findSql(names.size), values: [...names.keys()] }]);
  const found = new Map<string, KnownPoint[]>();
  const stored = rows.map((row) => ({ row, point: readStoredPoint(String(row.body)) }));
  for (const { row, point } of stored.sort((a, b) => a.point.at - b.point.at)) {
    const key = names.get(String(row.link_key)) ?? '';
    found.set(key, [...(found.get(key) ?? []), knownPoint(point, { row, now })]);
  }
  return found;
}

function knownPoint(
  { at: _, ...point }: StoredPoint,
  { row, now }: { readonly row: Row; readonly now: number },
): KnownPoint {
  const isAlive = Number(row.taken_at) > now - lifeTime;
  return { ...point, continuations: Number(row.continuations), open: isAlive ? Number(row.open) : 0 };
}

function findSql(keys: number): string {
  const one = (at: number) => `SELECT * FROM (
    SELECT link_key, body, continuations, open, taken_at
    FROM dragoman_point_keys JOIN dragoman_points ON dragoman_points.key = point_key
    WHERE link_key = $${at} ORDER BY used_at DESC LIMIT ${mostAlike}) AS alike_${at}`;
  return Array.from({ length: keys }, (_, at) => one(at + 1)).join(' UNION ALL ');
}
