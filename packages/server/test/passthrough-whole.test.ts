import { chatFrames, jsonReply, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const tokens = { input_tokens: 10, output_tokens: 5 };

/** Each wire's address, a request for a whole answer, and such an answer as a server writes it, with a field of tomorrow. */
const wires = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { messages },
    answer: {
      id: 'c1',
      object: 'chat.completion',
      model: 'of-theirs',
      new: 1,
      usage,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi.' } }],
    },
  },
  'openai-completions': {
    path: '/v1/completions',
    body: { prompt: 'Hello' },
    answer: { id: 'c1', new: 1, usage, choices: [{ index: 0, finish_reason: 'stop', text: 'Hi.' }] },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: { input: 'Hello', store: false },
    answer: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      new: 1,
      usage: { ...tokens, total_tokens: 15 },
      output: [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
        },
      ],
    },
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: { max_tokens: 100, messages },
    answer: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      new: 1,
      usage: tokens,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hi.' }],
    },
  },
  'ollama-chat': {
    path: '/api/chat',
    body: { messages, stream: false },
    answer: {
      new: 1,
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 10,
      eval_count: 5,
      message: { role: 'assistant', content: 'Hi.' },
    },
  },
} as const;
type WireId = keyof typeof wires;
const wireIds: readonly WireId[] = [
  'openai-chat',
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'ollama-chat',
];

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

function start(
  wire: WireId,
  { rule = { passthrough: 'always' }, up = {} }: { readonly rule?: object; readonly up?: object } = {},
): Promise<TestGateway> {
  const baseUrl = wire === 'ollama-chat' || wire === 'anthropic-messages' ? upstream.origin : upstream.baseUrl;
  const models = { m: { toolCalling: 'native', ...rule } };
  return gatewayForTest({ config: { upstreams: { up: { wire, baseUrl, models, ...up } } } });
}

function ask(gateway: TestGateway, wire: WireId): Promise<Response> {
  const { path, body } = wires[wire];
  const headers = { 'content-type': 'application/json' };
  return fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify({ model: 'up/m', ...body }) });
}

function written(answer: object) {
  return { headers: { 'content-type': 'application/json' }, steps: [{ text: JSON.stringify(answer, undefined, 1) }] };
}

describe.each(sample(wireIds, 2))('whole answers of %s', (wire) => {
  const { answer, body } = wires[wire];

  it('pass byte for byte, and so do their requests', async () => {
    const gateway = await start(wire);
    upstream.next({ ...written(answer), cutAt: [1, 40, 41, 90] });
    const response = await ask(gateway, wire);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(JSON.stringify(answer, undefined, 1));
    expect(upstream.requests[0]?.text).toBe(JSON.stringify({ model: 'm', ...body }));
    const record = await gateway.record(({ model }) => model === 'up/m');
    expect(record).toMatchObject({
      relayed: true,
      finish: 'stop',
      usage: { source: 'upstream' },
    });
  });

  it('are written anew where the rule says so', async () => {
    const gateway = await start(wire, { rule: { passthrough: 'never' } });
    upstream.next(written(answer));
    expect(await (await ask(gateway, wire)).json()).not.toHaveProperty('new');
  });

  it('that break off are an error', async () => {
    const gateway = await start(wire);
    const [{ text }] = written(answer).steps as [{ text: string }];
    upstream.next({ ...written(answer), steps: [{ text: text.slice(0, 60) }, { cut: true }] });
    const response = await ask(gateway, wire);
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain('"new"');
  });
});

describe('a whole answer', () => {
  const { answer } = wires['openai-chat'];

  it('gets its usage counted where the server tells none', async () => {
    const gateway = await start('openai-chat');
    upstream.next(written({ ...answer, usage: undefined }));
    const told = await (await ask(gateway, 'openai-chat')).json();
    expect(told).toMatchObject({ usage: { completion_tokens: expect.any(Number) } });
    expect(told).not.toHaveProperty('new');
    expect(await gateway.record(({ model }) => model === 'up/m')).toMatchObject({ relayed: false });
  });

  it('is collected from a stream that a server sends all the same', async () => {
    const gateway = await start('openai-chat');
    upstream.next({ steps: chatFrames('Hi.').map((text) => ({ text })) });
    const told = await (await ask(gateway, 'openai-chat')).json();
    expect(told).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: 'Hi.' } }] });
  });

  it('that says nothing but an error is refused with a status', async () => {
    const gateway = await start('openai-chat');
    upstream.next(jsonReply(200, { error: { message: 'No.', type: 'server_error', code: null } }));
    expect((await ask(gateway, 'openai-chat')).status).toBeGreaterThanOrEqual(500);
  });

  it.each([
    ['where silence has no limit', {}, true],
    ['where ten minutes of it are allowed', { timeouts: { connect: 600_000, firstToken: 600_000 } }, true],
    ['not where less is allowed', { timeouts: { firstToken: 599_999 } }, false],
    ['not where an attempt may take less', { timeouts: { connect: 60_000 }, retry: { attempts: 2 } }, false],
  ])('is asked for: %s', async (_, up, isAsked) => {
    const gateway = await start('openai-chat', { up });
    upstream.next(written(answer));
    await (await ask(gateway, 'openai-chat')).text();
    const { body } = await upstream.request(0);
    expect(body).toMatchObject(isAsked ? { messages } : { messages, stream: true });
    expect('stream' in Object(body)).toBe(!isAsked);
  });
});
