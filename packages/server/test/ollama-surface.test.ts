import { request as send } from 'node:http';
import {
  chatStream,
  discoverAsCopilot,
  jsonReply,
  ollamaChatViolations,
  type ScriptedUpstream,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDemoUpstream } from '../src/transports/scripted/demo-upstream.ts';
import { copilotMessages, runCopilotTurn } from './copilot-client.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway, TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello there') });
});

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return gatewayForTest({ upstream, ...options });
}

const post = (gateway: TestGateway, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(gateway.url + path, { method: 'POST', body: JSON.stringify(body), headers });
const hello = { model: 'up/text', messages: [{ role: 'user', content: 'Hello' }] };

/** Under which the log holds an error. */
const errorId: unknown = expect.stringMatching(/^err_/);

describe('Copilot’s Ollama provider', () => {
  it('A-005 A-006 A-008 A-014: finds every model with its tools, images and true context size', async () => {
    const models = {
      long: { toolCalling: 'native', contextWindow: 131_072, images: true },
      short: { toolCalling: { dialect: 'hermes' }, contextWindow: 4000 },
      unknown: {},
    };
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
    const gateway = await start({ config: { demo: false, upstreams: { up }, models: { 'gpt-4o': 'up/long' } } });
    const found = await discoverAsCopilot(gateway.url);
    expect(found.skipped).toEqual([]);
    expect(found.models).toEqual([
      { id: 'gpt-4o', name: 'gpt-4o', toolCalling: true, vision: true, maxInputTokens: 126_976, maxOutputTokens: 4096 },
      {
        id: 'up/long',
        name: 'up/long',
        toolCalling: true,
        vision: true,
        maxInputTokens: 126_976,
        maxOutputTokens: 4096,
      },
      {
        id: 'up/short',
        name: 'up/short',
        toolCalling: true,
        vision: false,
        maxInputTokens: 2000,
        maxOutputTokens: 2000,
      },
      {
        id: 'up/unknown',
        name: 'up/unknown',
        toolCalling: true,
        vision: false,
        maxInputTokens: 28_672,
        maxOutputTokens: 4096,
      },
    ]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('chats with what it found, with an empty key, and runs a tool', async () => {
    const demo = createDemoUpstream({ pace: 0 });
    const gateway = await start({
      alter: (setup) => ({ ...setup, upstreams: new Map([...setup.upstreams, [demo.name, demo]]) }),
    });
    const { models, chatUrl } = await discoverAsCopilot(`${gateway.url}/`);
    expect(chatUrl).toBe(`${gateway.url}/v1/chat/completions`);
    const model = models.find(({ id }) => id === 'demo')?.id ?? '';
    const tool = {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
      run: async () => 'The code is 4711.',
    };
    const turns = await runCopilotTurn(gateway, {
      model,
      messages: copilotMessages('Read src/app.ts.'),
      tools: [tool],
    });
    expect(turns.at(-1)?.text).toContain('4711');
  });

  it('A-012 A-014: asks without a key, unless the configuration wants one there', async () => {
    const keys = [{ name: 'me', key: 'k-1234' }];
    const gateway = await start({ config: { keys } });
    expect((await discoverAsCopilot(gateway.url)).models.length).toBeGreaterThan(0);
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401);
    const chat = await post(gateway, '/api/chat', hello);
    expect(chat.status).toBe(401);
    expect(await chat.json()).toEqual({ error: expect.stringContaining('API key'), error_id: errorId });
    expect((await post(gateway, '/api/chat', hello, { authorization: 'Bearer k-1234' })).status).toBe(200);
    const locked = await start({ config: { keys, auth: { publicRoutes: ['/api/version', '/api/tags'] } } });
    await expect(discoverAsCopilot(locked.url)).rejects.toThrow('/api/show answered 401');
  });
});

describe('the Ollama routes', () => {
  it('A-004: show by model and by name, with everything that a client may look for', async () => {
    const rule = { contextWindow: 8192, sampling: { stop: ['a\n"b'], temperature: 0.2, topP: 0.9, maxTokens: 100 } };
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: rule } };
    const gateway = await start({ config: { upstreams: { up } } });
    const byModel = await (await post(gateway, '/api/show', { model: 'up/text' })).json();
    expect(await (await post(gateway, '/api/show', { name: 'up/text' })).json()).toEqual(byModel);
    expect(byModel).toMatchObject({
      capabilities: ['completion', 'tools'],
      model_info: {
        'general.architecture': 'dragoman',
        'general.basename': 'up/text',
        'dragoman.context_length': 8192,
      },
      details: { family: 'dragoman', parameter_size: '' },
      template: expect.any(String),
      modelfile: expect.stringContaining('FROM up/text'),
      parameters: 'num_ctx 8192\nnum_predict 100\ntemperature 0.2\ntop_p 0.9\nstop "a\\n\\"b"',
    });
    const unknown = await post(gateway, '/api/show', { model: 'nope' });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: expect.stringContaining('nope'), error_id: errorId },
    ]);
    for (const body of [{}, [], { model: 7 }, 'x']) expect((await post(gateway, '/api/show', body)).status).toBe(400);
  });

  it('A-008: claims no tools where tool calling is switched off', async () => {
    const gateway = await start({ config: { toolCalling: false } });
    const about = await (await post(gateway, '/api/show', { model: 'up/native' })).json();
    expect(about.capabilities).toEqual(['completion']);
    expect(Object.keys(about.model_info)).toEqual(['general.architecture', 'general.basename']);
  });

  it('A-006: tags have both names and the details that the strictest client wants', async () => {
    const gateway = await start();
    const { models } = await (await fetch(`${gateway.url}/api/tags`)).json();
    expect(models.length).toBeGreaterThan(1);
    for (const model of models) {
      expect(model.name).toBe(model.model);
      expect(model.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(Date.parse(model.modified_at)).toBeGreaterThan(0);
      expect(model.details).toMatchObject({ family: expect.any(String), parameter_size: expect.any(String) });
      const show = await post(gateway, '/api/show', { model: model.model });
      expect(show.status).toBe(200);
    }
    const running = await (await fetch(`${gateway.url}/api/ps`)).json();
    expect(running.models.map(({ model }: { model: string }) => model)).toEqual(
      models.map(({ model }: { model: string }) => model),
    );
    expect(Date.parse(running.models[0].expires_at)).toBeGreaterThan(Date.now());
  });

  it('A-007: GET and HEAD of the root tell that somebody is there', async () => {
    const gateway = await start({ config: { keys: [{ name: 'me', key: 'k-1234' }] } });
    const root = await fetch(gateway.url);
    expect([root.status, await root.text()]).toEqual([200, 'Ollama is running']);
    const head = await new Promise<number | undefined>((resolve) => {
      send({ port: gateway.port, method: 'HEAD', path: '/' }, ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(head).toBe(200);
  });

  it('a name with :latest is the name without it, on every door', async () => {
    const gateway = await start();
    expect((await post(gateway, '/api/show', { model: 'up/text:latest' })).status).toBe(200);
    expect((await post(gateway, '/api/chat', { ...hello, model: 'demo:latest' })).status).toBe(200);
    expect((await gateway.post({ ...hello, model: 'up/text:latest' })).status).toBe(200);
    expect((await post(gateway, '/api/show', { model: 'up/text:7b' })).status).toBe(404);
  });

  it('tells mistakes as a string, whatever is wrong', async () => {
    const gateway = await start();
    const told = async (response: Response) => [response.status, await response.json()];
    const words = { error: expect.any(String), error_id: errorId };
    expect(await told(await fetch(`${gateway.url}/api/chat`))).toEqual([405, words]);
    expect(await told(await post(gateway, '/api/nothing', {}))).toEqual([404, words]);
    expect(await told(await post(gateway, '/api/chat', { messages: hello.messages }))).toEqual([400, words]);
    expect(await told(await fetch(`${gateway.url}/api/chat`, { method: 'POST', body: '{' }))).toEqual([400, words]);
    expect(await told(await post(gateway, '/api/generate', { model: 'demo', prompt: 'a', suffix: 'b' }))).toEqual([
      400,
      words,
    ]);
    upstream.next(jsonReply(429, { error: { message: 'slow down' } }));
    expect(await told(await post(gateway, '/api/chat', hello))).toEqual([429, words]);
  });

  it('a default model answers requests that name none', async () => {
    const gateway = await start({ config: { defaultModel: 'up/text' } });
    const answer = await (await post(gateway, '/api/chat', { messages: hello.messages, stream: false })).json();
    expect(answer).toMatchObject({ model: 'up/text', message: { content: 'Hello there' }, done: true });
  });
});

describe('streams', () => {
  it('A-007: are lines of JSON by default, in one write for each read of the upstream', async () => {
    const gateway = await start();
    const response = await post(gateway, '/api/chat', hello);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const text = await response.text();
    expect(ollamaChatViolations(text)).toEqual([]);
    const record = await gateway.record(({ route }) => route === '/api/chat');
    expect(record).toMatchObject({ status: 200, model: 'up/text', stream: true, finish: 'stop' });
    expect(record.chunks).toBeLessThanOrEqual(text.split('\n').length);
  });

  it('a cut upstream ends with an error line and never with done', async () => {
    const gateway = await start();
    upstream.next({ steps: [...chatStream('Half an ans', { finishReason: null, done: false }).steps, { cut: true }] });
    const text = await (await post(gateway, '/api/chat', hello)).text();
    expect(ollamaChatViolations(text)).toEqual([]);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\{"error":".*broke off/);
    expect(text).not.toContain('"done":true');
  });

  it('a silent upstream is bridged by lines that show nothing', async () => {
    const gateway = await start({ config: { timeouts: { keepAlive: 50 } } });
    upstream.next({ steps: [{ head: true }, { delay: 300 }, ...chatStream('Late.').steps] });
    const text = await (await post(gateway, '/api/chat', hello)).text();
    expect(ollamaChatViolations(text)).toEqual([]);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ message: { content: '' }, done: false });
    upstream.next({ steps: [{ head: true }, { delay: 300 }, ...chatStream('Late.').steps] });
    const generated = await (await post(gateway, '/api/generate', { model: 'up/text', prompt: 'Hi' })).text();
    expect(ollamaChatViolations(generated, { surface: 'generate' })).toEqual([]);
  });

  it('a client that goes away stops the upstream', async () => {
    const gateway = await start();
    upstream.next({ steps: [...chatStream('Some text', { finishReason: null, done: false }).steps, { stall: true }] });
    const abort = new AbortController();
    const response = await fetch(`${gateway.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify(hello),
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
    await (await upstream.request(0)).aborted;
  });
});
