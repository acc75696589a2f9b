import {
  chatMessage,
  chatStream,
  errorReply,
  jsonReply,
  type PlatformOptions,
  type QwenChatOptions,
  type ScriptedReply,
  type ScriptedUpstream,
  sample,
  startQwenChat,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description, linear, model, platformForTest, said, textsOf, upstreamsFor, user } from './platform-setup.ts';
import { hello } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

function sse(data: string): ScriptedReply {
  return { steps: [{ text: `data: ${data}\n\n` }] };
}

function gatewayOf(upstreams: Readonly<Record<string, unknown>>) {
  return gatewayForTest({ config: { upstreams }, waits: { firstRetry: 10 } });
}

function gatewayWith(settings: Readonly<Record<string, unknown>>) {
  return gatewayOf({ up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: {} }, ...settings } });
}

it('A-228 B-169: 503, 503 and 200 are three requests and one good answer, and each wait is in the log', async () => {
  const gateway = await gatewayWith({ retry: { attempts: 3 } });
  upstream.next(errorReply(503, 'busy'), errorReply(503, 'busy'), chatMessage('Here I am.'));
  const reply = await gateway.post(hello);
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: 'Here I am.' } }] });
  expect(upstream.requests).toHaveLength(3);
  const told = gateway.records().map(({ msg }) => String(msg));
  expect(told.filter((message) => message.includes('sent again'))).toEqual([
    'the upstream "up" answered 503; the request is sent again in 10 ms',
    'the upstream "up" answered 503; the request is sent again in 20 ms',
  ]);
});

it('A-228: nothing is sent again unless it is configured', async () => {
  const gateway = await gatewayWith({});
  upstream.next(errorReply(503, 'busy'));
  expect((await gateway.post(hello)).status).toBe(503);
  expect(upstream.requests).toHaveLength(1);
});

/** What is silent is given up by these. */
const soon = { connect: 1000, firstToken: 1000 };

const failures: readonly (readonly [name: string, failure: ScriptedReply])[] = [
  ['an error in the first frame', sse('{"error":{"message":"overloaded","type":"overloaded_error"}}')],
  ['an error in a body with status 200', jsonReply(200, { error: { message: 'slower', code: 'rate_limit_exceeded' } })],
  ['an empty body', { steps: [] }],
  ['a reply with nothing in it', chatStream('')],
  ['a whole reply with nothing in it', chatMessage('')],
  ['a cut before the first word', { steps: [{ text: ': hello\n\n' }, { cut: true }] }],
  ['silence', { steps: [{ stall: true }], holdHead: true }],
  ['a stall before the first word', { steps: [{ text: ': hello\n\n' }, { stall: true }] }],
];

it.each(sample(failures, 4))(
  'A-228: what fails before anything was shown is sent again, streamed and whole: %s',
  async (_, failure) => {
    const gateway = await gatewayWith({
      retry: { attempts: 2 },
      timeouts: soon,
    });
    for (const stream of [true, false]) {
      upstream.next(failure, chatStream('Here I am.', { pieces: 100 }));
      const reply = await gateway.post({ ...hello, stream });
      expect(reply.status).toBe(200);
      const text = await reply.text();
      expect(text).toContain('Here I am.');
      expect(text).not.toContain('error');
    }
    expect(upstream.requests).toHaveLength(4);
    expect(JSON.stringify(gateway.records())).toContain('is sent again in 10 ms');
  },
);

it('the last attempt counts, whatever it says', async () => {
  const gateway = await gatewayWith({ retry: { attempts: 2 }, timeouts: soon });
  const statuses: number[] = [];
  for (const [, failure] of failures) {
    upstream.next(failure, failure);
    statuses.push((await gateway.post(hello)).status);
  }
  expect(statuses).toEqual([503, 429, 502, 200, 200, 502, 504, 504]);
});

it.each([
  ['text', chatStream('Half of', { finishReason: null, done: false })],
  ['reasoning', chatStream('', { reasoning: 'Hm', finishReason: null, done: false })],
  ['a refusal', jsonReply(200, { error: { message: 'no such model', code: 'model_not_found' } })],
  ['a limit', chatStream('', { finishReason: 'length' })],
])('is never sent again after %s', async (_, reply) => {
  const gateway = await gatewayWith({ retry: { attempts: 3 } });
  upstream.next(reply);
  await (await gateway.post({ ...hello, stream: true })).text();
  expect(upstream.requests).toHaveLength(1);
});

it('each attempt has the time of an upstream for its headers, and the total bounds them all', async () => {
  const silent: ScriptedReply = { steps: [{ stall: true }], holdHead: true };
  const gateway = await gatewayWith({ retry: { attempts: 3 }, timeouts: { connect: 1000 } });
  upstream.next(silent, silent, chatMessage('Here I am.'));
  expect((await gateway.post(hello)).status).toBe(200);
  const bounded = await gatewayWith({ retry: { attempts: 9 }, timeouts: { connect: 150, total: 500 } });
  upstream.next(...Array.from({ length: 9 }, () => silent));
  expect((await bounded.post(hello)).status).toBe(504);
  expect(upstream.requests.length).toBeLessThan(9);
});

it('what is asked beside replies has the same time for its headers', async () => {
  const up = {
    wire: 'anthropic-messages',
    baseUrl: upstream.baseUrl,
    models: { text: {} },
    timeouts: { connect: 100 },
  };
  const gateway = await gatewayOf({ up: { ...up, retry: { attempts: 2 } } });
  upstream.next({ steps: [{ stall: true }], holdHead: true }, jsonReply(200, { input_tokens: 7 }));
  const body = { model: 'up/text', messages: [{ role: 'user', content: 'hi' }] };
  const reply = await fetch(`${gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'any' },
    body: JSON.stringify(body),
  });
  expect(await reply.json()).toEqual({ input_tokens: 7 });
});

it('a wait that leaves no time is not begun: the refusal is passed on at once', async () => {
  const gateway = await gatewayWith({ retry: { attempts: 3 }, timeouts: { total: 4000 } });
  upstream.next(errorReply(429, 'slower', { 'retry-after': '5' }));
  const reply = await gateway.post(hello);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '5']);
  expect(upstream.requests).toHaveLength(1);
});

describe('a platform that keeps the conversation', () => {
  const retry = { attempts: 3 };

  it('of the shape of Qwen refuses with status 200: the message goes out again, as another one, in the same chat', async () => {
    let refusals = 2;
    const answer: QwenChatOptions['answer'] = () => (refusals-- > 0 ? { refuse: ['RateLimited', 'slower'] } : 'hello');
    const platform = await startQwenChat({ answer });
    onTestFinished(() => platform.close());
    const models = { 'qwen-max': { toolCalling: 'text' } };
    const up = { wire: 'qwen-chat', baseUrl: platform.baseUrl, models, retry };
    const gateway = await gatewayOf({ up });
    const reply = await gateway.post({ ...hello, model: 'up/qwen-max' });
    expect(await reply.json()).toMatchObject({ choices: [{ message: { content: 'hello' } }] });
    expect(platform.requests.map(({ path }) => path.split('?')[0]?.split('/').at(-1))).toEqual([
      'new',
      ...['completions', 'completions', 'completions'],
    ]);
  });

  it.each([
    ['with parents hears a message again that it may have heard', description, 200, 2],
    ['without parents does not', linear, 504, 1],
  ] as const)('%s', async (_, conversation, status, messages) => {
    let stalls = true;
    const answer: PlatformOptions['answer'] = () => {
      if (!stalls) return 'hello';
      stalls = false;
      return { stall: '' };
    };
    const isLinear = conversation === linear;
    const platform = await platformForTest({ answer, linear: isLinear, mayRepeat: true });
    const more = { retry, timeouts: soon };
    const gateway = await gatewayOf(upstreamsFor(platform, conversation, more));
    // In a conversation that has begun: after its first reply.
    stalls = false;
    await gateway.post({ ...hello, model, messages: [{ role: 'user', content: 'hi' }] });
    stalls = true;
    const history = [user('hi'), said('hello'), user('go on')];
    expect((await gateway.post({ ...hello, model, messages: history })).status).toBe(status);
    expect(
      textsOf(platform)
        .flat()
        .filter((text) => text === 'go on'),
    ).toHaveLength(messages);
  });

  it('is lost or busy: that is not repeated but answered', async () => {
    const platform = await platformForTest({ answer: () => 'hello', refusesWith200: true });
    const conversation = { ...description, lost: { words: ['There is no conversation', 'is not exist'] } };
    const gateway = await gatewayOf(upstreamsFor(platform, conversation, { retry }));
    await gateway.post({ ...hello, model, messages: [user('hi')] });
    platform.forget();
    expect((await gateway.post({ ...hello, model, messages: [user('hi'), said('hello'), user('on')] })).status).toBe(
      200,
    );
    expect(JSON.stringify(gateway.records())).not.toContain('sent again');
  });
});
