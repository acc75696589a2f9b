import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ResponseStore } from '@dragoman/core';
import {
  conversationPointOf,
  describeCallIdStore,
  describeConversationStore,
  describeResponseStore,
  sample,
  storedResponseOf,
} from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordKey } from '../../src/stores/keyed-rows.ts';
import { migrate, schemaVersion } from '../../src/stores/migrations.ts';
import { SqliteClient } from '../../src/stores/sqlite-client.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { openForTest } from './open-for-test.ts';
import { storeKinds } from './store-kinds.ts';

describe.each(sample(storeKinds, 1))('in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  const open = async () => openForTest({ client: kind.connect(await kind.create()) });
  /** Everything is read from the database, nothing from what waits to be written. */
  const written = async (): Promise<ResponseStore> => {
    const { responses, queue } = await open();
    const after = async <T>(ask: () => Promise<T>): Promise<T> => {
      await queue.flush();
      return ask();
    };
    return {
      put: (stored) => responses.put(stored),
      get: (id, owner) => after(() => responses.get(id, owner)),
      items: (ids, owner) => after(() => responses.items(ids, owner)),
      chain: (id, owner) => after(() => responses.chain(id, owner)),
      delete: (id, owner) => after(() => responses.delete(id, owner)),
    };
  };

  describeResponseStore(`${kind.name}, at once`, async () => (await open()).responses);
  describeResponseStore(`${kind.name}, from the database`, written);
  describeCallIdStore(kind.name, async () => (await open()).callIds);
  describeConversationStore(kind.name, async () => (await open()).conversations);

  it('B-164 A-223: what was put is there for the next process, and for another one at the same time', async () => {
    const place = await kind.create();
    const first = await openForTest({ client: kind.connect(place) });
    const second = await openForTest({ client: kind.connect(place) });
    first.responses.put(storedResponseOf('a'));
    first.callIds.of('me').put('call_1', { kind: 'native', id: 'functions.read:0' });
    await first.queue.flush();
    expect(await second.responses.get('a', 'me')).toEqual(storedResponseOf('a'));
    expect(second.callIds.of('me').get('call_1')).toBeUndefined();
    await second.callIds.fetch('me', ['call_1', 'call_2']);
    expect(second.callIds.of('me').get('call_1')).toEqual({ kind: 'native', id: 'functions.read:0' });
    expect(second.callIds.of('you').get('call_1')).toBeUndefined();
    expect(await second.responses.delete('a', 'me')).toBe(true);
    expect(await first.responses.get('a', 'me')).toBeUndefined();
    expect(await first.responses.delete('a', 'me')).toBe(false);
  });

  it('B-164: any number of processes may start at once, and the tables are made once', async () => {
    const place = await kind.create();
    const clients = Array.from({ length: 6 }, () => kind.connect(place));
    onTestFinished(async () => {
      await Promise.all(clients.map((client) => client.close()));
    });
    await Promise.all(clients.map((client) => migrate(client, () => 1)));
    const [rows] = (await clients[0]?.run([{ sql: 'SELECT version FROM dragoman_schema' }])) ?? [];
    expect(rows?.map(({ version }) => Number(version))).toEqual(
      Array.from({ length: schemaVersion }, (_, at) => at + 1),
    );
  });

  it('B-164: tables of a newer version are refused, and left as they are', async () => {
    const place = await kind.create();
    const client = kind.connect(place);
    await migrate(client, () => 1);
    const newer = schemaVersion + 1;
    await client.run([{ sql: 'INSERT INTO dragoman_schema VALUES ($1, 1)', values: [newer] }]);
    await client.close();
    await expect(openForTest({ client: kind.connect(place) })).rejects.toThrow(
      `has tables of version ${newer}, made by a newer Dragoman; this one knows version ${schemaVersion}`,
    );
  });

  it('B-164: what an older version has stored is there after its tables were brought up to date', async () => {
    const client = kind.connect(await kind.create());
    const body = JSON.stringify(storedResponseOf('a'));
    await client.run([
      { sql: 'CREATE TABLE dragoman_schema (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)' },
      { sql: 'INSERT INTO dragoman_schema VALUES (1, 1)' },
      {
        sql: `CREATE TABLE dragoman_responses (
          key TEXT PRIMARY KEY, body TEXT NOT NULL, size BIGINT NOT NULL, used_at BIGINT NOT NULL)`,
      },
      {
        sql: `CREATE TABLE dragoman_items (
          item_key TEXT NOT NULL,
          response_key TEXT NOT NULL REFERENCES dragoman_responses (key) ON DELETE CASCADE,
          PRIMARY KEY (item_key, response_key))`,
      },
      { sql: 'INSERT INTO dragoman_responses VALUES ($1, $2, 1, 1)', values: [recordKey('me', 'a'), body] },
    ]);
    const { responses, queue } = await openForTest({ client });
    expect(await responses.get('a', 'me')).toEqual(storedResponseOf('a'));
    // What an older version stored says only in its body what it continues.
    const next = JSON.stringify(storedResponseOf('b', { previousId: 'a' }));
    const values = [recordKey('me', 'b'), next];
    await client.run([
      { sql: 'INSERT INTO dragoman_responses (key, body, size, used_at) VALUES ($1, $2, 1, 1)', values },
    ]);
    responses.put(storedResponseOf('c', { previousId: 'b' }));
    await queue.flush();
    expect((await responses.chain('c', 'me')).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  it('asks a database that is its own only once for ids of calls that are not there', async () => {
    const client = kind.connect(await kind.create());
    const { callIds, queue } = await openForTest({ client });
    const run = vi.spyOn(client, 'run');
    const ask = () => callIds.fetch('me', ['call_1', 'call_2']);
    await ask();
    await ask();
    expect(run).toHaveBeenCalledTimes(client.shared ? 2 : 1);
    callIds.of('me').put('call_1', { kind: 'native', id: 'functions.read:0' });
    await queue.flush();
    // Nothing of it is left in memory.
    for (let at = 3; at < 60; at += 1) callIds.of('me').put(`call_${at}`, { kind: 'native', id: 'x'.repeat(500) });
    expect(callIds.of('me').get('call_1')).toBeUndefined();
    await ask();
    expect(callIds.of('me').get('call_1')).toEqual({ kind: 'native', id: 'functions.read:0' });
  });

  it('reads a chain of responses in few statements, and refuses one that is larger than its memory', async () => {
    const client = kind.connect(await kind.create());
    const { responses, queue } = await openForTest({ client, maxSize: 200_000 });
    for (let at = 0; at < 200; at += 1) {
      responses.put(storedResponseOf(`r${at}`, at === 0 ? {} : { previousId: `r${at - 1}` }));
    }
    await queue.flush();
    const run = vi.spyOn(client, 'run');
    expect(await responses.chain('r199', 'me')).toHaveLength(200);
    const selects = run.mock.calls.flat(2).filter(({ sql }) => sql.includes('SELECT'));
    expect(selects).toHaveLength(1);
    responses.put(storedResponseOf('long', { previousId: 'r199', response: { text: 'x'.repeat(190_000) } }));
    await expect(responses.chain('long', 'me')).rejects.toMatchObject({ code: 'context-too-long' });
  });

  it('a migration that fails leaves nothing behind, and succeeds when its cause is gone', async () => {
    const client = kind.connect(await kind.create());
    onTestFinished(() => client.close());
    await client.run([{ sql: 'CREATE TABLE dragoman_call_ids (other TEXT)' }]);
    await expect(migrate(client, () => 1)).rejects.toThrow('dragoman_call_ids');
    await expect(client.run([{ sql: 'SELECT * FROM dragoman_responses' }])).rejects.toThrow('dragoman_responses');
    await client.run([{ sql: 'DROP TABLE dragoman_call_ids' }]);
    await migrate(client, () => 1);
    expect(await client.run([{ sql: 'SELECT * FROM dragoman_responses' }])).toEqual([[]]);
  });

  it('forgets what was not used for too long, and what is too much, the least used first', async () => {
    const size = JSON.stringify(storedResponseOf('a')).length;
    const client = kind.connect(await kind.create());
    const { responses, queue, retention, clock } = await openForTest({ client, maxAge: 1000, maxStored: size * 3 });
    const left = async () => {
      await queue.flush();
      await retention.prune();
      const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => responses.get(id, 'me')));
      return found.flatMap((one) => (one === undefined ? [] : [one.id]));
    };
    for (const id of ['a', 'b', 'c']) {
      clock.now += 10;
      responses.put(storedResponseOf(id));
      await queue.flush();
    }
    clock.now += 10;
    await responses.get('a', 'me');
    clock.now += 10;
    responses.put(storedResponseOf('d'));
    expect(await left()).toEqual(['a', 'c', 'd']);
    clock.now += 900;
    responses.put(storedResponseOf('b'));
    clock.now += 200;
    expect(await left()).toEqual(['b']);
    expect(await responses.items(['a-in', 'b-in'], 'me')).toEqual(new Map([['b-in', { id: 'b-in', text: 'asked' }]]));
  });

  it('B-155: forgets places in conversations that were idle for too long, or are too many, and keeps those in use', async () => {
    const minute = 60_000;
    const client = kind.connect(await kind.create());
    const { conversations, retention, clock } = await openForTest({ client, maxAge: 30 * minute, mostPoints: 3 });
    const store = conversations.of('ann');
    const known = async () => {
      await retention.prune();
      return [...(await store.find(['a', 'b', 'c', 'd'])).keys()].sort();
    };
    const put = async (id: string) => {
      await store.put(conversationPointOf(id), [id]);
      await store.find([id]);
      clock.now += 10;
    };
    await put('a');
    await put('b');
    clock.now += 20 * minute;
    await store.take('a');
    clock.now += 11 * minute;
    expect(await known()).toEqual(['a']);
    for (const id of ['b', 'c']) await put(id);
    await store.take('a');
    clock.now += 10;
    await put('d');
    expect(await known()).toEqual(['a', 'c', 'd']);
    const [rows] = await client.run([{ sql: 'SELECT DISTINCT point_key FROM dragoman_point_keys' }]);
    expect(rows).toHaveLength(3);
  });

  it('A-226: what a gateway has under way counts as long as it gives a sign of life', async () => {
    const place = await kind.create();
    const signs: (() => void)[] = [];
    const every = (_: number, tick: () => void) => {
      signs.push(tick);
      return () => void signs.splice(0);
    };
    const node = await openForTest({ client: kind.connect(place), every });
    const other = await openForTest({ client: kind.connect(place) });
    const store = node.conversations.of('ann');
    await store.put(conversationPointOf('a'), ['key']);
    await store.find(['key']);
    await store.take('a');
    const seen = async () => (await other.conversations.of('ann').find(['key'])).get('key');
    for (let passed = 0; passed < 5; passed += 1) {
      for (const clock of [node.clock, other.clock]) clock.now += 20_000;
      for (const sign of signs) sign();
      await store.find(['key']);
      expect(await seen()).toMatchObject([{ continuations: 1, open: 1 }]);
    }
    for (const clock of [node.clock, other.clock]) clock.now += 40_000;
    // Nothing is heard of the other gateway any more: nobody waits for it, but the place stays continued.
    expect(await seen()).toMatchObject([{ continuations: 1, open: 0 }]);
    expect(await other.conversations.of('ann').take('a')).toEqual({ continuations: 1, open: 0 });
    expect(await seen()).toMatchObject([{ continuations: 2, open: 1 }]);
  });

  it('stores no secret of the configuration', async () => {
    const client = kind.connect(await kind.create());
    const secret = 'sk-very"secret\\1';
    const { responses, queue } = await openForTest({ client, secrets: [secret, 'message'] });
    const inside = JSON.stringify({ text: `key ${secret}` });
    const item = { id: 'i', type: 'message', text: `my key is ${secret}.` };
    responses.put(storedResponseOf('a', { input: [item], frames: [`data: ${inside}\n\n`] }));
    await queue.flush();
    const [rows] = await client.run([{ sql: 'SELECT body FROM dragoman_responses' }]);
    expect(String(rows?.[0]?.body)).not.toContain('very');
    const stored = await responses.get('a', 'me');
    expect(stored?.input).toEqual([{ id: 'i', type: 'message', text: 'my key is [secret].' }]);
    expect(stored?.frames).toEqual(['data: {"text":"key [secret]"}\n\n']);
  });

  it('takes what two processes write to the same records at once', async () => {
    const place = await kind.create();
    const nodes = await Promise.all([1, 2, 3].map(() => openForTest({ client: kind.connect(place) })));
    const ids = Array.from({ length: 30 }, (_, at) => `r${at}`);
    await Promise.all(
      nodes.map(async ({ responses, queue, retention }, node) => {
        for (let round = 0; round < 4; round += 1) {
          for (const id of node % 2 === 0 ? ids : [...ids].reverse()) responses.put(storedResponseOf(id));
          await Promise.all([queue.flush(), retention.prune()]);
        }
      }),
    );
    expect(nodes.flatMap(({ lines }) => lines)).toEqual([]);
    for (const id of ids) expect(await nodes[0]?.responses.get(id, 'me')).toEqual(storedResponseOf(id));
    const client = nodes[0]?.database.client;
    const [rows] = (await client?.run([{ sql: 'SELECT key FROM dragoman_responses' }])) ?? [];
    expect(rows?.map(({ key }) => key).sort()).toEqual(ids.map((id) => recordKey('me', id)).sort());
  });
});

it('B-164: a SQLite file is whole and free after its process was killed in the middle of a transaction', async () => {
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  const path = folder.inside('killed.db');
  const first = new SqliteClient(path);
  await migrate(first, () => 1);
  await first.close();
  const values = "('a', '{}', 2, 1)";
  const killed = `
    const Database = require('libsql');
    const database = new Database(${JSON.stringify(path)});
    database.exec("INSERT INTO dragoman_call_ids VALUES ${values}");
    database.exec("BEGIN IMMEDIATE; INSERT INTO dragoman_call_ids VALUES ${values.replace('a', 'b')}");
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['-e', killed], { cwd: import.meta.dirname, stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const { database, lines } = await openForTest({ client: new SqliteClient(path) });
  expect(await database.run([{ sql: 'SELECT key FROM dragoman_call_ids' }])).toEqual([[{ key: 'a' }]]);
  expect(lines).toEqual([]);
});
