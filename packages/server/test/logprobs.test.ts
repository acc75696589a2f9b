import type { ScriptedReply, ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: OpenAI;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const { baseUrl } = upstream;
  const native = { toolCalling: 'native', passthrough: 'never' };
  const models = {
    native,
    words: { ...native, textGranularity: 'words' },
    text: { toolCalling: { dialect: 'hermes' } },
  };
  const upstreams = {
    chat: { wire: 'openai-chat', baseUrl, models },
    responses: { wire: 'openai-responses', baseUrl, models },
  };
  gateway = await gatewayForTest({ config: { upstreams } });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

/** The parrot is two tokens, of which the first is half a character and shows as nothing. */
const written = ['Hel', 'lo ', 'there', '', ' 🦜'];
const tokens = written.map((token, at) => ({ token, bytes: [at], logprob: -0.125 * (at + 1), top_logprobs: [] }));
const text = written.join('');

function sse(frames: readonly object[]): ScriptedReply {
  return { steps: frames.map((frame) => ({ text: `data: ${JSON.stringify(frame)}\n\n` })) };
}

function chatReply(field: 'content' | 'refusal' = 'content'): ScriptedReply {
  const chunk = (choice: object) => ({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }] });
  const chunks = tokens.map((token) =>
    chunk({ delta: { [field]: token.token }, logprobs: { content: null, refusal: null, [field]: [token] } }),
  );
  return sse([...chunks, chunk({ delta: {}, logprobs: null, finish_reason: 'stop' })]);
}

function responsesReply(): ScriptedReply {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [], logprobs: tokens };
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
  return sse([
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    ...tokens.map((token) => ({ type: 'response.output_text.delta', ...at, delta: token.token, logprobs: [token] })),
    { type: 'response.output_text.done', ...at, text, logprobs: tokens },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', model: 'm', status: 'completed', output: [item] } },
  ]);
}

const messages = [{ role: 'user' as const, content: 'Hi' }];
const format = { response_format: { type: 'json_object' as const } };

describe.each([
  ['native', {}],
  ['words', {}],
  ['native', format],
] as const)('probabilities over Chat Completions, model %s, %j', (model, fields) => {
  const ask = { model: `chat/${model}`, messages, logprobs: true, ...fields };

  it.each(['content', 'refusal'] as const)('reach the SDK whole, in order, each once: %s', async (field) => {
    upstream.next(chatReply(field));
    const [choice] = (await client.chat.completions.create(ask)).choices;
    expect(choice?.message[field]).toBe(text);
    expect(choice?.logprobs).toEqual({ content: null, refusal: null, [field]: tokens });
  });

  it.each(['content', 'refusal'] as const)('reach the SDK streamed, beside the text: %s', async (field) => {
    upstream.next(chatReply(field));
    let shown = '';
    const likely: unknown[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...ask, stream: true })) {
      shown += choices[0]?.delta[field] ?? '';
      likely.push(...(choices[0]?.logprobs?.[field] ?? []));
    }
    expect(shown).toBe(text);
    expect(likely).toEqual(tokens);
  });
});

describe.each(['native', 'words'])('probabilities over the Responses API, model %s', (model) => {
  const ask = { model: `responses/${model}`, input: 'Hi', include: ['message.output_text.logprobs' as const] };

  it('reach the SDK whole', async () => {
    upstream.next(responsesReply());
    const { output } = await client.responses.create(ask);
    expect(output).toMatchObject([{ content: [{ type: 'output_text', text, logprobs: tokens }] }]);
  });

  it('reach the SDK in deltas and in what is said at the end', async () => {
    upstream.next(responsesReply());
    const likely: unknown[] = [];
    const ends: unknown[] = [];
    for await (const event of await client.responses.create({ ...ask, stream: true })) {
      if (event.type === 'response.output_text.delta') likely.push(...event.logprobs);
      if (event.type === 'response.output_text.done') ends.push(event.logprobs);
      if (event.type === 'response.content_part.added') expect(event.part).toMatchObject({ logprobs: [] });
      if (event.type === 'response.content_part.done') expect(event.part).toMatchObject({ logprobs: tokens });
    }
    expect(likely).toEqual(tokens);
    expect(ends).toEqual([tokens]);
  });
});

it.each([
  ['a model that writes calls as text', 'chat/text'],
  ['an upstream of another API', 'responses/native'],
])('probabilities are told to be left out, once, for %s', async (_, model) => {
  upstream.next(model.startsWith('chat') ? chatReply() : responsesReply());
  const [choice] = (await client.chat.completions.create({ model, messages, logprobs: true })).choices;
  expect(choice).toMatchObject({ message: { content: text }, logprobs: null });
  const record = await gateway.record((each) => each.status === 200);
  expect(record.warnings).toMatchObject({ 'field-ignored': 1 });
});
