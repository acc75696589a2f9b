import {
  chatFrames,
  chatStream,
  errorReply,
  jsonReply,
  type ScriptedReply,
  type ScriptedUpstream,
  type SeenRequest,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import {
  CancellationTokenSource,
  fake,
  fakeContext,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
} from '../../test/fake-vscode.ts';
import { activate } from '../extension.ts';

// What a person does, against a real server over HTTP that only completes chats and writes its calls as text.

let upstream: ScriptedUpstream;
let context: ReturnType<typeof fakeContext>;
/** An address where a server of this machine is looked for, which leads to the scripted one. */
let local = '';
const realFetch = fetch;
beforeEach(async () => {
  fake.reset();
  fake.settings.set('dragoman.gateway', '');
  upstream = await startScriptedUpstream();
  // Whatever else runs on this machine is not there.
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const { origin, pathname } = new URL(input);
    if (origin === upstream.origin) return realFetch(input, init);
    if (origin === local) return realFetch(upstream.origin + pathname, init);
    throw new TypeError('fetch failed');
  });
  context = fakeContext();
  activate(context as unknown as vscode.ExtensionContext);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  local = '';
  for (const subscription of context.subscriptions) subscription.dispose();
  await upstream.close();
});

const run = (name: string) => fake.commands.get(`dragoman.${name}`)?.();
const provider = () => fake.providers.get('dragoman') as vscode.LanguageModelChatProvider;
const none = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) };
const noRoute = jsonReply(404, {});
const models = jsonReply(200, { data: [{ id: 'qwen2.5-7b', context_length: 64_000 }] });
const call = 'I look.<tool_call>{"name":"ping","arguments":{"text":"a"}}</tool_call>';

/** A server that lists models and completes chats, and nothing else. */
const plain = ({ path, body }: SeenRequest) =>
  path === '/v1/models' ? models : Object.hasOwn(Object(body), 'messages') ? chatStream('Pong.') : noRoute;
const serve = (server: (request: SeenRequest) => ScriptedReply) =>
  upstream.next(...Array.from({ length: 30 }, () => server));

/** What Ollama says of its models, in three routes. */
const ollamaList = [
  jsonReply(200, { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }] }),
  jsonReply(200, { models: [] }),
  jsonReply(200, {
    capabilities: ['completion', 'tools'],
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
  }),
];

/** An endpoint of the settings that the engine inside talks to. */
const configure = (more: object = {}) =>
  fake.set('dragoman.endpoints', [
    { name: 'Local', url: `${upstream.origin}/v1`, api: 'openai-chat', toolCalling: 'hermes', ...more },
  ]);

describe('managing endpoints', () => {
  it('adds a nearby one by its address alone, and tests it', async () => {
    serve(plain);
    fake.answers.push('Add an endpoint', `${upstream.origin}/v1`);
    await run('manageEndpoints');
    const host = new URL(upstream.origin).host;
    expect(fake.settings.get('dragoman.endpoints')).toEqual([{ name: host, url: `${upstream.origin}/v1` }]);
    expect(fake.shown.filter((each) => each.includes('key'))).toEqual([]);
    expect(fake.shown.at(-1)).toContain('answers, but called no tool: "Pong."');
  });

  it('asks for a key where the server does, and keeps it out of the settings', async () => {
    const key = 'Bearer sk-of-the-server';
    const isRight = ({ headers }: SeenRequest) => headers.authorization === key;
    serve((request) => (isRight(request) ? plain(request) : errorReply(401, 'A key, please.')));
    fake.answers.push('Add an endpoint', `${upstream.origin}/v1`, 'sk-of-the-server');
    await run('manageEndpoints');
    const [entry] = fake.settings.get('dragoman.endpoints') as readonly object[];
    expect(entry).toEqual({ name: new URL(upstream.origin).host, url: `${upstream.origin}/v1` });
    expect(JSON.stringify([...fake.settings])).not.toContain('sk-of-the-server');
    expect(upstream.requests.some(isRight)).toBe(true);
  });

  it('offers servers of this machine, which take one click', async () => {
    local = 'http://127.0.0.1:8080';
    // What is nearby is otherwise asked by Node itself.
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const list = jsonReply(200, { object: 'list', data: [{ id: 'smollm2', owned_by: 'llamacpp' }] });
    serve((request) => (request.path === '/v1/models' ? list : plain(request)));
    await run('refreshModels');
    const running = 'llama.cpp runs at http://127.0.0.1:8080, and is not used yet.';
    expect(fake.shown.at(-1)).toBe(`Dragoman has no models yet. ${running}`);
    fake.answers.push('Add llama.cpp');
    await run('manageEndpoints');
    expect(fake.settings.get('dragoman.endpoints')).toEqual([{ name: 'llama.cpp', url: local }]);
    await run('refreshModels');
    expect(fake.shown.at(-1)).toBe('Dragoman has 1 model.');
  });

  it('changes keys, switches between them and takes an endpoint away with them', async () => {
    configure();
    fake.answers.push('Local', 'Enter a key', 'k-1', 'work');
    await run('manageEndpoints');
    fake.answers.push('Local', 'Enter a key', 'k-2', 'home');
    await run('manageEndpoints');
    fake.answers.push('Local', 'Switch to work');
    await run('manageEndpoints');
    const kept = () => context.secrets.get('dragoman.sessions').then((text) => JSON.parse(text ?? '{}'));
    expect((await kept())[upstream.origin]).toMatchObject({
      active: 'work',
      sessions: [{ key: 'k-1' }, { key: 'k-2' }],
    });
    fake.answers.push('Local', 'Remove this endpoint');
    await run('manageEndpoints');
    expect(fake.settings.get('dragoman.endpoints')).toEqual([]);
    expect(await kept()).toEqual({});
  });
});

describe('the test of a connection', () => {
  it('C-113: goes through a turn with a tool, with a model that writes its call as text', async () => {
    configure();
    upstream.next(models, chatStream(call));
    await run('testConnection');
    expect(fake.shown.at(-1)).toBe('Local works: qwen2.5-7b called the tool.');
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('tools');
  });

  it('offers to read calls in the text of a model that called none, and tests that', async () => {
    configure({ toolCalling: 'native' });
    upstream.next(models, chatStream('Pong.'), models, chatStream(call));
    fake.answers.push('Read calls in its text');
    await run('testConnection');
    await expect.poll(() => fake.shown.at(-1)).toBe('Local works: qwen2.5-7b called the tool.');
    expect(fake.shown.find((each) => each.includes('called no tool'))).toContain('others write their calls as text');
    expect(fake.settings.get('dragoman.endpoints')).toMatchObject([{ name: 'Local', toolCalling: 'text' }]);
    // The model is told of tools in the prompt now.
    expect(upstream.requests.map(({ body }) => Object.hasOwn(Object(body), 'tools'))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('ends without a word when the person stops it, and the server hears of it', async () => {
    configure();
    const begun = chatFrames('Hello').slice(0, -2);
    upstream.next(models, { steps: [...begun.map((text) => ({ text })), { stall: true }] });
    const test = run('testConnection');
    const { aborted } = await upstream.request(1);
    fake.cancelProgress();
    await Promise.all([aborted, test]);
    expect(fake.shown).toEqual([]);
  });

  it('how models call tools is changed where endpoints are managed', async () => {
    configure();
    fake.answers.push('Local', 'How its models call tools', 'In the fields of the API');
    await run('manageEndpoints');
    expect(fake.settings.get('dragoman.endpoints')).toMatchObject([{ name: 'Local', toolCalling: 'native' }]);
  });

  it.each([
    [
      'the key is refused',
      [errorReply(401, 'No such key.')],
      'Local refused the key (401). Run "Dragoman: Manage Endpoints"',
    ],
    [
      'the model is gone',
      [models, errorReply(404, 'No model "qwen2.5-7b" here.')],
      'Local has no model "qwen2.5-7b" (404): No model "qwen2.5-7b" here. Run "Dragoman: Refresh Models"',
    ],
    ['there is no model', [jsonReply(200, { data: [] })], 'lists no model'],
  ])('says what to do where %s', async (_, replies, expected) => {
    configure();
    upstream.next(...replies);
    await run('testConnection');
    expect(fake.shown.at(-1)).toContain(expected);
  });
});

describe('the engine inside', () => {
  it('C-088: a model that only writes text calls tools of VS Code, without a gateway', async () => {
    configure();
    upstream.next(models, chatStream(call));
    const [model] = (await provider().provideLanguageModelChatInformation({ silent: true }, none)) ?? [];
    expect(model).toMatchObject({
      id: 'local/qwen2.5-7b',
      capabilities: { toolCalling: true },
      maxInputTokens: 64_000 - 8192,
    });
    const parts: unknown[] = [];
    const message = { role: 1, content: [new LanguageModelTextPart('Ping!')], name: undefined };
    const ping = {
      name: 'ping',
      description: 'Pings',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    };
    if (model === undefined) throw new Error('There is no model.');
    await provider().provideLanguageModelChatResponse(
      model,
      [message],
      { toolMode: 1, tools: [ping] },
      { report: (part) => void parts.push(part) },
      none,
    );
    const texts = parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
    expect(texts).toBe('I look.');
    expect(parts.find((part) => part instanceof LanguageModelToolCallPart)).toMatchObject({
      name: 'ping',
      input: { text: 'a' },
    });
    await run('explainLastTurn');
    // What the call was read in.
    expect(fake.documents.at(-1)).toContain(`## What the model wrote\n\n\`\`\`text\n${call}\n`);
  });
});

it('C-104: the window of a model is read where its server tells it', async () => {
  fake.set('dragoman.endpoints', [{ name: 'LM Studio', url: `${upstream.origin}/v1` }]);
  const model = { id: 'qwen3', object: 'model' };
  const lists: Readonly<Record<string, ScriptedReply>> = {
    '/v1/models': jsonReply(200, { object: 'list', data: [{ ...model, owned_by: 'organization_owner' }] }),
    '/api/v0/models': jsonReply(200, {
      object: 'list',
      data: [{ ...model, type: 'llm', state: 'loaded', loaded_context_length: 48_000, max_context_length: 262_144 }],
    }),
  };
  serve(({ path }) => lists[path] ?? noRoute);
  const list = await provider().provideLanguageModelChatInformation({ silent: true }, none);
  expect(list).toMatchObject([{ maxInputTokens: 48_000 - 8192 }]);
});

describe('an Ollama server at the usual address', () => {
  it('C-104: makes room for an agent, of which VS Code hears', async () => {
    fake.set('dragoman.gateway', upstream.origin);
    upstream.next(
      jsonReply(200, { version: '0.13.4' }),
      noRoute,
      ...ollamaList,
      jsonReply(200, {
        model: 'qwen3:8b',
        message: { role: 'assistant', content: 'Hi.' },
        done: true,
        done_reason: 'stop',
      }),
    );
    const [model] = (await provider().provideLanguageModelChatInformation({ silent: true }, none)) ?? [];
    if (model === undefined) throw new Error('There is no model.');
    expect(model).toMatchObject({ maxInputTokens: 24_576, tooltip: expect.stringContaining('32,768 tokens') });
    const message = { role: 1, content: [new LanguageModelTextPart('Hi')], name: undefined };
    await provider().provideLanguageModelChatResponse(model, [message], { toolMode: 1 }, { report: () => {} }, none);
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { options: { num_ctx: 32_768 } } });
  });

  it('is found, and makes as much room as the person wants', async () => {
    fake.set('dragoman.gateway', upstream.origin);
    fake.set('dragoman.models.settings', { 'qwen*': { contextWindow: 32_000 } });
    upstream.next(
      jsonReply(200, { version: '0.13.4' }),
      noRoute,
      ...ollamaList,
      // The connection with that room asks for the list of its own.
      ...ollamaList,
      jsonReply(200, {
        model: 'qwen3:8b',
        message: { role: 'assistant', content: 'Hi.' },
        done: true,
        done_reason: 'stop',
      }),
    );
    const [model] = (await provider().provideLanguageModelChatInformation({ silent: true }, none)) ?? [];
    if (model === undefined) throw new Error('There is no model.');
    expect(model).toMatchObject({ id: 'local/qwen3:8b', detail: 'Ollama', maxInputTokens: 24_000 });
    const message = { role: 1, content: [new LanguageModelTextPart('Hi')], name: undefined };
    await provider().provideLanguageModelChatResponse(model, [message], { toolMode: 1 }, { report: () => {} }, none);
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { options: { num_ctx: 32_000 } } });
  });
});

describe('a turn that is cancelled while the server is silent', () => {
  it('C-065: ends, and the server hears of it', async () => {
    configure();
    upstream.next(models, {
      steps: [
        ...chatFrames('Hello')
          .slice(0, -2)
          .map((text) => ({ text })),
        { stall: true },
      ],
    });
    const [model] = (await provider().provideLanguageModelChatInformation({ silent: true }, none)) ?? [];
    if (model === undefined) throw new Error('There is no model.');
    const source = new CancellationTokenSource();
    const message = { role: 1, content: [new LanguageModelTextPart('Hi')], name: undefined };
    const report = () => void setTimeout(() => source.cancel(), 20);
    const token = source.token as vscode.CancellationToken;
    await provider().provideLanguageModelChatResponse(model, [message], { toolMode: 1 }, { report }, token);
    await (await upstream.request(1)).aborted;
    expect(fake.statusBar?.text).not.toContain('spin');
  });
});

describe('pages', () => {
  it('C-114: the export holds endpoints, models, the last errors and the log, and no key', async () => {
    configure({ headers: { authorization: 'Bearer abcdefghijklmnopqrstuvwxyz' } });
    upstream.next(
      models,
      errorReply(500, 'The key sk-abcdefghijklmnopqrst broke me.'),
      errorReply(500, 'Again.'),
      errorReply(500, 'Again.'),
    );
    const [model] = (await provider().provideLanguageModelChatInformation({ silent: true }, none)) ?? [];
    if (model === undefined) throw new Error('There is no model.');
    const message = { role: 1, content: [new LanguageModelTextPart('Hi')], name: undefined };
    await expect(
      provider().provideLanguageModelChatResponse(model, [message], { toolMode: 1 }, { report: () => {} }, none),
    ).rejects.toThrow();
    await run('exportDiagnostics');
    const page = fake.documents.at(-1) ?? '';
    expect(page).toContain('- Local: http');
    expect(page).toContain('- local/qwen2.5-7b: window 64000 (server)');
    expect(page).toContain('## Last errors\n\n- 2');
    expect(page).not.toContain('sk-abcdefghijklmnopqrst');
    expect(page).not.toContain('abcdefghijklmnopqrstuvwxyz');
  });

  it('explains nothing before the first turn, and clears what it kept', async () => {
    await run('explainLastTurn');
    expect(fake.shown.at(-1)).toContain('No model has been asked');
    await run('clearLogs');
    expect(fake.lines).toEqual([]);
  });

  it('C-104: a window that the server does not tell is asked of the person', async () => {
    configure();
    upstream.next(jsonReply(200, { data: [{ id: 'some-model' }] }));
    const list = () => provider().provideLanguageModelChatInformation({ silent: true }, none);
    expect((await list())?.[0]?.tooltip).toContain('32,768 tokens, guessed');
    fake.answers.push('some-model', '50000');
    await run('setContextWindow');
    upstream.next(jsonReply(200, { data: [{ id: 'some-model' }] }));
    expect(await list()).toMatchObject([{ maxInputTokens: 50_000 - 8192 }]);
  });

  it('utility models are one click', async () => {
    await run('useForUtility');
    expect(fake.settings.get('chat.byokUtilityModelDefault')).toBe('mainAgent');
  });
});
