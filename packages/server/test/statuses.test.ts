import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { chatStream, jsonReply, type ScriptedReply, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { generateText } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const models = { m: { toolCalling: 'native' } };
  const upstreams = {
    'openai-chat': { wire: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'k', models },
    'anthropic-messages': { wire: 'anthropic-messages', baseUrl: upstream.baseUrl, apiKey: 'k', models },
    'openai-responses': { wire: 'openai-responses', baseUrl: upstream.baseUrl, apiKey: 'k', models },
    'ollama-chat': { wire: 'ollama-chat', baseUrl: upstream.baseUrl.replace('/v1', ''), models },
  };
  gateway = await gatewayForTest({ config: { upstreams } });
});

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** Each SDK as its users have it, with the repetitions that it makes by itself. */
const sdks: Readonly<Record<string, (model: string) => Promise<unknown>>> = {
  'OpenAI SDK, Chat Completions': async (model) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' }).chat.completions.create({ model, messages }),
  'OpenAI SDK, Responses': async (model) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' }).responses.create({ model, input: 'Hi' }),
  'Anthropic SDK': async (model) =>
    new Anthropic({ baseURL: gateway.url, apiKey: 'any' }).messages.create({ model, messages, max_tokens: 100 }),
  'AI SDK': async (model) => {
    const provider = createOpenAICompatible({ name: 'dragoman', baseURL: `${gateway.url}/v1`, apiKey: 'any' });
    return generateText({ model: provider(model), messages });
  },
  'Ollama SDK': async (model) => new Ollama({ host: gateway.url }).chat({ model, messages }),
};

const refusal = (status: number, error: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedReply => {
  const reply = jsonReply(status, { error });
  return { ...reply, headers: { ...reply.headers, ...headers } };
};

/** What stays as it is until a person changes something: its words, and what they have to hold. */
const permanent: readonly (readonly [status: number, error: unknown, words: readonly string[]])[] = [
  [401, { message: 'Incorrect key sk-abc***' }, ['"openai-chat"', 'the key of your client is not meant', '`apiKey`']],
  [402, { message: 'Insufficient credits' }, ['"openai-chat"', 'Insufficient credits', 'cannot pay']],
  [403, { message: 'No access' }, ['"openai-chat"', 'the key of your client is not meant', 'may use this model']],
  [404, { message: 'No such model' }, ['"openai-chat"', 'No such model', '`baseUrl`']],
  [400, { message: "Unsupported parameter: 'top_k'" }, ['"openai-chat"', "Unsupported parameter: 'top_k'"]],
  [429, { message: 'Check your plan.', code: 'insufficient_quota' }, ['Check your plan.', 'cannot pay']],
  [500, { message: 'image input is not supported' }, ['image input is not supported', 'Send no images']],
];

describe.each(sample(Object.entries(sdks), 2))('%s', (_, ask) => {
  it.each(permanent)('is told of %i %j once, with the cure', async (status, error, words) => {
    upstream.next(refusal(status, error));
    const thrown: unknown = await ask('openai-chat/m').then(
      () => expect.fail('no error'),
      (reason: unknown) => reason,
    );
    const told = JSON.stringify([String(thrown), thrown])
      .replaceAll('\\', '')
      .replaceAll('"', '');
    for (const word of words) expect(told).toContain(word.replaceAll('"', ''));
    expect(told).not.toContain('sk-abc');
    expect(upstream.requests).toHaveLength(1);
  });
});

const noTools: readonly (readonly [server: string, status: number, error: unknown])[] = [
  ['Ollama', 400, { message: '"m" does not support tools', type: 'api_error' }],
  ['vLLM', 400, { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' }],
  ['llama.cpp', 500, { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' }],
];

describe.each(['openai-chat', 'anthropic-messages', 'openai-responses', 'ollama-chat'])('over %s', (wire) => {
  it.each(noTools)('a refusal of tools by %s names the rule that needs none', async (_, status, error) => {
    for (const stream of [false, true]) {
      upstream.next(refusal(status, error));
      const response = await gateway.post({ model: `${wire}/m`, messages, tools: [readTool], stream });
      expect(response.status).toBe(400);
      const told = await response.json();
      expect(told.error.message).toContain(
        'Set "toolCalling" of this model to "auto", and it needs no tools of its server.',
      );
    }
  });
});

it('a refusal that came with a number to repeat says no number, as OpenCode goes by it', async () => {
  upstream.next(refusal(500, { message: 'image input is not supported' }));
  const { error } = await (await gateway.post({ model: 'openai-chat/m', messages })).json();
  expect(error.message).toBe(
    'The upstream "openai-chat" refused the request: image input is not supported. Send no images to this model, or choose one that reads them.',
  );
});

describe.each(Object.entries(sdks).filter(([name]) => name !== 'Ollama SDK'))('%s', (_, ask) => {
  it.each([429, 500, 502, 503])('repeats what passes: %i', async (status) => {
    upstream.next(refusal(status, { message: 'later' }, { 'retry-after': '0' }), chatStream('Hello'));
    await ask('openai-chat/m');
    expect(upstream.requests).toHaveLength(2);
  });
});

it.each([
  [401, '', 400, 'false', null],
  [404, '', 400, 'false', null],
  [429, '7', 429, 'true', '7'],
  [429, '', 429, 'true', '5'],
  [503, '', 503, 'true', '5'],
  [500, '', 502, 'true', '1'],
  [504, '9', 502, 'true', '9'],
] as const)('an upstream that answers %i with retry-after %j gives %i', async (status, wait, own, repeat, after) => {
  upstream.next(refusal(status, { message: 'no' }, wait === '' ? {} : { 'retry-after': wait }));
  const { headers, status: given } = await gateway.post({ model: 'openai-chat/m', messages, stream: true });
  expect([given, headers.get('x-should-retry'), headers.get('retry-after')]).toEqual([own, repeat, after]);
});

it('a key that an upstream refuses is an error in the log, as only who runs the gateway can renew it', async () => {
  upstream.next(refusal(401, { message: 'no' }));
  await gateway.post({ model: 'openai-chat/m', messages });
  expect(await gateway.record(({ status }) => status === 400)).toMatchObject({
    level: 'error',
    errorCode: 'upstream-unauthorized',
    upstreamStatus: 401,
  });
});

/** As servers say it that are none of the API's vendor. */
const overflows: Readonly<Record<string, ScriptedReply>> = {
  'llama.cpp': refusal(400, {
    code: 400,
    message: 'request (12010 tokens) exceeds the available context size (4096 tokens), try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 12010,
    n_ctx: 4096,
  }),
  vLLM: refusal(400, {
    message: "This model's maximum context length is 2048 tokens. However, your request has 12010 input tokens.",
    type: 'BadRequestError',
    param: 'input_tokens',
    code: 400,
  }),
  'Ollama 0.33': refusal(
    400,
    JSON.stringify({ error: { code: 400, message: 'request exceeds it', type: 'exceed_context_size_error' } }),
  ),
  'Ollama 0.17': refusal(500, 'the input length exceeds the context length'),
};

const wires = ['openai-chat', 'anthropic-messages', 'openai-responses', 'ollama-chat'];

describe.each(sample(Object.entries(overflows), 3))('the overflow of %s', (_, reply) => {
  it.each(wires)('on %s is told in the words that each client looks for', async (wire) => {
    const model = `${wire}/m`;
    upstream.next(reply, reply, reply);
    const told = async (name: string) =>
      sdks[name]?.(model).then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(await told('OpenAI SDK, Chat Completions')).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(await told('OpenAI SDK, Responses')).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(await told('Anthropic SDK')).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining('prompt is too long'),
    });
    expect(upstream.requests).toHaveLength(3);
  });
});
