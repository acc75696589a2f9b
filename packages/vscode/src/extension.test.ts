import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import * as fakeEditor from '../test/fake-vscode.ts';
import { type Answer, callItem, completed, event, streamed, textReply, written } from '../test/scripted-server.ts';
import { activate } from './extension.ts';

// The whole extension, from what VS Code asks to what leaves over HTTP, with an editor and a network that are scripted.

const { fake, LanguageModelTextPart: Text } = fakeEditor;

type Provider = vscode.LanguageModelChatProvider;
type Information = vscode.LanguageModelChatInformation;
type Options = vscode.ProvideLanguageModelChatResponseOptions;

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** What the network answers, by method and address; the rest refuses connections. */
const network = new Map<string, Answer>();
const sent: { readonly url: string; readonly headers: Headers; readonly body: Record<string, unknown> | undefined }[] =
  [];
const realFetch = globalThis.fetch;

let context: ReturnType<typeof fakeEditor.fakeContext>;
const none = new fakeEditor.CancellationTokenSource().token as vscode.CancellationToken;

beforeEach(() => {
  fake.reset();
  network.clear();
  sent.length = 0;
  // A host without Node's own modules asks everything with fetch.
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    sent.push({ url: request.url, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) });
    const answer = network.get(`${request.method} ${request.url}`);
    if (answer === undefined) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return answer(request);
  };
  context = fakeEditor.fakeContext();
});
afterEach(() => {
  vi.restoreAllMocks();
  globalThis.fetch = realFetch;
  for (const subscription of context.subscriptions) subscription.dispose();
  vi.useRealTimers();
});

/** A gateway at the address that is looked for, with models as its list has them. */
function gateway(models: readonly object[], base = 'http://127.0.0.1:11434') {
  network.set(`GET ${base}/api/version`, () => Response.json({ version: '0.13.4', dragoman: '0.1.0' }));
  network.set(`GET ${base}/v1/models`, () => Response.json({ object: 'list', data: models }));
}
const replyWith = (answer: Answer, base = 'http://127.0.0.1:11434') => network.set(`POST ${base}/v1/responses`, answer);
const big = { id: 'm', context_window: 128_000, max_output_tokens: 8000 };

function start(): Provider {
  activate(context as unknown as vscode.ExtensionContext);
  return fake.providers.get('dragoman') as Provider;
}
/** What answers for groups of "Add Models". */
const groups = () => fake.providers.get('dragoman-server') as Provider;
const list = async (provider: Provider, options: object = { silent: true }) =>
  (await provider.provideLanguageModelChatInformation(options as { silent: boolean }, none)) ?? [];
const asked = (path: string) => sent.filter(({ url }) => url.endsWith(path));
const message = (role: number, ...content: readonly string[]) =>
  ({
    role,
    content: content.map((text) => new Text(text)),
    name: undefined,
  }) as unknown as vscode.LanguageModelChatRequestMessage;

interface Turn {
  readonly parts: readonly unknown[];
  readonly error?: Error;
}

async function ask(
  provider: Provider,
  model: Information | undefined,
  {
    messages = [message(3, 'Be brief.'), message(1, 'Hi')],
    token = none,
    onPart = () => {},
    ...options
  }: Partial<Options> & {
    messages?: readonly vscode.LanguageModelChatRequestMessage[];
    token?: vscode.CancellationToken;
    onPart?: () => void;
  } = {},
): Promise<Turn> {
  if (model === undefined) throw new Error('There is no model.');
  const parts: unknown[] = [];
  try {
    const report = (part: unknown) => {
      parts.push(part);
      onPart();
    };
    const progress = { report };
    await provider.provideLanguageModelChatResponse(
      model,
      messages,
      { toolMode: 1, ...options } as Options,
      progress,
      token,
    );
  } catch (error) {
    if (error instanceof Error) return { parts, error };
    throw error;
  }
  return { parts };
}

const textOf = ({ parts }: Turn) => parts.map((part) => (part instanceof Text ? part.value : '')).join('');

describe('activation', () => {
  it('C-080: registers the vendors of the manifest, with their three methods', () => {
    const provider = start();
    const declared = manifest.contributes.languageModelChatProviders;
    expect([...fake.providers.keys()]).toEqual(declared.map(({ vendor }: { vendor: string }) => vendor));
    for (const method of [
      'provideLanguageModelChatInformation',
      'provideLanguageModelChatResponse',
      'provideTokenCount',
    ] as const)
      expect(provider[method]).toBeTypeOf('function');
  });

  it('C-089: has every command of the manifest, and no other', () => {
    start();
    const declared = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    expect([...fake.commands.keys()].sort()).toEqual([...declared].sort());
  });

  it('C-090: the manifest asks for no proposed API, and for nothing before models or commands are wanted', () => {
    expect(manifest.enabledApiProposals).toBeUndefined();
    expect(manifest.activationEvents).toEqual([]);
    expect(manifest.engines.vscode).toBe('^1.106.0');
    expect([manifest.main, manifest.browser]).toEqual(['./dist/extension.js', './dist/extension.js']);
  });

  it('C-111: makes one output channel with a name to recognise, and asks no server', () => {
    start();
    expect(fake.channels).toEqual(['Dragoman']);
    expect(sent).toEqual([]);
  });
});

describe('models', () => {
  it('a gateway at the usual address is found without asking', async () => {
    gateway([big]);
    expect(await list(start())).toMatchObject([{ id: 'local/m', maxInputTokens: 120_000, detail: 'Dragoman' }]);
    expect(fake.shown).toEqual([]);
  });

  it('C-081: are asked for with the key', async () => {
    gateway([big]);
    const provider = start();
    await context.secrets.store(
      'dragoman.sessions',
      JSON.stringify({
        'http://127.0.0.1:11434': { active: 'a', sessions: [{ id: 'a', label: 'a', kind: 'key', key: 'k-1' }] },
      }),
    );
    await list(provider);
    expect(asked('/v1/models').at(-1)?.headers.get('authorization')).toBe('Bearer k-1');
  });

  it('C-087: a key goes to the server that it was entered for, whatever another one is called', async () => {
    const key = { active: 'a', sessions: [{ id: 'a', label: 'a', kind: 'key', key: 'k-1' }] };
    await context.secrets.store('dragoman.sessions', JSON.stringify({ 'http://mine': key }));
    fake.settings.set('dragoman.endpoints', [
      { name: 'Mine', url: 'http://mine/v1', api: 'responses' },
      { name: 'mine', url: 'http://theirs/v1', api: 'responses' },
    ]);
    for (const host of ['mine', 'theirs'])
      network.set(`GET http://${host}/v1/models`, () => Response.json({ data: [big] }));
    expect((await list(start())).map(({ id }) => id)).toEqual(['mine/m', 'mine-2/m']);
    const keyAt = (host: string) =>
      sent.find(({ url }) => url.startsWith(`http://${host}/`))?.headers.get('authorization');
    expect([keyAt('mine'), keyAt('theirs')]).toEqual(['Bearer k-1', null]);
  });

  it('C-083: are asked for once by many, and again after a key has changed, which VS Code is told', async () => {
    gateway([big]);
    const provider = start();
    const changes: unknown[] = [];
    provider.onDidChangeLanguageModelChatInformation?.(() => changes.push(1));
    await Promise.all([list(provider), list(provider), list(provider)]);
    await list(provider);
    expect(asked('/v1/models')).toHaveLength(1);
    await context.secrets.store('dragoman.sessions', '{}');
    expect(changes.length).toBeGreaterThan(0);
    await list(provider);
    expect(asked('/v1/models')).toHaveLength(2);
  });

  it('C-084: a route of single models that is not there is asked once', async () => {
    fake.settings.set('dragoman.gateway', '');
    fake.settings.set('dragoman.endpoints', [{ name: 'R', url: 'http://r/v1', api: 'responses' }]);
    network.set('GET http://r/v1/models', () => Response.json({ data: [{ id: 'a/b' }, { id: 'c' }] }));
    network.set('GET http://r/v1/models/c/endpoints', () =>
      Response.json({ data: { endpoints: [{ context_length: 50_000 }] } }),
    );
    network.set('GET http://r/v1/models/a/b/endpoints', () => new Response('', { status: 404 }));
    const provider = start();
    const models = await list(provider);
    expect(models[1]).toMatchObject({ id: 'r/c', maxInputTokens: 50_000 - 8192 });
    await context.secrets.store('other', '');
    await list(provider);
    expect(asked('/endpoints')).toHaveLength(2);
  });

  it('C-085: allow, deny and the default that is first', async () => {
    gateway([
      { ...big, id: 'a/x' },
      { ...big, id: 'a/y' },
      { ...big, id: 'b/z' },
      { ...big, id: 'a/w' },
    ]);
    fake.settings.set('dragoman.models.allow', ['a/*']);
    fake.settings.set('dragoman.models.deny', ['*/x']);
    fake.settings.set('dragoman.models.default', 'a/w');
    const models = await list(start());
    expect(models.map(({ id }) => id)).toEqual(['local/a/w', 'local/a/y']);
    expect(models[0]).toMatchObject({ isUserSelectable: true });
  });

  it('C-086: a silent question opens nothing, where no server is; one that is not says so once, and what to do', async () => {
    const provider = start();
    expect(await list(provider)).toEqual([]);
    expect(fake.shown).toEqual([]);
    await list(provider, { silent: false });
    await list(provider, { silent: false });
    expect(fake.shown).toEqual([expect.stringContaining('Nothing answers at http://127.0.0.1:11434')]);
  });

  it('C-088: any OpenResponses server, a gateway and groups of "Add Models" side by side', async () => {
    gateway([big]);
    gateway([{ ...big, id: 'other' }], 'http://10.0.0.2:8000');
    fake.settings.set('dragoman.endpoints', [{ name: 'Any One', url: 'http://any/v1', api: 'responses' }]);
    network.set('GET http://any/v1/models', () => Response.json({ data: [{ ...big, id: 'x' }] }));
    const provider = start();
    const group = { silent: true, configuration: { url: 'http://10.0.0.2:8000', apiKey: 'k-2' } };
    const [other] = await list(groups(), group);
    expect(other).toMatchObject({ id: '10-0-0-2-8000/other' });
    // VS Code puts the group's name there.
    expect(other).not.toHaveProperty('detail');
    expect(asked(':8000/v1/models')[0]?.headers.get('authorization')).toBe('Bearer k-2');
    expect((await list(provider)).map(({ id }) => id)).toEqual(['local/m', 'any-one/x']);
    expect(await list(groups())).toEqual([]);
  });

  it.each([
    ['only Responses', 404, 400, '/responses'],
    ['both APIs', 400, 400, '/chat/completions'],
    ['neither that can be seen', 404, 404, '/chat/completions'],
  ])('a server with %s is asked where it answers', async (_, chat, responses, route) => {
    start();
    const base = 'http://10.0.0.2:8000/v1';
    network.set(`POST ${base}/chat/completions`, () => Response.json({}, { status: chat }));
    network.set(`POST ${base}/responses`, () => Response.json({}, { status: responses }));
    network.set('GET http://10.0.0.2:8000/api/version', () => new Response('', { status: 404 }));
    network.set(`GET ${base}/models`, () => Response.json({ data: [big] }));
    const [model] = await list(groups(), { silent: true, configuration: { url: base } });
    await ask(groups(), model);
    expect(sent.at(-1)?.url).toBe(base + route);
  });

  it('an address that ends with a route tells its API by it', async () => {
    start();
    network.set('GET http://10.0.0.2:8000/v1/models', () => Response.json({ data: [big] }));
    const [model] = await list(groups(), { silent: true, configuration: { url: '10.0.0.2:8000/v1/responses' } });
    await ask(groups(), model);
    expect(sent.map(({ url }) => url)).toEqual(['http://10.0.0.2:8000/v1/models', 'http://10.0.0.2:8000/v1/responses']);
  });

  it('two groups of one server ask it with their own keys', async () => {
    start();
    gateway([big], 'http://10.0.0.2:8000');
    const base = 'http://10.0.0.2:8000';
    const [work] = await list(groups(), { silent: true, configuration: { url: base, apiKey: 'k-work' } });
    const [home] = await list(groups(), { silent: true, configuration: { url: base, apiKey: 'k-home' } });
    replyWith(() => streamed(written(textReply('Hi.'))), base);
    await ask(groups(), work);
    await ask(groups(), home);
    expect(asked('/responses').map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer k-work',
      'Bearer k-home',
    ]);
  });

  it.each([
    ['is not there', undefined, 'Nothing answers at http://10.0.0.2:8000. Start the server'],
    [
      'refuses the key',
      () => Response.json({ error: { message: 'No.' } }, { status: 401 }),
      'refused the key (401): No.',
    ],
  ])('a group whose server %s says so in the list of models, in one line', async (_, answer, said) => {
    start();
    if (answer !== undefined) gateway([big], 'http://10.0.0.2:8000');
    if (answer !== undefined) network.set('GET http://10.0.0.2:8000/v1/models', answer);
    const asking = list(groups(), { silent: true, configuration: { url: '10.0.0.2:8000', apiKey: 'k' } });
    await expect(asking).rejects.toThrow(said);
    await asking.catch((error: Error) => expect(error.stack).toBe(''));
    expect(fake.shown).toEqual([]);
  });

  it('nothing comes of the empty question where nothing is configured and no gateway is looked for', async () => {
    fake.settings.set('dragoman.gateway', '');
    start();
    expect(await list(groups(), { silent: true, configuration: {} })).toEqual([]);
    expect(sent).toEqual([]);
  });
});

describe('a turn', () => {
  const usage = {
    input_tokens: 41_234,
    output_tokens: 56,
    total_tokens: 41_290,
    input_tokens_details: { cached_tokens: 7 },
    output_tokens_details: { reasoning_tokens: 3 },
  };

  async function withModel(answer: Answer, models: readonly object[] = [big]) {
    gateway(models);
    replyWith(answer);
    const provider = start();
    return { provider, model: (await list(provider))[0] };
  }

  it('C-020: goes to /v1/responses, and its text comes back', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('Hello.', { usage }))));
    const turn = await ask(provider, model);
    expect(textOf(turn)).toBe('Hello.');
    expect(sent.at(-1)).toMatchObject({
      url: 'http://127.0.0.1:11434/v1/responses',
      body: { model: 'm', instructions: 'Be brief.', stream: true, store: false },
    });
  });

  it('C-112: is in the log at trace, with its body and without the key, and not at info', async () => {
    await context.secrets.store(
      'dragoman.sessions',
      JSON.stringify({
        'http://127.0.0.1:11434': {
          active: 'a',
          sessions: [{ id: 'a', label: 'a', kind: 'key', key: 'sk-0123456789abcdef' }],
        },
      }),
    );
    const { provider, model } = await withModel(() => streamed(written(textReply('Hello.'))));
    await ask(provider, model);
    expect(fake.lines.join('\n')).not.toContain('Be brief.');
    fake.set('dragoman.logging.level', 'trace');
    await ask(provider, model);
    expect(fake.lines.filter((line) => line.includes('"instructions":"Be brief."'))).toHaveLength(1);
    expect(fake.lines.join('\n')).not.toContain('sk-0123456789abcdef');
  });

  it('C-100: ends with what it cost, for the context meter, the tracker and the status bar', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('Hello.', { usage }))));
    const { parts } = await ask(provider, model);
    const last = parts.at(-1);
    if (!(last instanceof fakeEditor.LanguageModelDataPart)) throw new Error('The last part is no data.');
    expect(last.mimeType).toBe('usage');
    expect(JSON.parse(new TextDecoder().decode(last.data))).toEqual({
      prompt_tokens: 41_234,
      completion_tokens: 56,
      total_tokens: 41_290,
      prompt_tokens_details: { cached_tokens: 7 },
    });
    expect(fake.statusBar?.text).toBe('$(dashboard) 41.3K/128K 32%');
    await fake.commands.get('dragoman.showUsage')?.();
    expect(fake.documents.at(-1)).toContain('| local/m | 1 | 41,234 | 7 | 56 | 3 |');
  });

  it('without a count of the server still moves the meter', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('Hello.'))));
    const { parts } = await ask(provider, model);
    expect(parts.at(-1)).toBeInstanceOf(fakeEditor.LanguageModelDataPart);
    expect(fake.statusBar?.text).toContain('~');
  });

  it('C-060: thoughts are parts of their own', async () => {
    const thought = [
      event('output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'r', summary: [] } }),
      event('reasoning.delta', { item_id: 'r', output_index: 0, content_index: 0, delta: 'Hm.' }),
    ];
    const { provider, model } = await withModel(() => streamed(written([...thought, completed([callItem()])])));
    const { parts } = await ask(provider, model, { tools: [{ name: 'read', description: '', inputSchema: {} }] });
    expect(parts[0]).toBeInstanceOf(fakeEditor.LanguageModelThinkingPart);
    expect(parts[1]).toMatchObject({ callId: 'c1', name: 'read', input: { path: 'a' } });
  });

  it('C-036: the effort that was chosen beside the picker is sent, and the setting where nothing was', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('x'))), [{ ...big, reasoning: true }]);
    await ask(provider, model, { modelConfiguration: { reasoningEffort: 'high' } } as object);
    expect(sent.at(-1)?.body).toMatchObject({ reasoning: { effort: 'high' } });
    fake.set('dragoman.reasoning.effort', 'low');
    await ask(provider, model);
    expect(sent.at(-1)?.body).toMatchObject({ reasoning: { effort: 'low' } });
    await ask(provider, model, { modelConfiguration: { reasoningEffort: 'default' } } as object);
    expect(sent.at(-1)?.body).not.toHaveProperty('reasoning');
  });

  it('a title takes little thought, and leaves the gauge and "Explain Last Turn" to the chat', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('x'))), [{ ...big, reasoning: true }]);
    const marks = { _capturingTokenCorrelationId: 'a' };
    await ask(provider, model, { modelOptions: { ...marks, _enableThinking: true } });
    expect(sent.at(-1)?.body).not.toHaveProperty('reasoning');
    const gauge = fake.statusBar?.text;
    const high = { modelConfiguration: { reasoningEffort: 'high' } } as object;
    await ask(provider, model, { messages: [message(1, 'Write a title.')], modelOptions: marks, ...high });
    expect(sent.at(-1)?.body).toMatchObject({ reasoning: { effort: 'low' } });
    expect(fake.statusBar?.text).toBe(gauge);
    await fake.commands.get('dragoman.explainLastTurn')?.();
    expect(fake.documents.at(-1)).not.toContain('Write a title.');
  });

  it('C-009: a prompt of the settings is in where VS Code sends none', async () => {
    fake.settings.set('dragoman.systemPrompt.enabled', true);
    fake.settings.set('dragoman.systemPrompt.message', 'Mine.');
    const { provider, model } = await withModel(() => streamed(written(textReply('x'))));
    await ask(provider, model, { messages: [message(1, 'Hi')] });
    expect(sent.at(-1)?.body).toMatchObject({ instructions: 'Mine.' });
  });

  it('C-065: cancelled after the first piece ends silently, and the server is told', async () => {
    const source = new fakeEditor.CancellationTokenSource();
    let aborted = false;
    const { provider, model } = await withModel((request) => {
      request.signal.addEventListener('abort', () => {
        aborted = true;
      });
      const [begun = ''] = written(textReply('Hello.')).split('event: response.completed');
      const start = (stream: ReadableStreamDefaultController) => stream.enqueue(new TextEncoder().encode(begun));
      return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
    });
    const token = source.token as vscode.CancellationToken;
    // Not within the report: the turn then waits for more of the server.
    const turn = await ask(provider, model, { token, onPart: () => void setTimeout(() => source.cancel(), 5) });
    expect(turn.error).toBeUndefined();
    expect(textOf(turn)).toBe('Hello.');
    expect(aborted).toBe(true);
    expect(fake.statusBar?.text).not.toContain('spin');
  });

  it.each([
    [
      401,
      { error: { message: 'No such key.', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'refused the key',
    ],
    [402, { error: { message: 'No credit.' } }, 'asks to be paid'],
    [404, { error: { message: 'No such model.' } }, 'Refresh Models'],
    [429, { error: { message: 'Slow down.' } }, 'Try again in 7 seconds'],
    [500, { error: { message: 'Broken.' } }, 'failed (500)'],
    [504, { error: { message: 'Nothing came.', code: 'idle_timeout' } }, 'raise the setting "dragoman.timeout.idle"'],
  ])('C-063: an answer with %i is one clean line', async (status, body, expected) => {
    const { provider, model } = await withModel(() => Response.json(body, { status, headers: { 'retry-after': '7' } }));
    const { error } = await ask(provider, model);
    expect(error?.message).toContain(expected);
    expect(error?.message).not.toContain('\n');
    expect(error?.stack).toBe('');
    expect(error?.constructor).toBe(Error);
  });

  it('a server that is gone, and a reply that breaks off, say so', async () => {
    const { provider, model } = await withModel(() =>
      streamed(written(textReply('Half')).split('event: response.completed')[0] ?? ''),
    );
    expect((await ask(provider, model)).error?.message).toMatch(
      /^Dragoman broke off its answer: .* Try again, or look at the server's log\.$/,
    );
    network.delete('POST http://127.0.0.1:11434/v1/responses');
    expect((await ask(provider, model)).error?.message).toContain('Nothing answers at http://127.0.0.1:11434');
  });

  it('C-104: that is too long teaches the limit, and VS Code is told', async () => {
    const { provider, model } = await withModel(() =>
      Response.json({ error: { message: 'prompt is too long: 130000 tokens > 64000 maximum' } }, { status: 400 }),
    );
    const changes: unknown[] = [];
    provider.onDidChangeLanguageModelChatInformation?.(() => changes.push(1));
    expect((await ask(provider, model)).error?.message).toContain('too long for m (400)');
    expect(changes).toHaveLength(1);
    expect(await list(provider)).toMatchObject([{ maxInputTokens: 64_000 - 8000 }]);
  });

  it('C-104: of a model that is too small for agent mode says so before anything is sent', async () => {
    const { provider, model } = await withModel(
      () => streamed(written(textReply('x'))),
      [{ ...big, context_window: 4096 }],
    );
    expect(model?.tooltip).toContain('Agent mode needs about');
    const { error } = await ask(provider, model, { messages: [message(1, 'word '.repeat(8000))] });
    expect(error?.message).toMatch(/^This turn has about 10,0\d\d tokens\. .*this model has 3,072 for the prompt/);
    expect(asked('/responses')).toEqual([]);
    expect(textOf(await ask(provider, model))).toBe('x');
  });

  it('to a server that refuses tools is taught them from then on, over restarts, until models are refreshed', async () => {
    fake.settings.set('dragoman.gateway', '');
    fake.settings.set('dragoman.endpoints', [{ name: 'Engine', url: 'http://e/v1', api: 'openai-chat' }]);
    network.set('GET http://e/v1/models', () => Response.json({ data: [{ id: 'm' }] }));
    const reply = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
    const refusal = { error: { message: 'tools param requires --jinja flag' } };
    network.set('POST http://e/v1/chat/completions', async (request) =>
      'tools' in Object(await request.json()) ? Response.json(refusal, { status: 500 }) : Response.json(reply),
    );
    const askWithTool = async () => {
      const provider = start();
      const [model] = await list(provider);
      const turn = await ask(provider, model, { tools: [{ name: 'read', description: '', inputSchema: {} }] });
      expect(textOf(turn)).toBe('Hi.');
    };
    await askWithTool();
    await askWithTool();
    await fake.commands.get('dragoman.refreshModels')?.();
    await askWithTool();
    const native = asked('/chat/completions').map(({ body }) => 'tools' in Object(body));
    expect(native).toEqual([true, false, false, true, false]);
  });

  it('C-069: that announces a call and makes none is noted', async () => {
    const { provider, model } = await withModel(() => streamed(written(textReply('I will now read the file.'))));
    await ask(provider, model, { tools: [{ name: 'read', description: '', inputSchema: {} }] });
    await fake.commands.get('dragoman.explainLastTurn')?.();
    expect(fake.documents.at(-1)).toContain('A call that never came');
    await ask(provider, model);
    await fake.commands.get('dragoman.explainLastTurn')?.();
    expect(fake.documents.at(-1)).not.toContain('A call that never came');
  });
});

describe('tokens', () => {
  const count = (provider: Provider, model: Information, text: string | vscode.LanguageModelChatRequestMessage) =>
    provider.provideTokenCount(model, text, none);

  it('C-101 C-102: are estimated without asking anybody, and never below what a server has counted since', async () => {
    gateway([big]);
    const text = 'Some words that a tokenizer cuts in its own way. '.repeat(40);
    const usage = { input_tokens: 1500, output_tokens: 1, total_tokens: 1501 };
    replyWith(() => streamed(written(textReply('x', { usage }))));
    const provider = start();
    const [model] = await list(provider);
    if (model === undefined) throw new Error('no model');
    const before = await count(provider, model, text);
    expect(before).toBe(Math.ceil(text.length / 4));
    await ask(provider, model, { messages: [message(1, text)] });
    expect(await count(provider, model, message(1, text))).toBeGreaterThanOrEqual(1500);
    expect(asked('/responses')).toHaveLength(1);
  });

  it('C-106: the mode decides how many characters a token has', async () => {
    gateway([big]);
    const provider = start();
    const [model] = await list(provider);
    if (model === undefined) throw new Error('no model');
    const modes = ['conservative', 'balanced', 'generous'];
    const counts = [];
    for (const mode of modes) {
      fake.set('dragoman.tokens.estimate', mode);
      counts.push(await count(provider, model, 'x'.repeat(60)));
    }
    fake.set('dragoman.tokens.charactersPerToken', 2);
    fake.set('dragoman.tokens.estimate', 'custom');
    counts.push(await count(provider, model, 'x'.repeat(60)));
    expect(counts).toEqual([20, 15, 12, 30]);
  });
});
