import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { Database } from '../stores/database.ts';
import { writeRecords } from '../stores/keyed-rows.ts';
import { migrate } from '../stores/migrations.ts';
import { packBytes } from '../stores/packed-bytes.ts';
import { writePassages } from '../stores/passage-rows.ts';
import { SqliteClient } from '../stores/sqlite-client.ts';
import type { RecordHead } from './exchange-record.ts';
import { KeptBytes } from './kept-bytes.ts';
import { bytesOf, layOut } from './pack-body.ts';
import { ReadBundle } from './read-bundle.ts';
import { RecordArchive } from './record-archive.ts';
import { RecordRetention, type RecordRetentionOptions } from './record-retention.ts';
import { insertRecord, RecordStore } from './record-store.ts';
import { asSaid } from './redact-record.ts';

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
      await writeRecords(database, [
        insertRecord(record, { headText, links: [`:after-${id.replaceAll(' ', '-')};`], names: [] }),
      ]);
    },
    store,
    linked: async () => {
      const found = await store.find([':after-old;', ':after-new;', ':after-newest;']);
      return [...found.values()].flat().map(({ id }) => id);
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

it('records of an older version are found by all that people ask by, with what was said', async () => {
  const { database, insert, store } = await prepare();
  const digests = ['asked req_1', 'asked resp_1'].map((name) => createHash('sha256').update(name).digest('base64url'));
  const { said, ...head } = recordOf('old', 999 * day);
  const laid = layOut(asSaid(said ?? expect.fail('nothing was said')));
  const keys = laid.passages.map(({ key }) => key).join('');
  const packed = await packBytes(bytesOf(laid).take());
  const row = ['"ann"', '"m"', '"up"', 1, 12, 2, 1, 7, 3];
  // The tables as version 7 has them.
  await database.run([
    { sql: 'DELETE FROM dragoman_schema WHERE version > 7' },
    { sql: 'DROP TABLE dragoman_bundle_texts' },
    { sql: 'DROP TABLE dragoman_bundles' },
    { sql: 'CREATE TABLE dragoman_exchange_links (name TEXT, exchange_key TEXT, at BIGINT)' },
    {
      sql: `CREATE TABLE dragoman_exchanges (key TEXT PRIMARY KEY, at BIGINT, owner TEXT, model TEXT, upstream TEXT,
        failed INTEGER, ms BIGINT, calls BIGINT, counted INTEGER, input_tokens BIGINT, output_tokens BIGINT,
        head TEXT, body TEXT, size BIGINT, packed BYTEA, passages TEXT, names TEXT)`,
    },
    {
      sql: `INSERT INTO dragoman_exchanges
        VALUES ('old', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', 900, $12, $13, $14)`,
      values: [
        999 * day,
        ...row,
        JSON.stringify(head),
        packed,
        keys,
        digests.map((each) => each.slice(0, 22)).join(''),
      ],
    },
    ...writePassages(laid.passages.map(({ key, bytes }) => ({ owner: '"ann"', key, body: plain(bytes), at: 1 }))),
  ]);
  await migrate(database.client, () => 1);
  await insert('new', 0);
  const ids = async (name: string) => (await store.list({ scope: 'all', name, limit: 9 })).map(({ id }) => id);
  expect(await ids('req_1')).toEqual(['old']);
  expect(await ids('resp_1')).toEqual(['old']);
  expect(await ids('old')).toEqual(['old']);
  expect(await ids('new')).toEqual(['new']);
  expect(await store.get('old', { owner: 'ann' })).toEqual({ ...head, said });
  expect(await store.count({ owner: 'ann' }, { by: ['model'], since: 0 })).toMatchObject([
    { model: 'm', exchanges: 1, failed: 1, ms: 12, calls: 2, withUsage: 1, inputTokens: 7, outputTokens: 3 },
  ]);
});

/** Packed bytes that are not compressed. */
function plain(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([0, ...bytes]);
}

const mixed = Array.from({ length: 300 }, (_, at) => ({
  id: `r${at}`,
  // Long ones begin long before others that end with them, and come in the same moment.
  at: 1_000 * day + Math.floor(at / 3) * 1_000 - (at % 7 === 0 ? 40_000 : 0),
  model: `m${at % 2}`,
  key: at % 5 === 0 ? 'ann' : 'bob',
}));
const isFirst = (a: (typeof mixed)[number], b: (typeof mixed)[number]) => a.at - b.at || (a.id < b.id ? -1 : 1);

/** Some at once, as a queue writes them. */
async function prepareMixed() {
  const prepared = await prepare({ archive: undefined });
  for (let from = 0, size = 1; from < mixed.length; from += size, size = (size * 3) % 23) {
    const changes = mixed.slice(from, from + size).map(({ id, at, model, key }) => {
      const record = { ...recordOf(id, at), model, key, said: undefined };
      const body = new KeptBytes();
      body.addText(`body of ${id}`);
      return insertRecord(record, { headText: JSON.stringify(record), links: [`:after-${id};`], names: [], body });
    });
    await writeRecords(prepared.database, changes);
  }
  const sorted = [...mixed].sort(isFirst);
  return { ...prepared, sorted };
}

it.each([true, false])(
  'records that were written together are listed in the order of their time (oldest first: %s)',
  async (oldestFirst) => {
    const { store, sorted } = await prepareMixed();
    const wanted = (oldestFirst ? sorted : sorted.reverse()).filter(({ key }) => key === 'bob').map(({ id }) => id);
    const pages: string[] = [];
    for (let after: { after?: string } = {}; ; after = { after: pages.at(-1) ?? '' }) {
      const page = await store.list({ scope: { owner: 'bob' }, limit: 37, oldestFirst, ...after });
      pages.push(...page.map(({ id }) => id));
      if (page.length < 37) break;
    }
    expect(pages).toEqual(wanted);
  },
);

it('of records that were written together one is deleted, and the others stay as they were', async () => {
  const { store, sorted, database } = await prepareMixed();
  const gone = sorted.filter((_, at) => at % 3 === 1);
  for (const { id } of gone)
    expect(await store.delete({ owner: 'ann' }, id)).toBe(gone.find((each) => each.id === id)?.key === 'ann' ? 1 : 0);
  const left = sorted.filter((each) => each.key === 'bob' || !gone.includes(each));
  const found = await store.list({ scope: 'all', limit: 400, oldestFirst: true });
  expect(found.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
  const counts = await store.count('all', { by: ['key', 'model'], since: 0 });
  for (const { key, model, exchanges } of counts) {
    expect(exchanges).toBe(left.filter((each) => each.key === key && each.model === model).length);
  }
  const bodies = await database.run([
    {
      sql: 'SELECT body, layout, passages, owner, names, heads FROM dragoman_bundles JOIN dragoman_bundle_texts USING (key)',
    },
  ]);
  for (const row of bodies[0] ?? []) {
    const bundle = await ReadBundle.open(row);
    for (const { head, place } of bundle.records) {
      expect(new TextDecoder().decode(bundle.parts(place).body)).toBe(`body of ${head.id}`);
    }
  }
});

it('what is written again, since nobody heard that it was, is there once', async () => {
  const { store, database } = await prepare({ archive: undefined });
  const changes = ['a', 'b', 'c'].map((id) => {
    const record = recordOf(id, 1_000 * day);
    return insertRecord(record, { headText: JSON.stringify(record), links: [], names: [] });
  });
  await writeRecords(database, changes.slice(0, 2));
  await writeRecords(database, changes);
  expect((await store.list({ scope: 'all', limit: 9 })).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  await writeRecords(database, changes.slice(0, 1));
  await writeRecords(database, changes.slice(1));
  expect((await store.list({ scope: 'all', limit: 9 })).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
