import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { Database } from '../stores/database.ts';
import { migrate } from '../stores/migrations.ts';
import { writePassages } from '../stores/passage-rows.ts';
import { SqliteClient } from '../stores/sqlite-client.ts';
import type { RecordHead } from './exchange-record.ts';
import { RecordArchive } from './record-archive.ts';
import { RecordRetention, type RecordRetentionOptions } from './record-retention.ts';
import { insertRecord, RecordStore } from './record-store.ts';

const day = 86_400_000;

/** A database in memory, a folder for the archive, and a clock that a test turns. */
async function prepare(options: Partial<RecordRetentionOptions> = {}) {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const log = { info: note, warn: note, error: note };
  const clock = { now: 1_000 * day };
  const now = () => clock.now;
  const client = new SqliteClient(':memory:');
  const database = new Database({ client, log, now });
  await database.open();
  const folder = join(tmpdir(), `dragoman-archive-${process.pid}-${Math.random().toString(36).slice(2)}`);
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  let count = 0;
  const archive = new RecordArchive({
    folder,
    maxAge: 90 * day,
    now,
    randomHex: () => {
      count += 1;
      return count.toString(16).padStart(8, '0');
    },
  });
  const ticks: (() => void)[] = [];
  const retention = new RecordRetention({
    database,
    archive,
    maxAge: 30 * day,
    maxSize: 0,
    slack: 0,
    interval: day,
    log,
    now,
    every: (_, call) => {
      ticks.push(call);
      return () => ticks.splice(0);
    },
    ...options,
  });
  onTestFinished(() => retention.close());
  const store = new RecordStore(database);
  return {
    clock,
    database,
    folder,
    lines,
    retention,
    tick: () => {
      for (const call of ticks) call();
    },
    insert: async (id: string, age: number) => {
      const record = recordOf(id, clock.now - age);
      const headText = JSON.stringify(record);
      const change = insertRecord(record, { headText, links: [`after ${id}`], names: [id] });
      if (change.act === 'insert') await database.run(change.statements);
    },
    store,
    linked: async () => {
      const [rows = []] = await database.run([
        { sql: 'SELECT exchange_key FROM dragoman_exchange_links ORDER BY exchange_key' },
      ]);
      return rows.map(({ exchange_key: key }) => key);
    },
    left: async () => (await store.list({ scope: 'all', limit: 100, oldestFirst: true })).map(({ id }) => id),
    archived: async () => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.gz')).sort();
      const texts = await Promise.all(names.map(async (name) => gunzipSync(await readFile(join(folder, name)))));
      return texts.flatMap((text) => String(text).trim().split('\n')).map((line): RecordHead => JSON.parse(line));
    },
  };
}

function recordOf(id: string, at: number): RecordHead {
  return {
    id,
    level: 'full',
    at: new Date(at).toISOString(),
    requestId: `req ${id}`,
    wire: 'openai-chat',
    method: 'POST',
    route: '/v1/chat/completions',
    conversation: { id: 'conv', step: 1 },
    replyId: id,
    model: 'm',
    plan: { upstream: 'up', wire: 'openai-chat', model: 'm', toolCalling: 'native', reason: 'so' },
    stream: true,
    tools: 0,
    calls: 0,
    status: 200,
    ms: 1,
    said: {
      request: { headers: {}, body: 'x'.repeat(1_000) },
      system: '',
      sent: [],
      events: [],
      calls: [],
      reply: [],
      drawn: [],
      created: 0,
      config: {},
      gaps: [],
    },
  };
}

it('A-254: what is too old is archived, then deleted; archives go when they are too old themselves', async () => {
  const { insert, retention, left, archived, clock, folder } = await prepare();
  for (let age = 20; age < 60; age += 1) await insert(`r${age}`, age * day);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'mine.txt'), 'stays');
  await retention.prune();
  expect(await left()).toEqual(Array.from({ length: 11 }, (_, at) => `r${30 - at}`));
  const gone = await archived();
  expect(gone.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, at) => `r${59 - at}`));
  expect(gone[0]?.said?.request.body).toHaveLength(1_000);
  clock.now += 89 * day;
  await retention.prune();
  expect((await archived()).length).toBe(40);
  clock.now += 2 * day;
  await retention.prune();
  expect((await archived()).map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, at) => `r${30 - at}`));
  expect(await readdir(folder)).toContain('mine.txt');
});

it('A-254: what is too much goes, the oldest first', async () => {
  const { insert, retention, left, archived } = await prepare({ maxSize: 5_000 });
  for (let age = 9; age >= 0; age -= 1) await insert(`r${age}`, age);
  await retention.prune();
  const rest = await left();
  expect(rest.length).toBeGreaterThan(1);
  expect(rest).toEqual(['r2', 'r1', 'r0'].slice(-rest.length));
  expect(await archived()).toHaveLength(10 - rest.length);
});

it('A-254: the next look comes after the interval, or when much was written', async () => {
  const { insert, retention, left, tick } = await prepare({ archive: undefined, maxSize: 100_000 });
  await insert('old', 31 * day);
  tick();
  await retention.prune();
  expect(await left()).toEqual([]);
  await insert('older', 32 * day);
  retention.wrote(1_000);
  await retention.close();
  expect(await left()).toEqual(['older']);
  retention.wrote(10_000);
  await retention.close();
  expect(await left()).toEqual([]);
});

it('A-254: what cannot be archived is not deleted, and the log says why', async () => {
  const { insert, retention, left, folder, lines } = await prepare();
  await insert('old', 31 * day);
  await writeFile(folder, 'a file where the folder should be');
  await expect(retention.prune()).rejects.toThrow();
  retention.pruneInBackground();
  await retention.close();
  await new Promise(setImmediate);
  expect(await left()).toEqual(['old']);
  expect(lines).toEqual([expect.stringContaining('records cannot be archived, so none is deleted: ')]);
});

it('a passage goes when no record that is left can have used it', async () => {
  const { insert, retention, database, clock } = await prepare({ archive: undefined, slack: 2 * day });
  const written = async (key: string, age: number) => {
    const [statement] = writePassages([{ owner: '""', key, body: new Uint8Array(9), at: clock.now - age }]);
    await database.run(statement === undefined ? [] : [statement]);
  };
  const left = async () => {
    const [rows = []] = await database.run([{ sql: 'SELECT key FROM dragoman_passages ORDER BY key' }]);
    return rows.map(({ key }) => key);
  };
  await insert('too old', 31 * day);
  await insert('oldest', 20 * day);
  for (const age of [0, 20, 21, 23, 31]) await written(`used ${age} days ago`, age * day);
  await retention.prune();
  expect(await left()).toEqual(['used 0 days ago', 'used 20 days ago', 'used 21 days ago']);
  clock.now += 11 * day;
  await retention.prune();
  expect(await left()).toEqual([]);
});

it('what is too much counts passages, too', async () => {
  const { insert, retention, left, database, clock } = await prepare({ archive: undefined, maxSize: 5_000 });
  for (let age = 2; age >= 0; age -= 1) await insert(`r${age}`, age);
  await retention.prune();
  expect(await left()).toEqual(['r2', 'r1', 'r0']);
  await database.run(writePassages([{ owner: '""', key: 'k', body: new Uint8Array(3_000), at: clock.now }]));
  await retention.prune();
  expect(await left()).toEqual(['r0']);
});

it('what leads to a record goes with it', async () => {
  const { insert, linked, retention, store } = await prepare({ archive: undefined });
  await insert('old', 31 * day);
  await insert('new', 29 * day);
  await insert('newest', 1 * day);
  await retention.prune();
  expect(await linked()).toEqual(['new', 'newest']);
  await store.delete('all', 'newest');
  expect(await linked()).toEqual(['new']);
  await store.delete('all');
  expect(await linked()).toEqual([]);
});

it('records of an older version are found by all of their names', async () => {
  const { database, insert, store } = await prepare();
  await insert('old', day);
  const names = ['asked req_1', 'after old'].map((name) => createHash('sha256').update(name).digest('base64url'));
  // The tables as version 6 has them.
  await database.run([
    { sql: 'DELETE FROM dragoman_schema WHERE version > 6' },
    { sql: 'DROP TABLE dragoman_exchange_links' },
    { sql: 'DROP INDEX dragoman_exchanges_at' },
    { sql: 'CREATE INDEX dragoman_exchanges_at ON dragoman_exchanges (at, key)' },
    { sql: 'ALTER TABLE dragoman_exchanges DROP COLUMN names' },
    { sql: 'CREATE TABLE dragoman_exchange_names (name TEXT, exchange_key TEXT, PRIMARY KEY (name, exchange_key))' },
    { sql: "INSERT INTO dragoman_exchange_names VALUES ($1, 'old'), ($2, 'old')", values: names },
  ]);
  await migrate(database.client, () => 1);
  await insert('new', 0);
  const ids = async (name: string) => (await store.list({ scope: 'all', name, limit: 9 })).map(({ id }) => id);
  expect(await ids('req_1')).toEqual(['old']);
  expect(await ids('new')).toEqual(['new']);
  const found = await store.find(['after old', 'after new', 'after none'], 8);
  expect([...found.values()].map((each) => each.map(({ id }) => id))).toEqual([['old'], ['new'], []]);
});
