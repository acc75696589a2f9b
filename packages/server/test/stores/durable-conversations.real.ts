import { sample } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { gatewayForTest } from '../for-test.ts';
import {
  ask,
  clientOf,
  description,
  linear,
  model,
  platformForTest,
  said,
  textsOf,
  upstreamsFor,
  user,
} from '../platform-setup.ts';
import { type PostgresServer, query, startPostgres } from '../postgres-server.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { startTestGateway, type TestGateway } from '../start-test-gateway.ts';
import { testTerminal } from '../test-terminal.ts';
import { hasPostgres, storeKinds } from './store-kinds.ts';

/** How often the log of these gateways names a warning. */
function warningsIn(gateways: readonly TestGateway[], code: string): number {
  const records = gateways.flatMap((gateway) => gateway.records());
  return records.reduce((sum, { warnings }) => sum + Number(Object(warnings)[code] ?? 0), 0);
}

describe.each(sample(storeKinds, 1))('conversations with their store in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  it.each([
    { name: 'that names parents', conversation: description, options: {} },
    { name: 'that knows none', conversation: linear, options: { linear: true } },
  ])('A-223 B-156: a restart leaves a platform $name in the same chat', async ({ conversation, options }) => {
    const platform = await platformForTest({ answer: ({ before }) => `answer ${before.length + 1}`, ...options });
    const config = { upstreams: upstreamsFor(platform, conversation), store: kind.config(await kind.create()) };
    const history = [user('I am Ann.')];
    for (let round = 1; round <= 3; round += 1) {
      const gateway = await startTestGateway({ config });
      const reply = await ask(clientOf(gateway), history);
      expect(reply).toBe(`answer ${round}`);
      history.push(said(reply), user(`question ${round}`));
      await gateway.drain();
    }
    expect(textsOf(platform)).toEqual([['I am Ann.', 'question 1', 'question 2']]);
  });

  it('A-222: after a restart keys and identities are as far apart as before', async () => {
    const platform = await platformForTest({ answer: () => 'hello' });
    const keys = ['ann', 'bob'].map((name) => ({ name, key: `key-of-${name}` }));
    const config = { upstreams: upstreamsFor(platform), keys, store: kind.config(await kind.create()) };
    const before = await startTestGateway({ config });
    await ask(clientOf(before, 'key-of-ann', { 'x-conversation-id': 'one' }), [user('hi')]);
    await before.drain();
    const after = await gatewayForTest({ config });
    const next = [user('hi'), said('hello'), user('and?')];
    await ask(clientOf(after, 'key-of-bob', { 'x-conversation-id': 'one' }), next);
    await ask(clientOf(after, 'key-of-ann', { 'x-conversation-id': 'two' }), next);
    await ask(clientOf(after, 'key-of-ann', { 'x-conversation-id': 'one' }), next);
    expect([...platform.chats.values()].map((turns) => turns.length)).toEqual([2, 1, 1]);
  });

  it('A-225: a message that was continued before a restart is a branch after it', async () => {
    const platform = await platformForTest({ answer: ({ text }) => `on ${text}` });
    const config = { upstreams: upstreamsFor(platform), store: kind.config(await kind.create()) };
    const before = await startTestGateway({ config });
    const history = [user('hi'), said(await ask(clientOf(before), [user('hi')]))];
    await ask(clientOf(before), [...history, user('one')]);
    await before.drain();
    const after = await gatewayForTest({ config });
    await ask(clientOf(after), [...history, user('two')]);
    await after.record(({ warnings }) => Object(warnings)['conversation-branched'] === 1);
    expect([...platform.chats.values()][0]?.map(({ parent, text }) => `${parent} ${text}`)).toEqual([
      'null hi',
      'chat-1-turn-1 one',
      'chat-1-turn-1 two',
    ]);
  });
});

describe('dragoman explain', () => {
  it('tells from the store where a request would go on, and changes nothing there', async () => {
    const folder = await makeScratchFolder({});
    onTestFinished(() => folder.remove());
    const platform = await platformForTest({ answer: () => 'hello' });
    const keys = ['ann', 'bob'].map((name) => ({ name, key: `key-of-${name}` }));
    const config = { upstreams: upstreamsFor(platform), keys, store: `sqlite:${folder.inside('store.db')}` };
    const named = { 'x-conversation-id': 'mine' };
    const before = await startTestGateway({ config });
    await ask(clientOf(before, 'key-of-ann', named), [user('hi')]);
    await before.drain();
    await folder.write('dragoman.json', JSON.stringify(config));
    await folder.write('memory.json', JSON.stringify({ ...config, store: 'memory' }));
    const input = JSON.stringify({ model, messages: [user('hi'), said('hello'), user('go on')], user: 'mine' });
    const explained = async (...flags: readonly string[]) => {
      const terminal = testTerminal({ cwd: folder.path, input });
      expect(await run(['explain', ...flags], terminal)).toBe(0);
      return { conversation: JSON.parse(terminal.out()).conversation, err: terminal.err() };
    };
    const continued = { kind: 'continue', id: 'chat-1', parent: 'chat-1-turn-1', depth: 1 };
    expect(await explained('--as', 'ann')).toEqual({ conversation: continued, err: '' });
    expect(await explained('--as', 'bob')).toEqual({ conversation: { kind: 'diverged' }, err: '' });
    expect(await explained()).toMatchObject({
      conversation: { kind: 'unreachable' },
      err: expect.stringContaining('--as NAME'),
    });
    expect(await explained('--config', 'memory.json')).toMatchObject({
      err: expect.stringContaining('only the running gateway'),
    });
    // Looking has taken nothing.
    const after = await gatewayForTest({ config });
    await ask(clientOf(after, 'key-of-ann', named), [user('hi'), said('hello'), user('go on')]);
    expect(textsOf(platform)).toEqual([['hi', 'go on']]);
    expect(warningsIn([after], 'conversation-branched')).toBe(0);
  });
});

// Where PostgreSQL is not installed, these show up as skipped.
describe.skipIf(!hasPostgres)('conversations of several gateways on one PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.close());

  it('A-223 B-156: two gateways serve the same conversations in turn, and none waits, forks or is told twice', async () => {
    const platform = await platformForTest({ answer: ({ text, before }) => `${before.length}: ${text}` });
    const keys = ['ann', 'bob', 'eve'].map((name) => ({ name, key: `key-of-${name}` }));
    const config = { upstreams: upstreamsFor(platform), keys, store: { postgres: await server.createDatabase() } };
    const nodes = [await gatewayForTest({ config }), await gatewayForTest({ config })];
    const talk = async (at: number): Promise<void> => {
      const history = [user('hi')];
      for (let turn = 0; turn < 12; turn += 1) {
        const node = nodes[(at + turn) % nodes.length];
        if (node === undefined) throw new Error('there is no such gateway');
        const client = clientOf(node, `key-of-${keys[at % keys.length]?.name}`, { 'x-conversation-id': `chat ${at}` });
        const question = turn === 0 ? 'hi' : `${at} asks ${turn}`;
        const reply = await ask(client, history);
        expect(reply).toBe(`${turn}: ${question}`);
        history.push(said(reply), user(`${at} asks ${turn + 1}`));
      }
    };
    await Promise.all(Array.from({ length: 9 }, (_, at) => talk(at)));
    expect(platform.chats.size).toBe(9);
    for (const turns of platform.chats.values()) expect(turns).toHaveLength(12);
    expect(warningsIn(nodes, 'conversation-branched') + warningsIn(nodes, 'conversation-replayed')).toBe(0);
  });

  it.each([
    { name: 'with parents', conversation: description, options: {}, warning: 'conversation-branched' },
    { name: 'without', conversation: linear, options: { linear: true }, warning: 'conversation-replayed' },
  ])(
    'A-226: of two requests at once through two gateways, one goes on and one says that it does not, $name',
    async ({ conversation, options, warning }) => {
      const platform = await platformForTest({ answer: ({ text }) => `on ${text.slice(-3)}`, ...options });
      const config = {
        upstreams: upstreamsFor(platform, conversation),
        store: { postgres: await server.createDatabase() },
      };
      const nodes = [await gatewayForTest({ config }), await gatewayForTest({ config })];
      const rounds = 12;
      for (let round = 0; round < rounds; round += 1) {
        const first = user(`round ${round}`);
        const [client, other] = nodes.map((node) => clientOf(node));
        if (client === undefined || other === undefined) throw new Error('there are two gateways');
        const history = [first, said(await ask(client, [first]))];
        const replies = await Promise.all([
          ask(client, [...history, user(`${round} one`)]),
          ask(other, [...history, user(`${round} two`)]),
        ]);
        expect(replies).toEqual(['on one', 'on two']);
        expect(warningsIn(nodes, warning)).toBe(round + 1);
      }
      const followers = [...platform.chats.values()].map((turns) => turns.length - 1);
      const most = 'linear' in options ? 1 : 2;
      expect(followers.filter((count) => count > 0)).toEqual(Array.from({ length: rounds }, () => most));
    },
  );

  it('B-157: requests of one conversation through two gateways at once follow each other with chained parents', async () => {
    const platform = await platformForTest({ answer: ({ text }) => `on ${text}`, pace: 100 });
    const upstreams = upstreamsFor(platform, description, { parallel: 'queue' });
    const config = { upstreams, store: { postgres: await server.createDatabase() } };
    const nodes = [await gatewayForTest({ config }), await gatewayForTest({ config })];
    const clients = nodes.map((node) => clientOf(node, 'any', { 'x-conversation-id': 'mine' }));
    const [client] = clients;
    if (client === undefined) throw new Error('there are two gateways');
    const history = [user('hi'), said(await ask(client, [user('hi')]))];
    const texts = ['one', 'two'];
    const replies = clients.map((each, at) => ask(each, [...history, user(texts[at] ?? '')]));
    expect(await Promise.all(replies)).toEqual(['on one', 'on two']);
    const [turns = [], ...others] = platform.chats.values();
    expect(others).toEqual([]);
    expect(turns.map(({ parent }) => parent)).toEqual([null, 'chat-1-turn-1', 'chat-1-turn-2']);
    expect(warningsIn(nodes, 'conversation-queued')).toBe(1);
  });

  it('B-154 B-166: while the database is away histories are replayed, which is told, and then all goes on as before', async () => {
    const platform = await platformForTest({ answer: ({ before }) => `answer ${before.length + 1}` });
    const database = await server.createDatabase();
    const gateway = await gatewayForTest({
      config: { upstreams: upstreamsFor(platform), store: { postgres: database } },
    });
    const client = clientOf(gateway);
    const history = [user('I am Ann.')];
    history.push(said(await ask(client, history)), user('Who am I?'));
    await server.stop();
    const replayed = await ask(client, history);
    expect(replayed).toBe('answer 1');
    const [, texts = []] = textsOf(platform);
    for (const text of ['I am Ann.', 'answer 1', 'Who am I?']) expect(texts[0]).toContain(text);
    await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
    expect((await (await fetch(`${gateway.url}/health`)).json()).store).toMatchObject({ status: 'failing' });
    await server.start();
    while ((await query(database, 'SELECT key FROM dragoman_points')).length < 2);
    history.push(said(replayed), user('And who are you?'));
    expect(await ask(client, history)).toBe('answer 2');
    expect(textsOf(platform)[1]?.at(-1)).toBe('And who are you?');
  });
});
