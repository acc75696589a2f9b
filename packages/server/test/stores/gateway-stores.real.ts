import { chatStream, type ScriptedUpstream, sample } from '@dragoman/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { type PostgresServer, query, startPostgres } from '../postgres-server.ts';
import { readTool, startTestGateway, type TestGateway } from '../start-test-gateway.ts';
import { nativeStream } from '../strict-upstream.ts';
import { hasPostgres, storeKinds } from './store-kinds.ts';

const model = 'up/native';
let upstream: ScriptedUpstream;

const clientOf = (gateway: TestGateway) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });

/** What the upstream was sent last, as JSON text. */
const lastBody = () => JSON.stringify(upstream.requests.at(-1)?.body);

async function healthOf(gateway: TestGateway): Promise<unknown> {
  const health = await (await fetch(`${gateway.url}/health`)).json();
  return health.store;
}

beforeEach(async () => {
  upstream = await upstreamForTest();
});

describe.each(sample(storeKinds, 1))('a gateway with its store in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  it('B-156 A-223 C-131: a response is continued, read and deleted after a restart', async () => {
    const config = { store: kind.config(await kind.create()) };
    const before = await startTestGateway({ upstream, config });
    upstream.next(chatStream('Nice to meet you, Ann.'), chatStream('You are Ann.'));
    const first = await clientOf(before).responses.create({ model, input: 'I am Ann.' });
    await before.drain();

    const after = await gatewayForTest({ upstream, config });
    const client = clientOf(after);
    const second = await client.responses.create({ model, input: 'Who am I?', previous_response_id: first.id });
    expect(second.output_text).toBe('You are Ann.');
    for (const text of ['I am Ann.', 'Nice to meet you, Ann.', 'Who am I?']) expect(lastBody()).toContain(text);
    expect((await client.responses.retrieve(first.id)).output_text).toBe('Nice to meet you, Ann.');
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ model, input: 'And now?', previous_response_id: second.id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  it('B-156: the events of a response in the background can be read after a restart', async () => {
    const config = { store: kind.config(await kind.create()) };
    const before = await startTestGateway({ upstream, config });
    upstream.next(chatStream('It is blue.'));
    const made = await clientOf(before).responses.create({ model, input: 'Heliotrope?', background: true });
    await before.drain();
    const after = await gatewayForTest({ upstream, config });
    const answer = await fetch(`${after.url}/v1/responses/${made.id}?stream=true`);
    expect(await answer.text()).toContain('"type":"response.completed"');
  });

  it('E-012 A-223: an upstream gets back an id that was too long for ours after a restart', async () => {
    const config = { store: kind.config(await kind.create()) };
    const id = `functions.read:${'9'.repeat(200)}`;
    const ask = (gateway: TestGateway, messages: readonly unknown[]) =>
      gateway.post({ model, messages, tools: [readTool] });
    const question = { role: 'user', content: 'Read a.txt' };
    const before = await startTestGateway({ upstream, config });
    upstream.next(nativeStream([[id, 'read', '{"path":"a.txt"}']]), chatStream('Done.'));
    const { choices } = await (await ask(before, [question])).json();
    const { message } = choices[0];
    const callId: string = message.tool_calls[0].id;
    expect(callId).toMatch(/^call_[0-9a-f]{24}$/);
    await before.drain();
    const after = await gatewayForTest({ upstream, config });
    await (await ask(after, [question, message, { role: 'tool', tool_call_id: callId, content: 'empty' }])).text();
    expect(lastBody()).toContain(id);
    expect(lastBody()).not.toContain(callId);
  });

  it('tells of its store in /health', async () => {
    const gateway = await gatewayForTest({ config: { store: kind.config(await kind.create()) } });
    expect(await healthOf(gateway)).toEqual({ kind: kind.id, status: 'ok', waiting: 0 });
  });
});

// Where PostgreSQL is not installed, these show up as skipped.
describe.skipIf(!hasPostgres)('gateways on one PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.close());

  it('B-154 C-131: what one gateway stored, the other continues at once, reads and deletes', async () => {
    const config = { store: { postgres: 'env:DATABASE' } };
    const env = { DATABASE: await server.createDatabase() };
    const [one, other] = await Promise.all([
      gatewayForTest({ upstream, config, env }),
      gatewayForTest({ upstream, config, env }),
    ]);
    let previous: string | null = null;
    for (let turn = 0; turn < 6; turn += 1) {
      upstream.next(chatStream(`Answer ${turn}.`));
      const client = clientOf(turn % 2 === 0 ? one : other);
      const made: OpenAI.Responses.Response = await client.responses.create({
        model,
        input: `Question ${turn}.`,
        previous_response_id: previous,
      });
      for (let past = 0; past < turn; past += 1) expect(lastBody()).toContain(`Answer ${past}.`);
      previous = made.id;
    }
    const last = previous ?? '';
    expect((await clientOf(one).responses.retrieve(last)).output_text).toBe('Answer 5.');
    await clientOf(one).responses.delete(last);
    await expect(clientOf(other).responses.retrieve(last)).rejects.toMatchObject({ status: 404 });
  });

  it('B-166: a database that goes away breaks no reply, and what was stored meanwhile is written when it is back', async () => {
    const database = await server.createDatabase();
    const config = { store: { postgres: database } };
    const gateway = await gatewayForTest({ upstream, config });
    const client = clientOf(gateway);
    upstream.next(chatStream('One.'), chatStream('Two.'), chatStream('Three.'));
    const one = await client.responses.create({ model, input: 'First.' });
    while ((await query(database, 'SELECT key FROM dragoman_responses')).length === 0);
    await server.stop();
    const two = await client.responses.create({ model, input: 'Second.' });
    expect(two.output_text).toBe('Two.');
    // This gateway still has it, and nobody knows of the other.
    expect((await client.responses.retrieve(two.id)).output_text).toBe('Two.');
    await expect(client.responses.retrieve(one.id)).rejects.toMatchObject({ status: 503, code: 'store_failed' });
    await expect(
      client.responses.create({ model, input: 'Third.', previous_response_id: one.id }),
    ).rejects.toMatchObject({ status: 503, code: 'store_failed' });
    expect(await healthOf(gateway)).toMatchObject({ kind: 'postgres', status: 'failing' });
    await server.start();
    while ((await query(database, 'SELECT key FROM dragoman_responses')).length < 2);
    const other = await gatewayForTest({ upstream, config });
    expect((await clientOf(other).responses.retrieve(two.id)).output_text).toBe('Two.');
    const three = await client.responses.create({ model, input: 'Third.', previous_response_id: one.id });
    expect(three.output_text).toBe('Three.');
    const lines = gateway.records().flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
    expect(lines.filter((line) => line.startsWith('the store fails'))).toHaveLength(1);
    expect(lines.filter((line) => line === 'the store works again')).toHaveLength(1);
  });

  it('starts without its database, and uses it as soon as it is there', async () => {
    const database = await server.createDatabase();
    await server.stop();
    const gateway = await gatewayForTest({ upstream, config: { store: { postgres: database } } });
    upstream.next(chatStream('One.'));
    const one = await clientOf(gateway).responses.create({ model, input: 'First.' });
    await server.start();
    const rows = async () => query(database, 'SELECT key FROM dragoman_responses').catch(() => []);
    while ((await rows()).length === 0);
    expect((await clientOf(gateway).responses.retrieve(one.id)).output_text).toBe('One.');
  });

  it('does not start with a database that does not exist', async () => {
    const address = (await server.createDatabase()).replace(/test_\d+/, 'nowhere');
    await expect(startTestGateway({ config: { store: { postgres: address } } })).rejects.toThrow(
      /nowhere: database "nowhere" does not exist/,
    );
  });
});

it('does not start with a SQLite file that it cannot make, or that is something else', async () => {
  await expect(startTestGateway({ config: { store: 'sqlite:/dev/null/x.db' } })).rejects.toThrow('/dev/null');
  const file = new URL(import.meta.url).pathname;
  await expect(startTestGateway({ config: { store: `sqlite:${file}` } })).rejects.toThrow('not a database');
});
