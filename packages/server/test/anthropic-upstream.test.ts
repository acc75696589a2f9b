import Anthropic from '@anthropic-ai/sdk';
import {
  anthropicViolations,
  chatStream,
  jsonReply,
  type NextReply,
  type ScriptedReply,
  type ScriptedUpstream,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { nativeStream } from './strict-upstream.ts';

let upstream: ScriptedUpstream;
let upstreams: Readonly<Record<string, unknown>>;
let gateway: TestGateway;
let client: Anthropic;

const models = { native: { toolCalling: 'native' }, text: { toolCalling: { dialect: 'hermes' } } };

beforeEach(async () => {
  upstream = await upstreamForTest();
  const claude = { wire: 'anthropic-messages', baseUrl: upstream.baseUrl, apiKey: 'upstream-key-123', models };
  const openai = { wire: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'upstream-key-123', models };
  upstreams = { claude, openai };
  gateway = await gatewayForTest({ env: { OAI_API_KEY: 'client-key' }, config: { upstreams } });
  client = clientOf(gateway);
});

function clientOf({ url }: TestGateway): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: 'client-key', maxRetries: 0 });
}

const read: Anthropic.Tool = {
  name: 'read',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' }, line: { type: 'integer' } } },
  cache_control: { type: 'ephemeral' },
};
const body = {
  model: 'claude/native',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Read a.txt.' }],
  tools: [read],
};

const usage = { input_tokens: 20, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 1 };
const message = { id: 'msg_up', type: 'message', role: 'assistant', model: 'claude-x', content: [], stop_reason: null };

/** A reply of Anthropic's API, frame by frame. */
function reply(...events: readonly { readonly type: string; readonly [field: string]: unknown }[]): ScriptedReply {
  const frame = (event: { readonly type: string }) => ({
    text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  });
  return { steps: [{ type: 'message_start', message: { ...message, usage } }, ...events].map(frame) };
}

const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const ended = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];
const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
const thinking = block(
  0,
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'thinking_delta', thinking: 'Let me look.' },
  { type: 'signature_delta', signature: 'c2ln' },
);
const call = block(
  1,
  { type: 'tool_use', id: 'toolu_01up', name: 'read', input: {} },
  json(''),
  json('{"path":"a'),
  json('.txt"}'),
);
const round = reply(...thinking, ...call, ...ended('tool_use'));
const answer = (text: string) =>
  reply(...block(0, { type: 'text', text: '' }, { type: 'text_delta', text }), ...ended('end_turn'));

async function streamed(fields: object = {}): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-api-key': 'client-key' },
    body: JSON.stringify({ ...body, stream: true, ...fields }),
  });
  return response.text();
}

describe('an upstream that speaks the Messages API', () => {
  it('gets the key, the version and the betas in its own headers', async () => {
    upstream.next(answer('ok'));
    await client.beta.messages.create({ ...body, betas: ['one', 'two'] });
    const { headers, path } = await upstream.request(0);
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({
      'x-api-key': 'upstream-key-123',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'one,two',
    });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('E-047 E-065 a tool round: the ids, thinking, signatures and cache markers it gets back are its own', async () => {
    upstream.next(round, answer('It says hello.'));
    const first = await client.messages.stream(body).finalMessage();
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
        { type: 'tool_use', id: 'toolu_01up', name: 'read', input: { path: 'a.txt' } },
      ],
      usage: { ...usage, output_tokens: 9 },
    });
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_01up', content: 'hello' };
    const messages = [
      ...body.messages,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: [{ ...result, cache_control: { type: 'ephemeral' as const } }] },
    ];
    const second = await client.messages.create({ ...body, messages, thinking: { type: 'adaptive' } });
    expect(second.content).toEqual([{ type: 'text', text: 'It says hello.' }]);
    const { body: sent } = await upstream.request(1);
    expect(sent).toEqual({ ...body, model: 'native', messages, thinking: { type: 'adaptive' }, stream: true });
  });

  it('streams exactly what it got', async () => {
    upstream.next(round);
    const stream = await streamed();
    expect(anthropicViolations(stream)).toEqual([]);
    const start = stream.slice(0, stream.indexOf('\n\n'));
    expect(start).toContain('"input_tokens":20');
    expect(start).toContain('"cache_read_input_tokens":5');
    expect(stream).toContain('"signature_delta","signature":"c2ln"');
  });

  it('says the same of an upstream that answers whole', async () => {
    upstream.next(round);
    const wanted = await client.messages.create(body);
    const content = [
      { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
      { type: 'tool_use', id: 'toolu_01up', name: 'read', input: { path: 'a.txt' } },
    ];
    upstream.next(
      jsonReply(200, { ...message, content, stop_reason: 'tool_use', usage: { ...usage, output_tokens: 9 } }),
    );
    const got = await client.messages.create(body);
    expect({ ...got, id: '', _request_id: '' }).toEqual({ ...wanted, id: '', _request_id: '' });
  });

  it('serves clients of Chat Completions, who get calls, reasoning and usage in their own words', async () => {
    upstream.next(round);
    const response = await gateway.post(
      { model: 'claude/native', messages: [{ role: 'user', content: 'Read a.txt.' }], reasoning_effort: 'low' },
      { authorization: 'Bearer client-key' },
    );
    expect(await response.json()).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            reasoning_content: 'Let me look.',
            tool_calls: [{ id: 'toolu_01up', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 28, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 5 } },
    });
    const { body: sent } = await upstream.request(0);
    expect(sent).toMatchObject({ max_tokens: 8192, output_config: { effort: 'low' }, messages: [{ role: 'user' }] });
  });

  it('may know nothing of tools', async () => {
    upstream.next(answer('<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>'));
    const got = await client.messages.create({ ...body, model: 'claude/text' });
    expect(got).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'read', input: { path: 'a.txt' } }],
    });
    const { body: sent } = await upstream.request(0);
    expect(sent).toMatchObject({ system: expect.stringContaining('Reads a file.') });
    expect(sent).not.toHaveProperty('tools');
  });
});

describe('other upstreams', () => {
  it('E-063 give ids that this API allows, and get their own back', async () => {
    upstream.next(nativeStream([['functions.read:0', 'read', '{"path":"a.txt","line":12345678901234567890}']]));
    const raw = await streamed({ model: 'openai/native' });
    expect(anthropicViolations(raw)).toEqual([]);
    upstream.next(nativeStream([['functions.read:0', 'read', '{"path":"a.txt"}']]), nativeStream([], 'Done.'));
    const first = await client.messages.create({ ...body, model: 'openai/native' });
    const id = first.content.flatMap((each) => (each.type === 'tool_use' ? [each.id] : []))[0] ?? '';
    expect(id).toMatch(/^[\w-]+$/);
    await client.messages.create({
      ...body,
      model: 'openai/native',
      messages: [
        ...body.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'x' }] }] },
      ],
    });
    const { text } = await upstream.request(2);
    expect(JSON.parse(text).messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'functions.read:0' }] },
      { role: 'tool', tool_call_id: 'functions.read:0', content: 'x' },
    ]);
  });

  it('keep the digits of a number that JavaScript cannot hold', async () => {
    upstream.next(nativeStream([['c', 'read', '{"line":12345678901234567890}']]));
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer client-key' },
      body: JSON.stringify({ ...body, model: 'openai/native' }),
    });
    expect(await response.text()).toContain('"input":{"line":12345678901234567890}');
  });

  it('show their images: base64 becomes a data address and back', async () => {
    upstream.next(chatStream('A cat.'));
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' },
    };
    await client.messages.create({ ...body, model: 'openai/native', messages: [{ role: 'user', content: [image] }] });
    expect((await upstream.request(0)).text).toContain('data:image/png;base64,AAAA');
  });
});

describe('failures', () => {
  const failed = (status: number, type: string, text = 'words', headers: Record<string, string> = {}): NextReply => {
    const made = jsonReply(status, { type: 'error', error: { type, message: text } });
    return { ...made, headers: { ...made.headers, ...headers } };
  };

  it.each<[NextReply, number, string, string]>([
    [failed(529, 'overloaded_error'), 503, 'overloaded_error', 'words'],
    [failed(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }), 429, 'rate_limit_error', 'slow'],
    [
      failed(400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'),
      400,
      'invalid_request_error',
      'prompt is too long: 9 tokens > 8 maximum',
    ],
    [failed(400, 'invalid_request_error', 'odd field'), 400, 'invalid_request_error', 'odd field'],
    [failed(401, 'authentication_error'), 400, 'invalid_request_error', ''],
    [failed(500, 'api_error'), 502, 'api_error', ''],
    [
      reply({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      503,
      'overloaded_error',
      'Overloaded',
    ],
  ])('before the first text are statuses and types that the SDK knows: %#', async (next, status, type, text) => {
    for (const stream of [true, false]) {
      upstream.next(next);
      const asked = stream ? client.messages.stream(body).finalMessage() : client.messages.create(body);
      const error = await asked.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(Anthropic.APIError);
      expect(error).toMatchObject({ status, type, message: expect.stringContaining(text) });
      if (status === 429) expect(error).toMatchObject({ headers: expect.any(Headers) });
    }
  });

  it('inside a stream are error events, and the SDK throws them with their type', async () => {
    const begun = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'half' }).slice(0, 2);
    const broken = reply(...begun, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    upstream.next(broken, broken);
    await expect(client.messages.stream(body).finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' });
    const stream = await streamed();
    expect(anthropicViolations(stream)).toEqual([]);
    expect(stream).toContain('half');
    expect(stream.trimEnd().split('\n').at(-1)).toContain('overloaded_error');
  });

  it('a stream that breaks off in a call is never a call', async () => {
    const opened = call.slice(0, 3);
    upstream.next({ steps: [...reply(...opened).steps, { cut: true as const }] });
    const stream = await streamed();
    expect(anthropicViolations(stream)).toEqual([]);
    expect(stream).not.toContain('message_stop');
    expect(stream).toContain('event: error');
    upstream.next({ steps: [...reply(...opened).steps, { cut: true as const }] });
    await expect(client.messages.stream(body).finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
  });

  it('a call that the limit cut runs nowhere: what the SDK makes of it is an error, not half a call', async () => {
    const half = block(0, { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }, json('{"path":"half'));
    upstream.next(reply(...half, ...ended('max_tokens')), reply(...half, ...ended('max_tokens')));
    await expect(client.messages.stream(body).finalMessage()).rejects.toThrow(/JSON/);
    const whole = await client.messages.create(body);
    expect(whole).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'text', text: '{"path":"half' }] });
  });

  it('a silent upstream: pings keep the client waiting, before the first event too', async () => {
    const config = { upstreams, timeouts: { keepAlive: 50 } };
    gateway = await gatewayForTest({ env: { OAI_API_KEY: 'client-key' }, config });
    client = clientOf(gateway);
    upstream.next({ steps: [{ delay: 300 }, ...answer('late').steps] });
    const stream = await streamed();
    expect(stream.startsWith('event: ping\ndata: {"type":"ping"}\n\n')).toBe(true);
    expect(anthropicViolations(stream)).toEqual([]);
    upstream.next({ steps: [{ delay: 300 }, ...answer('late').steps] });
    const got = await client.messages.stream(body).finalMessage();
    expect(got.content).toMatchObject([{ text: 'late' }]);
  });
});

describe('keys', () => {
  it('A-011 A-012 x-api-key and bearer are both taken; errors have the shape of this API', async () => {
    upstream.next(answer('a'), answer('b'));
    const bearer = new Anthropic({ baseURL: gateway.url, apiKey: null, authToken: 'client-key', maxRetries: 0 });
    expect((await bearer.messages.create(body)).content).toMatchObject([{ text: 'a' }]);
    expect((await client.messages.create(body)).content).toMatchObject([{ text: 'b' }]);
    const wrong = new Anthropic({ baseURL: gateway.url, apiKey: 'other', maxRetries: 0 });
    await expect(wrong.messages.create(body)).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError);
    await expect(wrong.models.list()).rejects.toMatchObject({ type: 'permission_error' });
    const none = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: '{}' });
    expect([none.status, await none.json()]).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error' } },
    ]);
  });

  it('A-015 routes that are not there, and methods that are wrong, are told in the same shape', async () => {
    const headers = { 'x-api-key': 'client-key', 'anthropic-version': '2023-06-01' };
    const missing = await fetch(`${gateway.url}/v1/messages/batches`, { headers });
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { type: 'not_found_error' } }]);
    const wrong = await fetch(`${gateway.url}/v1/messages`, { headers });
    expect([wrong.status, await wrong.json()]).toMatchObject([405, { type: 'error' }]);
  });
});
