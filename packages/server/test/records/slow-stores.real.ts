import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { chatMessage, chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecordHead } from '../../src/records/exchange-record.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { type PostgresServer, startPostgres } from '../postgres-server.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { SocketClient } from '../socket-client.ts';
import { hello, startTestGateway, type TestGateway } from '../start-test-gateway.ts';
import { hasPostgres } from '../stores/store-kinds.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest();
});

const listOf = async (gateway: TestGateway, query = '?limit=100'): Promise<readonly RecordHead[]> =>
  (await (await fetch(`${gateway.url}/records${query}`)).json()).data;

/** Milliseconds that a streamed reply takes, its text read to the end. */
async function timeOfReply(gateway: TestGateway): Promise<number> {
  upstream.next(chatStream('Hi.'));
  const startedAt = performance.now();
  const text = await (await gateway.post({ ...hello, stream: true })).text();
  expect(text).toContain('[DONE]');
  return performance.now() - startedAt;
}

/** Another program that keeps the SQLite file for itself until it is told to let go. */
function holdFile(path: string): () => void {
  const Database = createRequire(import.meta.url)('libsql');
  const database = new Database(path);
  database.exec('BEGIN EXCLUSIVE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

it('A-252: a database that takes 2 s for a write delays no reply, and a graceful stop waits for it', async () => {
  const folder = await makeScratchFolder({});
  const path = folder.inside('records.db');
  const config = { store: `sqlite:${path}`, records: { level: 'full' } };
  const gateway = await startTestGateway({ upstream, config });
  await timeOfReply(gateway);
  await listOf(gateway);
  const letGo = holdFile(path);
  const times: number[] = [];
  for (let count = 0; count < 10; count += 1) times.push(await timeOfReply(gateway));
  expect(Math.max(...times)).toBeLessThan(1_000);
  let isOver = false;
  const stopped = gateway.drain().then(() => {
    isOver = true;
  });
  await sleep(2_000);
  expect(isOver).toBe(false);
  letGo();
  await stopped;
  const after = await gatewayForTest({ upstream, config });
  expect(await listOf(after)).toHaveLength(11);
  await folder.remove();
});

it('while a database takes no write, replies go on, what waits has its bound, and what is lost is counted and told', async () => {
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  const path = folder.inside('records.db');
  const gateway = await gatewayForTest({ upstream, config: { store: `sqlite:${path}`, records: { level: 'full' } } });
  await timeOfReply(gateway);
  await listOf(gateway);
  const letGo = holdFile(path);
  const count = 60;
  for (let asked = 1; asked < count; asked += 1) {
    upstream.next(chatMessage('Fine.', { usage: { prompt: 9, completion: 1 } }));
    // Nothing that compressing makes small, and nothing that another request has.
    const content = randomBytes(1_100_000).toString('base64');
    const answer = await gateway.post({ model: 'up/native', messages: [{ role: 'user', content }] });
    expect(await answer.text()).toContain('Fine.');
  }
  const lostOf = async () => (await (await fetch(`${gateway.url}/health`)).json()).records;
  const { waiting, lost } = await lostOf();
  expect(waiting).toBeLessThan(50);
  expect(lost).toBeGreaterThan(5);
  const lines = () => gateway.records().flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
  expect(lines().filter((line) => /records are lost|changes are lost/.test(line)).length).toBeGreaterThan(0);
  letGo();
  while ((await lostOf()).waiting > 0) await sleep(50);
  expect(await listOf(gateway)).toHaveLength(count - (await lostOf()).lost);
}, 180_000);

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.close());

  it('B-166: a database that goes away breaks no reply, is told once, and gets the records when it is back', async () => {
    const config = { store: { postgres: await server.createDatabase() }, records: { level: 'full' } };
    const gateway = await gatewayForTest({ upstream, config });
    await timeOfReply(gateway);
    expect(await listOf(gateway)).toHaveLength(1);
    await server.stop();
    for (let count = 0; count < 3; count += 1) await timeOfReply(gateway);
    const refused = await fetch(`${gateway.url}/records`);
    expect(refused.status).toBe(503);
    expect((await refused.json()).error.code).toBe('store_failed');
    await server.start();
    while ((await fetch(`${gateway.url}/records`)).status !== 200) await sleep(50);
    expect(await listOf(gateway)).toHaveLength(4);
    const lines = gateway.records().flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
    expect(lines.filter((line) => line.startsWith('the store fails'))).toHaveLength(1);
  });

  it('A-250: two gateways on one database number a conversation on together', async () => {
    const config = { store: { postgres: await server.createDatabase() }, records: { level: 'metadata' } };
    const gateways = [await gatewayForTest({ upstream, config }), await gatewayForTest({ upstream, config })];
    let messages: unknown[] = [];
    for (let step = 1; step <= 6; step += 1) {
      const gateway = gateways[step % 2] ?? expect.fail('no gateway');
      messages = [...messages, { role: 'user', content: `Question ${step}` }];
      upstream.next(chatMessage(`Answer ${step}`));
      const { choices } = await (await gateway.post({ model: 'up/native', messages })).json();
      messages = [...messages, choices[0].message];
      // What one gateway recorded is found by the other when it is written.
      await listOf(gateway);
    }
    const records = await listOf(gateways[0] ?? expect.fail('no gateway'), '?order=asc');
    expect(records.map(({ conversation }) => conversation.step)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(records.map(({ conversation }) => conversation.id)).size).toBe(1);
  });
});

it('A-250: what is asked by WebSocket and in the background is recorded when it is over, each under its own name', async () => {
  const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' } } });
  const client = await SocketClient.open(gateway.url);
  upstream.next(chatStream('By socket.'), chatStream('In the background.'));
  const turn = await client.turn({ model: 'up/native', input: 'Hello' });
  client.socket.close();
  const made = await (
    await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'up/native', input: 'Hello again', background: true }),
    })
  ).json();
  while ((await (await fetch(`${gateway.url}/v1/responses/${made.id}`)).json()).status !== 'completed') await sleep(5);
  const [first, second] = await listOf(gateway, '?order=asc&whole=true');
  expect(first).toMatchObject({ method: 'WEBSOCKET', wire: 'openai-responses', finish: 'stop', status: 200 });
  expect(`resp_${first?.replyId}`).toBe(turn.id);
  expect(first?.said?.reply.join('')).toContain('response.completed');
  expect(second).toMatchObject({ method: 'BACKGROUND', finish: 'stop', status: 200 });
  expect(await listOf(gateway, `?name=${made.id}`)).toMatchObject([{ id: second?.id }]);
});

it('what is too long is cut, and the record says what is missing', async () => {
  const gateway = await gatewayForTest({
    upstream,
    config: { records: { level: 'full', exchangeBytes: 20_000 } },
  });
  upstream.next(chatStream('x'.repeat(30_000), { pieces: 1_000 }));
  const body = { model: 'up/native', stream: true, messages: [{ role: 'user', content: 'y'.repeat(15_000) }] };
  expect(await (await gateway.post(body)).text()).toContain('[DONE]');
  const record: RecordHead = await (await fetch(`${gateway.url}/records/last`)).json();
  const said = record.said ?? expect.fail('nothing was kept');
  expect(said.request.body).toHaveLength(JSON.stringify(body).length);
  expect(said.gaps.map(({ part }) => part)).toEqual(expect.arrayContaining(['sent.0.body', 'sent.0.pieces', 'events']));
  expect(JSON.stringify(said).length).toBeLessThan(30_000);
  const [{ missing = 0 } = {}] = said.gaps.filter(({ part }) => part === 'sent.0.body');
  expect((said.sent[0]?.body.length ?? 0) + missing).toBe(JSON.stringify(upstream.requests[0]?.body).length);
});

it('a client that goes leaves the record of what came until then', async () => {
  const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' } } });
  upstream.next({
    steps: [...chatStream('It is blue', { pieces: 20, finishReason: null, done: false }).steps, { stall: true }],
  });
  const leaving = new AbortController();
  const body = JSON.stringify({ ...hello, stream: true });
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body, signal: leaving.signal });
  const reader = answer.body?.getReader();
  let text = '';
  while (!text.includes('blue')) text += new TextDecoder().decode((await reader?.read())?.value);
  leaving.abort();
  await gateway.record(({ status }) => status === 499);
  const [record] = await listOf(gateway, '?whole=true');
  expect(record).toMatchObject({ status: 499, error: { code: 'client-gone' } });
  expect(record?.said?.sent[0]?.pieces.join('')).toContain('blue');
});

it('A-254: what is too old is archived and deleted when a gateway starts', async () => {
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  const store = `sqlite:${folder.inside('records.db')}`;
  const before = await startTestGateway({ upstream, config: { store, records: { level: 'full' } } });
  await timeOfReply(before);
  await before.drain();
  const retention = { days: 1e-9, archive: folder.inside('archive') };
  const after = await gatewayForTest({ upstream, config: { store, records: { level: 'full', retention } } });
  while ((await listOf(after)).length > 0) await sleep(20);
  const [name = ''] = await readdir(folder.inside('archive'));
  const archived = gunzipSync(await readFile(folder.inside(`archive/${name}`))).toString('utf8');
  expect(JSON.parse(archived)).toMatchObject({ level: 'full', status: 200, said: { sent: [{ method: 'POST' }] } });
});
