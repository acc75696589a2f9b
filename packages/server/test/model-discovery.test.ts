import {
  chatMessage,
  discoverAsCopilot,
  errorReply,
  jsonReply,
  type ScriptedReply,
  type ScriptedUpstream,
  type SeenRequest,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

/** What the upstream lists now; chats it always answers. */
let list: (request: SeenRequest) => ScriptedReply;
let upstream: ScriptedUpstream;
/** Milliseconds; the gateway's clock. */
let clock: number;

beforeEach(async () => {
  clock = 0;
  list = () => listOf('a');
  upstream = await upstreamForTest({
    fallback: (request) => (isChat(request) ? chatMessage('Hello there') : list(request)),
  });
});

const isChat = ({ path }: SeenRequest) => path.endsWith('/chat/completions') || path.endsWith('/api/chat');
const listOf = (...ids: readonly string[]) => jsonReply(200, { object: 'list', data: ids.map((id) => ({ id })) });
const stalled: ScriptedReply = { steps: [{ stall: true }], holdHead: true };
const paths = () => upstream.requests.map(({ method, path }) => `${method} ${path}`);

/** A gateway that takes any model of the upstream and waits as long as a slow machine needs. */
function start(own: Readonly<Record<string, unknown>> = {}, discovery: object = {}): Promise<TestGateway> {
  const up = {
    wire: 'openai-chat',
    baseUrl: upstream.baseUrl,
    apiKey: 'upstream-key-123',
    anyModel: {},
    discovery: { wait: 30_000, ...discovery },
    ...own,
  };
  return gatewayForTest({
    config: { demo: false, upstreams: { up } },
    secrets: ['upstream-key-123'],
    alter: (setup) => ({ ...setup, now: () => clock }),
  });
}

async function idsOf(gateway: TestGateway): Promise<readonly string[]> {
  const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
  return data.map(({ id }: { id: string }) => id);
}

const said = (gateway: TestGateway) =>
  gateway.records().flatMap(({ level, msg }) => (msg === undefined ? [] : [[level, msg]]));

describe('the list of an upstream', () => {
  it('A-237: is asked for with the upstream’s key, told to clients, and asked for anew when it is old', async () => {
    list = () => listOf('a', 'vendor/b:free');
    const gateway = await start();
    expect(await idsOf(gateway)).toEqual(['up/a', 'up/vendor/b:free']);
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-key-123');
    list = () => listOf('a', 'c');
    clock = 299_999;
    expect(await idsOf(gateway)).toEqual(['up/a', 'up/vendor/b:free']);
    clock = 300_000;
    expect(await idsOf(gateway)).toEqual(['up/a', 'up/c']);
    expect(paths()).toEqual(['GET /v1/models', 'GET /v1/models']);
    expect(said(gateway)).toEqual([['info', 'the upstream "up" lists 2 models']]);
  });

  it('B-160: is asked for once, however many clients want it', async () => {
    list = () => ({ ...listOf('a'), steps: [{ delay: 50 }, ...listOf('a').steps] });
    const gateway = await start();
    const all = await Promise.all([idsOf(gateway), idsOf(gateway), idsOf(gateway)]);
    expect(all).toEqual([['up/a'], ['up/a'], ['up/a']]);
    expect(paths()).toEqual(['GET /v1/models']);
  });

  it('is never asked for by a chat, however old it is, and its models are reached by their ids', async () => {
    list = () => listOf('vendor/b:free');
    const gateway = await start();
    await idsOf(gateway);
    clock = 1e9;
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const model of ['up/vendor/b:free', 'up/llama3:8b']) {
      expect((await gateway.post({ model, messages })).status).toBe(200);
    }
    expect(paths()).toEqual(['GET /v1/models', 'POST /v1/chat/completions', 'POST /v1/chat/completions']);
    expect(upstream.requests.slice(1).map(({ body }) => body)).toMatchObject([
      { model: 'vendor/b:free' },
      { model: 'llama3:8b' },
    ]);
  });

  it('that does not come holds up no chat, and a client that wants it only for a while', async () => {
    list = () => stalled;
    const gateway = await start({ models: { known: {} } }, { wait: 10 });
    expect((await gateway.post({ model: 'up/x', messages: [{ role: 'user', content: 'Hello' }] })).status).toBe(200);
    expect(await idsOf(gateway)).toEqual(['up/known']);
    const asked = upstream.requests.find((request) => !isChat(request));
    await gateway.close();
    await asked?.aborted;
    expect(said(gateway)).toEqual([]);
  });

  it.each<[string, () => ScriptedReply, string]>([
    ['an error', () => errorReply(500, 'Wrong key upstream-key-123, or right'), 'Wrong key [secret], or right'],
    ['a page', () => ({ ...listOf(), steps: [{ text: '<html>' }] }), 'The answer is not JSON.'],
    ['something else', () => jsonReply(200, { hello: 'world' }), 'The answer is not a list of models.'],
    ['half a list', () => ({ ...listOf(), steps: [{ text: '{"data":[' }, { cut: true }] }), 'broke off its answer'],
    ['endlessly much', () => ({ ...listOf(), steps: forever() }), 'The answer is longer than'],
  ])('that is %s leaves the last good one standing, and is told once', async (_, reply, complaint) => {
    const gateway = await start();
    while ((await idsOf(gateway)).length === 0) clock += 10_000;
    const told = said(gateway).length;
    list = reply;
    for (let round = 0; round < 2; round += 1) {
      clock += 300_000;
      expect(await idsOf(gateway)).toEqual(['up/a']);
    }
    const complaints = said(gateway).slice(told);
    expect(complaints).toEqual([['warn', expect.stringContaining(complaint)]]);
    expect(JSON.stringify(complaints)).toContain('the last one counts on');
    list = () => listOf('b');
    while ((await idsOf(gateway))[0] !== 'up/b') clock += 10_000;
    expect(said(gateway).at(-1)).toEqual(['info', 'the upstream "up" lists 1 model']);
    expect(JSON.stringify(gateway.records())).not.toContain('upstream-key-123');
  });

  it('with thousands of models keeps the first ones, and odd entries spoil nothing', async () => {
    const data = [null, 'x', { id: 7 }, ...Array.from({ length: 6000 }, (_, index) => ({ id: `m${index}` }))];
    list = () => jsonReply(200, { data });
    const ids = await idsOf(await start());
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([5000, 'up/m0', 'up/m4999']);
  });

  it('is not asked for where any model is not taken, unless the configuration says so, nor where it says no', async () => {
    list = () => jsonReply(200, { data: [{ id: 'a', context_length: 4096 }, { id: 'b' }] });
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { a: {} } };
    const open = { ...up, anyModel: {}, discovery: { enabled: false } };
    const silent = await gatewayForTest({ config: { demo: false, upstreams: { up, open } } });
    expect(await idsOf(silent)).toEqual(['up/a', 'open/a']);
    expect(paths()).toEqual([]);
    const asking = { ...up, discovery: { enabled: true, wait: 30_000 } };
    const gateway = await gatewayForTest({ config: { demo: false, upstreams: { up: asking } } });
    const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
    expect(data).toMatchObject([{ id: 'up/a', context_window: 4096 }]);
  });

  it('may be elsewhere on the server, and the query of the base URL goes along', async () => {
    const entry = { key: 'lm', type: 'llm', max_context_length: 8192 };
    list = () => jsonReply(200, { models: [entry] });
    const baseUrl = `${upstream.baseUrl}?version=2`;
    const gateway = await start({ baseUrl }, { path: '/api/v1/models?all=1' });
    expect(await idsOf(gateway)).toEqual(['up/lm']);
    expect(paths()).toEqual(['GET /api/v1/models?all=1&version=2']);
  });
});

describe('the lists of other wires', () => {
  it('Anthropic’s is read page by page', async () => {
    list = ({ path }) => {
      const second = path.includes('after_id=one');
      const entry = { type: 'model', id: second ? 'two' : 'one', display_name: 'A name', max_input_tokens: 200_000 };
      return jsonReply(200, { data: [entry], has_more: !second, first_id: entry.id, last_id: entry.id });
    };
    const gateway = await start({ wire: 'anthropic-messages' });
    const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
    expect(data).toMatchObject([
      { id: 'up/one', name: 'A name', context_window: 200_000 },
      { id: 'up/two', name: 'A name', context_window: 200_000 },
    ]);
    expect(paths()).toEqual(['GET /v1/models?limit=1000', 'GET /v1/models?limit=1000&after_id=one']);
    expect(upstream.requests[1]?.headers).toMatchObject({
      'x-api-key': 'upstream-key-123',
      'anthropic-version': '2023-06-01',
    });
  });

  it('a list that never ends, or goes round, is read to a bound', async () => {
    let page = 0;
    list = ({ path }) => {
      page += 1;
      const round = path.includes('round');
      const last = round || page > 4 ? 'round' : `p${page}`;
      return jsonReply(200, { data: [{ id: `m${page}` }], has_more: true, last_id: last });
    };
    expect(await idsOf(await start({ wire: 'anthropic-messages' }))).toHaveLength(6);
  });

  it('A-006 A-008 A-014: Ollama’s tells the window that each model has, and what it can do', async () => {
    const shown: Readonly<Record<string, object>> = {
      'qwen3:8b': shows({ capabilities: ['completion', 'tools', 'thinking'], length: 40_960 }),
      gemma2: shows({ capabilities: ['completion', 'vision'], length: 8192, parameters: 'num_ctx 6144' }),
      'nomic-embed-text': shows({ capabilities: ['embedding'], length: 2048 }),
    };
    list = ({ path, body }) => {
      if (path === '/api/tags') {
        const names = ['qwen3:8b', 'gemma2:latest', 'nomic-embed-text:latest', 'broken:1b'];
        return jsonReply(200, { models: names.map((name) => ({ name, model: name })) });
      }
      if (path === '/api/ps') return jsonReply(200, { models: [{ model: 'qwen3:8b', context_length: 12_288 }] });
      const about = shown[String(body instanceof Object && 'model' in body ? body.model : '')];
      return about === undefined ? errorReply(500, 'model not found') : jsonReply(200, about);
    };
    const gateway = await start({
      wire: 'ollama-chat',
      baseUrl: upstream.origin,
      models: { 'qwen3:8b': { images: true } },
    });
    const { models } = await discoverAsCopilot(gateway.url);
    const limits = models.map(({ id, maxInputTokens, vision, toolCalling }) => ({
      id,
      maxInputTokens,
      vision,
      toolCalling,
    }));
    expect(limits).toEqual([
      { id: 'up/qwen3:8b', maxInputTokens: 8192, vision: true, toolCalling: true },
      { id: 'up/gemma2', maxInputTokens: 2048, vision: true, toolCalling: true },
      { id: 'up/broken:1b', maxInputTokens: 28_672, vision: false, toolCalling: true },
    ]);
    const about = await fetch(`${gateway.url}/api/show`, { method: 'POST', body: '{"model":"up/qwen3:8b"}' });
    expect(await about.json()).toMatchObject({
      capabilities: ['completion', 'tools', 'vision', 'thinking'],
      model_info: { 'dragoman.context_length': 12_288 },
    });
    // The model is asked for with the window that it has: for another one Ollama would load it anew.
    await gateway.post({ model: 'up/qwen3:8b', messages: [{ role: 'user', content: 'Hi' }] });
    expect(upstream.requests.at(-1)?.body).toMatchObject({ options: { num_ctx: 12_288 }, truncate: false });
  });

  it('of Ollama is asked for again soon, since models come and go; a rule counts up to what the model can', async () => {
    let running: readonly object[] = [];
    list = ({ path }) => {
      if (path === '/api/tags') return jsonReply(200, { models: [{ model: 'a' }, { model: 'b' }] });
      if (path === '/api/ps') return jsonReply(200, { models: running });
      return jsonReply(200, shows({ capabilities: ['completion'], length: 8192 }));
    };
    const models = { b: { contextWindow: 131_072 } };
    const gateway = await start({ wire: 'ollama-chat', baseUrl: upstream.origin, models });
    const windows = async () => {
      const { data } = JSON.parse(await (await fetch(`${gateway.url}/v1/models`)).text());
      return Object.fromEntries(data.map((model: Record<string, unknown>) => [model.id, model.context_window]));
    };
    expect(await windows()).toMatchObject({ 'up/a': undefined, 'up/b': 8192 });
    running = [{ model: 'a', context_length: 4096 }];
    clock = 10_000;
    expect(await windows()).toMatchObject({ 'up/a': 4096, 'up/b': 8192 });
  });

  it('a model whose server takes no tools is taught to call them, one that does gets them as they are', async () => {
    list = ({ path, body }) => {
      if (path === '/api/tags') return jsonReply(200, { models: [{ model: 'with' }, { model: 'without' }] });
      const tools = body instanceof Object && 'model' in body && body.model === 'with' ? ['tools'] : [];
      return jsonReply(200, { capabilities: ['completion', ...tools] });
    };
    const gateway = await start({ wire: 'ollama-chat', baseUrl: upstream.origin });
    await idsOf(gateway);
    for (const model of ['up/with', 'up/without']) {
      await gateway.post({ model, messages: [{ role: 'user', content: 'Read it' }], tools: [readTool] });
    }
    const [native, taught] = upstream.requests.filter(isChat);
    expect(native?.body).toHaveProperty('tools');
    expect(taught?.body).not.toHaveProperty('tools');
    expect(taught?.text).toContain('<tool_call>');
  });

  it('a model that does not think is not asked to, as Claude Code asks every model', async () => {
    list = ({ path, body }) => {
      if (path === '/api/tags') return jsonReply(200, { models: [{ model: 'with' }, { model: 'without' }] });
      const thinking = body instanceof Object && 'model' in body && body.model === 'with' ? ['thinking'] : [];
      return jsonReply(200, { capabilities: ['completion', ...thinking] });
    };
    const gateway = await start({ wire: 'ollama-chat', baseUrl: upstream.origin });
    await idsOf(gateway);
    for (const model of ['up/with', 'up/without']) {
      await gateway.post({ model, messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'high' });
    }
    const [thinks, answers] = upstream.requests.filter(isChat);
    expect(thinks?.body).toMatchObject({ think: true });
    expect(answers?.body).not.toHaveProperty('think');
  });
});

function shows({
  capabilities,
  length,
  parameters,
}: {
  readonly capabilities: readonly string[];
  readonly length: number;
  readonly parameters?: string;
}): object {
  return { capabilities, parameters, model_info: { 'general.architecture': 'arch', 'arch.context_length': length } };
}

function* forever(): Iterable<{ readonly text: string }> {
  yield { text: '{"data":[' };
  for (;;) yield { text: '{"id":"a"},'.repeat(10_000) };
}
