import Anthropic from '@anthropic-ai/sdk';
import { errorReply, jsonReply, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: Anthropic;

const models = {
  native: { toolCalling: 'native', upstreamName: 'claude-x' },
  text: { toolCalling: { dialect: 'hermes' } },
};

async function start(config: object = {}): Promise<void> {
  const place = { baseUrl: upstream.baseUrl, apiKey: 'upstream-key-123', models };
  const upstreams = { claude: { ...place, wire: 'anthropic-messages' }, openai: { ...place, wire: 'openai-chat' } };
  gateway = await gatewayForTest({ config: { upstreams, ...config } });
  client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 });
}

beforeEach(async () => {
  upstream = await upstreamForTest();
  await start();
});

const tools: Anthropic.Tool[] = [
  {
    name: 'read',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    cache_control: { type: 'ephemeral' },
  },
];
const prompt = {
  system: [{ type: 'text' as const, text: 'You are a coding agent.', cache_control: { type: 'ephemeral' as const } }],
  messages: [{ role: 'user' as const, content: 'Read a.txt.' }],
  tools,
  tool_choice: { type: 'any' as const },
  thinking: { type: 'enabled' as const, budget_tokens: 2048 },
};
const counted = (record: Readonly<Record<string, unknown>>) => record.route === '/v1/messages/count_tokens';
const warnings = () => gateway.records().filter(({ level, route }) => level === 'warn' && route === undefined);

describe('an upstream that speaks Messages natively', () => {
  it('counts itself: the prompt as it would be sent, its own key, the betas of the request', async () => {
    upstream.next(jsonReply(200, { input_tokens: 4711 }));
    const betas = ['interleaved-thinking-2025-05-14'];
    const { input_tokens } = await client.beta.messages.countTokens({ model: 'claude/native', ...prompt, betas });
    expect(input_tokens).toBe(4711);
    const [seen] = upstream.requests;
    expect(seen?.path).toBe('/v1/messages/count_tokens');
    expect(seen?.headers).toMatchObject({ 'x-api-key': 'upstream-key-123', 'anthropic-version': '2023-06-01' });
    expect(String(seen?.headers['anthropic-beta']).split(',')).toContain(betas[0]);
    // What only an answer needs would be refused.
    expect(seen?.body).toEqual({ model: 'claude-x', ...prompt });
    expect(await gateway.record(counted)).toMatchObject({
      upstream: 'claude',
      usage: { inputTokens: 4711, source: 'upstream' },
    });
    expect(warnings()).toEqual([]);
  });

  it('is not told of the sampling that the model rule or a careless client adds', async () => {
    const rule = { ...models.native, sampling: { temperature: 0.5, topP: 0.9, maxTokens: 99, stop: ['END'] } };
    const claude = { wire: 'anthropic-messages', baseUrl: upstream.baseUrl, models: { native: rule } };
    await start({ upstreams: { claude } });
    upstream.next(jsonReply(200, { input_tokens: 1 }));
    const careless = { metadata: { user_id: 'u' }, top_k: 4, stream: true };
    await client.messages.countTokens({ model: 'claude/native', messages: prompt.messages, ...careless });
    expect(upstream.requests[0]?.body).toEqual({ model: 'claude-x', messages: prompt.messages });
  });

  it.each([
    ['refuses', errorReply(404, 'no such route'), 'no such route'],
    ['breaks off', { steps: [{ text: '{"input' }, { cut: true as const }] }, 'upstream-cut'],
    ['tells no count', jsonReply(200, { input_tokens: 'many' }), 'tells no count'],
    ['answers with no JSON', { steps: [{ text: '<html>' }] }, 'not JSON'],
  ])('that %s: the tokenizer counts, and the log says why', async (_, reply, why) => {
    upstream.next(reply);
    const { input_tokens } = await client.messages.countTokens({ model: 'claude/native', ...prompt });
    expect(input_tokens).toBeGreaterThan(20);
    const record = await gateway.record(counted);
    expect(record).toMatchObject({ status: 200, usage: { inputTokens: input_tokens, source: 'counted' } });
    expect(warnings()).toHaveLength(1);
    expect(String(warnings()[0]?.msg)).toContain(why);
    expect(String(warnings()[0]?.msg)).toContain(String(record.requestId));
  });

  it('that says nothing is waited for until the deadline, and its connection is given up', async () => {
    await start({ timeouts: { total: 100 } });
    upstream.next({ steps: [{ stall: true }] });
    const { input_tokens } = await client.messages.countTokens({ model: 'claude/native', ...prompt });
    expect(input_tokens).toBeGreaterThan(20);
    expect(String(warnings()[0]?.msg)).toContain('total-timeout');
    expect(await upstream.requests[0]?.over).toBe('aborted');
  });

  it('is given up when the client goes', async () => {
    upstream.next({ steps: [{ stall: true }] });
    const gone = new AbortController();
    const asked = client.messages.countTokens({ model: 'claude/native', ...prompt }, { signal: gone.signal });
    const refused = expect(asked).rejects.toThrow('aborted');
    const seen = await upstream.request(0);
    gone.abort();
    await refused;
    expect(await seen.over).toBe('aborted');
    expect(await gateway.record(counted)).toMatchObject({ status: 499 });
    expect(warnings()).toEqual([]);
  });
});

describe('other upstreams', () => {
  it.each(['claude/text', 'openai/text', 'openai/native'])('%s: counted here, nobody is asked', async (model) => {
    const count = async (fields: object) =>
      (await client.messages.countTokens({ model, messages: prompt.messages, ...fields })).input_tokens;
    const bare = await count({});
    const whole = await count({ system: prompt.system, tools });
    expect(bare).toBeGreaterThan(2);
    // Models that write calls as text are taught how.
    expect(whole - bare).toBeGreaterThan(model.endsWith('text') ? 150 : 30);
    expect(upstream.requests).toEqual([]);
    const record = await gateway.record(({ usage }) => usage !== undefined);
    expect(record).toMatchObject({ usage: { source: 'counted' } });
    expect(warnings()).toEqual([]);
  });

  it('tools that "allowedTools" leaves out are not counted', async () => {
    await start({ allowedTools: ['other'] });
    const count = async (fields: object) =>
      (await client.messages.countTokens({ model: 'openai/native', messages: prompt.messages, ...fields }))
        .input_tokens;
    expect(await count({ tools })).toBe(await count({}));
  });
});

describe('a server of Chat Completions that counts as Messages does', () => {
  const list = (owner: string) =>
    jsonReply(200, { object: 'list', data: [{ id: 'm', owned_by: owner, max_model_len: 4096 }] });
  const asking = { model: 'vllm/m', system: prompt.system, messages: prompt.messages };
  const listed = async (owner: string) => {
    await start({ upstreams: { vllm: { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel: {} } } });
    upstream.next(list(owner));
    await fetch(`${gateway.url}/v1/models`);
  };

  it('is asked, with the prompt as the model would see it', async () => {
    await listed('vllm');
    upstream.next(jsonReply(200, { input_tokens: 30 }));
    expect((await client.messages.countTokens(asking)).input_tokens).toBe(30);
    const seen = upstream.requests.at(-1);
    expect(seen?.path).toBe('/v1/messages/count_tokens');
    expect(seen?.body).toMatchObject({ model: 'm', messages: [{ role: 'user' }] });
    expect(JSON.stringify(seen?.body)).toContain('You are a coding agent.');
  });

  it('is not, where its list shows another one, and where it cannot the tokenizer counts', async () => {
    await listed('somebody');
    const { input_tokens: ours } = await client.messages.countTokens(asking);
    expect(upstream.requests).toHaveLength(1);
    await listed('llamacpp');
    upstream.next(errorReply(404, 'no such route'), errorReply(404, 'no such route'));
    expect((await client.messages.countTokens(asking)).input_tokens).toBe(ours);
  });
});
