import { setTimeout as sleep } from 'node:timers/promises';
import { runs, sample, seededRandom } from '@dragoman/testkit';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts';
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
import { makeScratchFolder, type ScratchFolder } from '../scratch-folder.ts';
import { readTool } from '../start-test-gateway.ts';
import { storeKinds } from './store-kinds.ts';

/** Starting a process takes a second, more where much else runs. */
const patience = 180_000;

let folder: ScratchFolder;
const running = new Set<GatewayProcess>();

beforeEach(async () => {
  folder = await makeScratchFolder({});
});

afterEach(async () => {
  await Promise.all([...running].map((gateway) => gateway.kill()));
  running.clear();
  await folder.remove();
});

async function start(config: object, name = 'gateway'): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(folder.inside(`${name}.json`), config);
  running.add(gateway);
  return gateway;
}

/** Begins a streamed request and resolves when its first text has come. The client stays, and reads nothing more. */
async function beginStream(gateway: GatewayProcess, messages: readonly ChatCompletionMessageParam[]): Promise<void> {
  const stream = await clientOf(gateway).chat.completions.create({ model, messages: [...messages], stream: true });
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) throw new Error('the reply ended before it had a text');
    if (value.choices[0]?.delta.content) return;
  }
}

describe.each(sample(storeKinds, 1))('gateways that end, with their store in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  it('A-223 B-156: between a call and its result, when it is told to stop', { timeout: patience }, async () => {
    const platform = await platformForTest({
      answer: ({ before }) =>
        before.length === 0
          ? '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>'
          : 'It says hello.',
    });
    const config = { upstreams: upstreamsFor(platform), store: kind.config(await kind.create()) };
    const question = user('What is in a.txt?');
    const turn = async (gateway: GatewayProcess, messages: readonly ChatCompletionMessageParam[]) => {
      const tools = [{ type: 'function' as const, function: readTool.function }];
      const reply = await clientOf(gateway).chat.completions.create({ model, messages: [...messages], tools });
      const message = reply.choices[0]?.message;
      if (message === undefined) throw new Error('there is no answer');
      return message;
    };
    const before = await start(config);
    const calling = await turn(before, [question]);
    expect(await before.stop()).toBe(0);
    const after = await start(config);
    const id = calling.tool_calls?.[0]?.id ?? '';
    const final = await turn(after, [question, calling, { role: 'tool', tool_call_id: id, content: 'hello' }]);
    expect(final.content).toBe('It says hello.');
    const [texts = [], ...others] = textsOf(platform);
    expect(others).toEqual([]);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toContain('hello');
    expect(texts[1]).not.toContain('What is in a.txt?');
    expect(after.log()).not.toContain('conversation-');
  });

  it.each([
    { name: 'names parents', conversation: description, options: {}, warning: 'conversation-branched' },
    { name: 'knows none', conversation: linear, options: { linear: true }, warning: 'conversation-replayed' },
  ])(
    'A-223 A-226: killed in the middle of a stream of a platform that $name',
    { timeout: patience },
    async ({ conversation, options, warning }) => {
      const platform = await platformForTest({ answer: ({ text }) => `long answer to ${text}`, pace: 40, ...options });
      const upstreams = upstreamsFor(platform, conversation);
      const config = { upstreams, store: kind.config(await kind.create()) };
      const before = await start(config);
      const history = [user('one')];
      history.push(said(await ask(clientOf(before), history)), user('two'));
      await beginStream(before, history);
      await before.kill();
      const after = await start(config);
      const again = await ask(clientOf(after), history);
      expect(again).toContain('two');
      history.push(said(again), user('three'));
      expect(await ask(clientOf(after), history)).toBe('long answer to three');
      // The message was heard before the gateway was killed, so saying it again is no plain continuation.
      expect(after.log().split(warning)).toHaveLength(2);
      const told = textsOf(platform).map((texts) => texts.length);
      expect(told).toEqual('linear' in options ? [2, 2] : [4]);
      expect([...platform.chats.values()].at(-1)?.at(-1)).toMatchObject({ text: 'three' });
    },
  );

  it('A-222 A-223: killed anywhere, again and again: nothing mixes, and every next request is answered', {
    timeout: patience,
  }, async () => {
    const seed = Number(process.env.DRAGOMAN_SEED ?? Date.now() % 100_000);
    const random = seededRandom(seed);
    const platform = await platformForTest({ answer: ({ text }) => `heard ${text.slice(-12)}`, pace: 4 });
    const place = await kind.create();
    const config = { upstreams: upstreamsFor(platform), store: kind.config(place) };
    const histories = ['ann', 'bob', 'eve'].map((name) => ({ name, history: [user(`${name} begins`)] }));
    for (let round = 0; round < runs(4); round += 1) {
      const gateway = await start(config);
      const client = clientOf(gateway);
      const talks = histories.map(async ({ name, history }) => {
        for (let turn = 0; turn < 20; turn += 1) {
          const reply = await ask(client, history);
          history.push(said(reply), user(`${name} ${round} ${turn}`));
        }
      });
      const delay = random() * 400;
      await Promise.race([sleep(delay), Promise.allSettled(talks)]);
      await gateway.kill();
      await Promise.allSettled(talks);
    }
    const gateway = await start(config);
    for (const { name, history } of histories) {
      const reply = await ask(clientOf(gateway), history);
      expect(reply, `seed ${seed}`).toContain('heard ');
      history.push(said(reply), user(`${name} ends`));
      expect(await ask(clientOf(gateway), history), `seed ${seed}`).toBe(`heard ${`${name} ends`.slice(-12)}`);
    }
    expect(await gateway.stop()).toBe(0);
    for (const texts of textsOf(platform)) {
      const names = histories.filter(({ name }) => texts.some((text) => text.includes(name)));
      expect(names.length, `seed ${seed}: ${texts.join('|')}`).toBeLessThanOrEqual(1);
    }
    expect(gateway.log(), `seed ${seed}`).not.toContain('the store fails');
    const client = kind.connect(place);
    try {
      const [points = []] = await client.run([{ sql: 'SELECT body FROM dragoman_points' }]);
      expect(points.length).toBeGreaterThan(0);
      for (const { body } of points) expect(JSON.parse(String(body))).toMatchObject({ depth: expect.any(Number) });
      if (kind.id === 'sqlite') {
        expect(await client.run([{ sql: 'PRAGMA integrity_check' }])).toEqual([[{ integrity_check: 'ok' }]]);
      }
    } finally {
      await client.close();
    }
  });

  it.runIf(kind.id === 'postgres')(
    'A-223 B-156: of two gateways that serve the same conversations in turn one is killed, and the other goes on',
    { timeout: patience },
    async () => {
      const platform = await platformForTest({ answer: ({ text, before }) => `${before.length}: ${text}` });
      const keys = ['ann', 'bob'].map((name) => ({ name, key: `key-of-${name}` }));
      const config = { upstreams: upstreamsFor(platform), keys, store: kind.config(await kind.create()) };
      const nodes = await Promise.all([start(config, 'one'), start(config, 'two')]);
      const [one, two] = nodes;
      const talks = Array.from({ length: 6 }, (_, at) => ({ at, history: [user(`${at} begins`)] }));
      const say = async (
        { at, history }: (typeof talks)[number],
        { node, turn }: { node: GatewayProcess; turn: number },
      ) => {
        const last = history.at(-1)?.content;
        const reply = await ask(clientOf(node, `key-of-${keys[at % 2]?.name}`), history);
        expect(reply).toBe(`${turn}: ${last}`);
        history.push(said(reply), user(`${at} asks ${turn}`));
      };
      for (let turn = 0; turn < 10; turn += 1) {
        await Promise.all(talks.map((talk) => say(talk, { node: (talk.at + turn) % 2 === 0 ? one : two, turn })));
      }
      await one.kill();
      for (let turn = 10; turn < 14; turn += 1) {
        await Promise.all(talks.map((talk) => say(talk, { node: two, turn })));
      }
      expect(platform.chats.size).toBe(6);
      for (const turns of platform.chats.values()) expect(turns).toHaveLength(14);
      expect(one.log() + two.log()).not.toContain('conversation-');
    },
  );
});
