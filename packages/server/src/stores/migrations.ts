import { type SqlClient, type Statement, StoreError } from './sql-client.ts';

/**
 * What makes each version of the tables out of the one before. A version that was released never changes; what comes
 * next is appended. Bodies are JSON text: JSON escapes what PostgreSQL cannot keep. Keys are digests, so that no name is
 * too long for an index.
 */
const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE dragoman_responses (
      key TEXT PRIMARY KEY, body TEXT NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL)`,
    'CREATE INDEX dragoman_responses_used ON dragoman_responses (used_at)',
    `CREATE TABLE dragoman_items (
      item_key TEXT NOT NULL,
      response_key TEXT NOT NULL REFERENCES dragoman_responses (key) ON DELETE CASCADE,
      PRIMARY KEY (item_key, response_key))`,
    'CREATE INDEX dragoman_items_response ON dragoman_items (response_key)',
    `CREATE TABLE dragoman_call_ids (
      key TEXT PRIMARY KEY, body TEXT NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL)`,
    'CREATE INDEX dragoman_call_ids_used ON dragoman_call_ids (used_at)',
  ],
  [
    // Messages after a point are counted where all gateways see it: `open` of them are under way since `taken_at`.
    `CREATE TABLE dragoman_points (
      key TEXT PRIMARY KEY, body TEXT NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL,
      continuations INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 0, taken_at BIGINT NOT NULL DEFAULT 0)`,
    'CREATE INDEX dragoman_points_used ON dragoman_points (used_at)',
    `CREATE TABLE dragoman_point_keys (
      link_key TEXT NOT NULL,
      point_key TEXT NOT NULL REFERENCES dragoman_points (key) ON DELETE CASCADE,
      PRIMARY KEY (link_key, point_key))`,
    'CREATE INDEX dragoman_point_keys_point ON dragoman_point_keys (point_key)',
    // NULL also in responses of older versions: what those continue, their bodies say.
    'ALTER TABLE dragoman_responses ADD COLUMN previous_key TEXT',
  ],
  [
    // `owner`, `model` and `upstream` are JSON strings.
    `CREATE TABLE dragoman_exchanges (
      key TEXT PRIMARY KEY, at BIGINT NOT NULL, owner TEXT NOT NULL, model TEXT NOT NULL, upstream TEXT NOT NULL,
      failed INTEGER NOT NULL, ms BIGINT NOT NULL, calls BIGINT NOT NULL, counted INTEGER NOT NULL,
      input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
      head TEXT NOT NULL, body TEXT NOT NULL, size BIGINT NOT NULL)`,
    'CREATE INDEX dragoman_exchanges_at ON dragoman_exchanges (at, key)',
    `CREATE TABLE dragoman_exchange_names (
      name TEXT NOT NULL,
      exchange_key TEXT NOT NULL REFERENCES dragoman_exchanges (key) ON DELETE CASCADE,
      PRIMARY KEY (name, exchange_key))`,
    'CREATE INDEX dragoman_exchange_names_exchange ON dragoman_exchange_names (exchange_key)',
  ],
  [
    `CREATE TABLE dragoman_facts (
      key TEXT PRIMARY KEY, body TEXT NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL)`,
    'CREATE INDEX dragoman_facts_used ON dragoman_facts (used_at)',
  ],
  // What older versions said stays as JSON text in `body`. SQLite takes any type by its name.
  ['ALTER TABLE dragoman_exchanges ADD COLUMN packed BYTEA'],
  [
    // What requests have in common stands once for each caller. `passages` of a record are its keys, one after the other.
    `CREATE TABLE dragoman_passages (
      owner TEXT NOT NULL, key TEXT NOT NULL, body BYTEA NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL,
      PRIMARY KEY (owner, key))`,
    'CREATE INDEX dragoman_passages_used ON dragoman_passages (used_at)',
    'ALTER TABLE dragoman_exchanges ADD COLUMN passages TEXT',
  ],
  [
    // Names that a gateway asks for while it records are in an index, and go by their time. `names` is what people ask for, one digest
    // after the other: they may wait until an index is read along. Each row in an index of random digests is a page to write.
    'CREATE TABLE dragoman_exchange_links (name TEXT NOT NULL, exchange_key TEXT NOT NULL, at BIGINT NOT NULL)',
    `INSERT INTO dragoman_exchange_links SELECT substr(name, 1, 22), exchange_key, at
      FROM dragoman_exchange_names JOIN dragoman_exchanges ON key = exchange_key`,
    'CREATE INDEX dragoman_exchange_links_name ON dragoman_exchange_links (name)',
    'DROP TABLE dragoman_exchange_names',
    'ALTER TABLE dragoman_exchanges ADD COLUMN names TEXT',
    'DROP INDEX dragoman_exchanges_at',
    'CREATE INDEX dragoman_exchanges_at ON dragoman_exchanges (at, key, names)',
  ],
];

/** The version of the tables that this program reads and writes. */
export const schemaVersion = migrations.length;

const versionTable: Statement = {
  sql: 'CREATE TABLE IF NOT EXISTS dragoman_schema (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)',
};

/**
 * Brings the tables to our version, one version at a time, each in a transaction of its own. Any number of processes may
 * start at once: they wait for each other, and each version is made once. Throws a StoreError `newer-schema` when a newer
 * program was here, whose tables we would damage.
 */
export async function migrate(client: SqlClient, now: () => number): Promise<void> {
  await client.run([...client.lock, versionTable]);
  for (let version = await versionOf(client); version !== schemaVersion; version = await versionOf(client)) {
    if (version > schemaVersion) {
      throw new StoreError(
        'newer-schema',
        `${client.place} has tables of version ${version}, made by a newer Dragoman; this one knows version ${schemaVersion}. Start the newer one, or use another database.`,
      );
    }
    await step(client, { version, now });
  }
}

async function step(
  client: SqlClient,
  { version, now }: { readonly version: number; readonly now: () => number },
): Promise<void> {
  const claim: Statement = { sql: 'INSERT INTO dragoman_schema VALUES ($1, $2)', values: [version + 1, now()] };
  const changes = (migrations[version] ?? []).map((sql): Statement => ({ sql }));
  try {
    await client.run([...client.lock, claim, ...changes]);
  } catch (thrown) {
    // Another process was first: it holds the row that we tried to claim.
    if ((await versionOf(client)) <= version) throw thrown;
  }
}

async function versionOf(client: SqlClient): Promise<number> {
  const [rows] = await client.run([{ sql: 'SELECT MAX(version) AS version FROM dragoman_schema' }]);
  return Number(rows?.[0]?.version ?? 0);
}
