import { type PlatformOptions, type QwenChatOptions, startQwenChat } from '@dragoman/testkit';
import type OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatewayForTest } from './for-test.ts';
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
} from './platform-setup.ts';

type OneAtATime = NonNullable<PlatformOptions['oneAtATime']>;

interface Busy extends OneAtATime {
  readonly answer?: PlatformOptions['answer'];
  readonly pace?: number;
  readonly refusesWith200?: boolean;
}

const busyWords = { busy: { words: ['The conversation is busy'] }, lost: { words: ['is not exist'] } };

const start = async (
  options: Busy,
  { turn = 5000, conversation = { ...description, ...busyWords } as object } = {},
) => {
  const { answer = ({ text }) => `on ${text}`, pace = 0, refusesWith200 = false, ...oneAtATime } = options;
  const isLinear = !JSON.stringify(conversation).includes('{{parent}}');
  const platform = await platformForTest({ answer, pace, refusesWith200, oneAtATime, linear: isLinear });
  const upstreams = upstreamsFor(platform, conversation);
  const gateway = await gatewayForTest({ config: { upstreams, timeouts: { turn } } });
  const messages = () => platform.requests.filter(({ path }) => path.endsWith('/messages')).length;
  return { platform, gateway, client: clientOf(gateway), messages };
};

/** A reply that the client leaves at its first words. */
async function leave(client: OpenAI, history: Parameters<typeof ask>[1]): Promise<void> {
  const stream = client.chat.completions.stream({ model, messages: [...history] });
  stream.on('content', () => stream.abort());
  await expect(stream.finalMessage()).rejects.toThrow('abort');
}

const greeted = [user('hi'), said('on hi')];

describe('a platform that takes one message of a conversation at a time', () => {
  it.each([
    ['409', { status: 409 }],
    ['423', { status: 423 }],
    ['words with status 200', { status: 409, refusesWith200: true }],
    ['words with status 400', { status: 400 }],
  ])('and keeps its stream open after the end of a reply: the next message waits (%s)', async (_, refusal) => {
    const { platform, client, messages } = await start({ ...refusal, lingers: 250 });
    expect(await ask(client, [user('hi')])).toBe('on hi');
    expect(await ask(client, [...greeted, user('go on')])).toBe('on go on');
    expect(textsOf(platform)).toEqual([['hi', 'go on']]);
    // Not one was refused.
    expect(messages()).toBe(2);
  });

  it.each([
    ['409', { status: 409 }],
    ['words with status 200', { status: 409, refusesWith200: true }],
  ])(
    'and takes a while to notice that the client has left: the next message is sent until it is taken (%s)',
    async (_, refusal) => {
      const answer: Busy['answer'] = ({ text }) => (text === 'long' ? { stall: 'I begin' } : `on ${text}`);
      const { platform, client, messages } = await start({ ...refusal, answer, notices: 400 });
      await ask(client, [user('hi')]);
      await leave(client, [...greeted, user('long')]);
      expect(await ask(client, [...greeted, user('short')])).toBe('on short');
      expect(textsOf(platform)).toEqual([['hi', 'long', 'short']]);
      expect(messages()).toBeGreaterThan(3);
    },
  );

  it.each([
    ['409', { status: 409 }],
    ['429, as for too many requests', { status: 429 }],
  ])('and is asked twice from one place: both are answered, one after the other (%s)', async (_, refusal) => {
    const { platform, client } = await start({ ...refusal, pace: 30 });
    await ask(client, [user('hi')]);
    const asked = ['one', 'two', 'three'].map((text) => ask(client, [...greeted, user(text)]));
    expect(await Promise.all(asked)).toEqual(['on one', 'on two', 'on three']);
    expect(textsOf(platform).map((texts) => [...texts].sort())).toEqual([['hi', 'one', 'three', 'two']]);
  });

  it('without parents goes on in its conversation, too', async () => {
    const { platform, client } = await start(
      { status: 409, lingers: 250 },
      { conversation: { ...linear, ...busyWords } },
    );
    await ask(client, [user('hi')]);
    expect(await ask(client, [...greeted, user('go on')])).toBe('on go on');
    expect(textsOf(platform)).toEqual([['hi', 'go on']]);
  });
});

describe('a conversation that stays busy', () => {
  const stuck: Busy['answer'] = ({ text }) => (text === 'long' ? { stall: 'I begin' } : `on ${text}`);

  it('is waited for no longer than a turn; then the client hears so, and nothing has moved on', async () => {
    const { platform, gateway, client } = await start({ status: 409, answer: stuck, notices: 1500 }, { turn: 400 });
    await ask(client, [user('hi')]);
    await leave(client, [...greeted, user('long')]);
    const reply = await gateway.post({ model, messages: [...greeted, user('short')] });
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await reply.json()).toMatchObject({ error: { code: 'conversation_busy' } });
    const again = () => ask(client, [...greeted, user('short')]).catch(() => 'still busy');
    await expect.poll(again, { timeout: 10_000 }).toBe('on short');
    expect(platform.chats.size).toBe(1);
  });

  it('is waited for no longer than the client waits', async () => {
    const { client, messages } = await start({ status: 409, answer: stuck, notices: 1000 });
    await ask(client, [user('hi')]);
    await leave(client, [...greeted, user('long')]);
    const left = new AbortController();
    const asked = client.chat.completions.create(
      { model, messages: [...greeted, user('short')] },
      { signal: left.signal },
    );
    setTimeout(() => left.abort(), 150);
    await expect(asked).rejects.toThrow('abort');
    const sent = messages();
    expect(await ask(client, [...greeted, user('other')])).toBe('on other');
    expect(messages()).toBeGreaterThan(sent);
  });
});

describe("Qwen's chat in progress", () => {
  const qwen = async (options: QwenChatOptions) => {
    const platform = await startQwenChat(options);
    onTestFinished(() => platform.close());
    const upstream = {
      wire: 'qwen-chat',
      baseUrl: platform.baseUrl,
      models: { m: { toolCalling: 'text' } },
    };
    const upstreams = { platform: { ...upstream, models: { 'qwen-max': upstream.models.m } } };
    const gateway = await gatewayForTest({ config: { upstreams, models: { [model]: 'platform/qwen-max' } } });
    const paths = () => platform.requests.map(({ path }) => path.split('?')[0]?.split('/').at(-1));
    return { platform, client: clientOf(gateway), paths };
  };

  it('is waited for where the stream is still open after the mark', async () => {
    const { client, paths } = await qwen({ answer: ({ text }) => `on ${text}`, oneAtATime: { lingers: 250 } });
    expect(await ask(client, [user('hi')])).toBe('on hi');
    expect(await ask(client, [...greeted, user('go on')])).toBe('on go on');
    expect(paths()).toEqual(['new', 'completions', 'completions']);
  });

  it('is stopped where the client leaves, and only then the next message is sent', async () => {
    const answer: QwenChatOptions['answer'] = ({ text }) =>
      text === 'long' ? { text: 'I begin', breaks: 'stall' } : `on ${text}`;
    const { platform, client, paths } = await qwen({ answer, oneAtATime: { lingers: 0 } });
    await ask(client, [user('hi')]);
    await leave(client, [...greeted, user('long')]);
    expect(await ask(client, [...greeted, user('short')])).toBe('on short');
    expect(paths()).toEqual(['new', 'completions', 'completions', 'stop', 'completions']);
    expect([...platform.chats.values()].map((turns) => turns.map(({ parent }) => parent))).toEqual([
      [null, 'chat-1-turn-1', 'chat-1-turn-1'],
    ]);
  });

  it('is waited for where two go on from one place', async () => {
    const { platform, client } = await qwen({ answer: ({ text }) => `on ${text}`, oneAtATime: { lingers: 100 } });
    await ask(client, [user('hi')]);
    const asked = ['one', 'two'].map((text) => ask(client, [...greeted, user(text)]));
    expect(await Promise.all(asked)).toEqual(['on one', 'on two']);
    expect(platform.chats.size).toBe(1);
  });
});
