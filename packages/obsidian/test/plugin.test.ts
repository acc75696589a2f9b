import type { Chat } from '@dragoman/agent';
import { chatStream, errorReply, jsonReply, type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportChat } from '../src/chats/export-chat.ts';
import { findOldChats, importChats } from '../src/chats/import-chats.ts';
import { readSources } from '../src/notes.ts';
import { Servers } from '../src/servers/servers.ts';
import { defaultSettings, readSettings, type Settings } from '../src/settings.ts';
import { OwnTools } from '../src/tools/own-tools.ts';
import { createPluginFiles } from '../src/vault/plugin-files.ts';
import type { ModelChoice } from '../src/view/host.ts';
import { appWith } from './app-with.ts';

describe('settings', () => {
  it('D-091: what is out of range is clamped, what cannot be read is as by default', () => {
    const saved = {
      context: 5,
      memory: 1e9,
      model: 7,
      servers: [{ url: 'http://a' }, 'x'],
      looksAround: false,
      chats: '../out',
      scripts: { a: 1, b: 'id' },
    };
    expect(readSettings(saved)).toEqual({
      ...defaultSettings,
      context: 1_000,
      memory: 10_000,
      looksAround: false,
      servers: [{ url: 'http://a', secret: '', taught: false }],
      scripts: { b: 'id' },
    });
    expect(readSettings({ chats: ' Notes/Chats/ ' }).chats).toBe('Notes/Chats');
    for (const broken of [undefined, null, 'x', []]) expect(readSettings(broken)).toEqual(defaultSettings);
  });
});

/** What a model says when it is asked for nothing. */
async function askOnce(servers: Servers, choice: ModelChoice | undefined): Promise<string> {
  if (choice === undefined) throw new Error('no model');
  const { model, settings } = servers.connect(choice);
  const words: string[] = [];
  const request = {
    ...settings,
    messages: [],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: true,
    includeUsage: true,
    sampling: {},
    extra: {},
    warnings: [],
  } as const;
  for await (const event of model.ask(request, { signal: AbortSignal.timeout(5_000) })) {
    if (event.type === 'text-delta') words.push(event.text);
  }
  return words.join('');
}

describe('servers', () => {
  let upstream: ScriptedUpstream;
  beforeEach(async () => {
    upstream = await startScriptedUpstream();
  });
  afterEach(() => upstream.close());

  const serversOf = (servers: Settings['servers']) =>
    new Servers({
      settings: () => ({ ...defaultSettings, looksAround: false, servers }),
      secret: (name) => `value of ${name}`,
      fetch,
      fetchWhole: fetch,
    });
  /** A server that says nothing of its version. */
  const isOther = jsonReply(404, {});
  const own = (more: object = {}) => ({ url: upstream.origin, secret: '', taught: false, ...more });

  it('D-090: models of a server are listed and asked, with its key', async () => {
    upstream.next(isOther, jsonReply(200, { data: [{ id: 'qwen', context_length: 32_768 }] }), chatStream('Hello.'));
    const servers = serversOf([own({ secret: 'my-key' })]);
    const { choices, problems } = await servers.list();
    expect([choices, problems]).toEqual([
      [{ key: `${upstream.origin} qwen`, name: 'qwen', server: upstream.origin, window: 32_768 }],
      [],
    ]);
    expect(await askOnce(servers, choices[0])).toBe('Hello.');
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill('Bearer value of my-key'),
    );
  });

  it.each([
    ['nobody answers', () => ({ url: 'http://127.0.0.1:9' }), [], 'cannot be reached'],
    ['the key is wrong', () => ({}), [errorReply(401, 'no')], 'refused the key'],
    ['there are no models', () => ({}), [jsonReply(200, { data: [] })], 'has no models yet'],
    [
      'a window is too small',
      () => ({}),
      [jsonReply(200, { data: [{ id: 'tiny', context_length: 2_048 }] })],
      'only 2048 tokens',
    ],
  ])('D-093: where %s, it says what to do', async (_, more, replies, words) => {
    upstream.next(isOther, ...replies);
    const { problems } = await serversOf([own(more())]).list();
    expect(problems.join()).toContain(words);
    expect(problems).toHaveLength(1);
  });

  it('D-090: Ollama is asked in its own API, for a window that tools have room in, and a gateway in ours', async () => {
    const list = [
      jsonReply(200, { models: [{ name: 'qwen3:latest', model: 'qwen3:latest' }] }),
      jsonReply(200, { capabilities: ['completion', 'tools'], model_info: {} }),
      jsonReply(200, { models: [] }),
    ];
    const done = { model: 'qwen3', message: { role: 'assistant', content: 'Hi.' }, done: true, done_reason: 'stop' };
    upstream.next(jsonReply(200, { version: '0.12.0' }), ...list, jsonReply(200, done));
    // The address is that of its other API.
    const servers = serversOf([own({ url: `${upstream.origin}/v1` })]);
    const { choices, problems } = await servers.list();
    expect([choices.map(({ name, window }) => [name, window]), problems]).toEqual([[['qwen3', 16_384]], []]);
    await askOnce(servers, choices[0]);
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { options: { num_ctx: 16_384 } } });

    upstream.next(jsonReply(200, { version: '0.12.0', dragoman: '0.1.0' }), jsonReply(200, { data: [{ id: 'demo' }] }));
    expect((await serversOf([own()]).list()).choices).toMatchObject([{ name: 'demo' }]);
    expect(upstream.requests.at(-1)?.path).toBe('/v1/models');
  });

  it('D-093: without any server it says how to come to one', async () => {
    const { problems } = await serversOf([]).list();
    expect(problems[0]).toContain('Start Ollama, LM Studio, llama.cpp or a Dragoman gateway');
  });

  it('D-090: what runs on this device is offered, in the API and by the list that are best for it', async () => {
    const answers: Readonly<Record<string, object>> = {
      'http://127.0.0.1:1234/v1/models': { data: [{ id: 'qwen', owned_by: 'organization_owner' }] },
      'http://127.0.0.1:1234/api/v0/models': {
        data: [
          { id: 'qwen', type: 'llm', loaded_context_length: 16_384 },
          { id: 'nomic', type: 'embeddings' },
        ],
      },
      'http://127.0.0.1:1337/v1/models': { error: 'no key' },
    };
    const device: typeof fetch = async (input) => {
      const { href, port } = new URL(input instanceof Request ? input.url : input);
      if (port !== '1234' && port !== '1337') throw new TypeError('Failed to fetch');
      return Response.json(answers[href] ?? {}, {
        status: port === '1337' ? 401 : answers[href] === undefined ? 404 : 200,
      });
    };
    const servers = new Servers({
      settings: () => ({ ...defaultSettings, looksAround: true, servers: [] }),
      secret: () => '',
      fetch: device,
      fetchWhole: device,
    });
    expect(await servers.list()).toEqual({
      choices: [{ key: 'http://127.0.0.1:1234 qwen', name: 'qwen', server: 'http://127.0.0.1:1234', window: 16_384 }],
      problems: [],
    });
    const told = await servers.lookAround();
    expect(told).toContain('http://127.0.0.1:1234 is connected. Models: qwen.');
    expect(told).toContain('Jan at http://127.0.0.1:1337 wants a key.');
  });
});

describe('what the model reads', () => {
  it('D-043, D-044: notes of the folder are sources, and each may be missing', async () => {
    const app = appWith({
      'Dragoman/rules.md': ' Be brief. ',
      'Dragoman/memory.md': 'Tea.',
      'Dragoman/voice.md': '  ',
    });
    expect(await readSources(app, defaultSettings)).toEqual({ rules: 'Be brief.', memory: 'Tea.' });
    expect(await readSources(appWith({}), defaultSettings)).toEqual({});
  });
});

describe('own tools', () => {
  const text = `export const meta = { name: 'shout', description: 'Shouts.', inputSchema: { type: 'object' } };
    export const run = ({ text }) => text.toUpperCase();`;
  const toolsOf = (app: ReturnType<typeof appWith>, settings: () => Settings) =>
    new OwnTools({ app, settings, version: '0', fetch });

  it('D-063: a script runs when it was allowed as it is, and not when it has changed', async () => {
    let settings = defaultSettings;
    const app = appWith({ 'Dragoman/tools/shout.js': text, 'Dragoman/tools/readme.md': 'x', 'other/tools/x.js': 'x' });
    const tools = toolsOf(app, () => settings);
    expect([await tools.load(), tools.tools]).toEqual([[], []]);
    const found = await tools.scripts();
    expect(found).toMatchObject([{ path: 'Dragoman/tools/shout.js', isAllowed: false }]);
    settings = { ...settings, scripts: { 'Dragoman/tools/shout.js': found[0]?.id ?? '' } };
    await tools.load();
    expect(tools.tools.map(({ name }) => name)).toEqual(['shout']);
    const file = app.vault.getFileByPath('Dragoman/tools/shout.js');
    if (file !== null) await app.vault.modify(file, `${text} // changed`);
    await tools.load();
    expect([tools.tools, (await tools.scripts())[0]?.isAllowed]).toEqual([[], false]);
  });

  it('D-055: a tool takes the place of no other', async () => {
    const app = appWith({ 'Dragoman/tools/read.js': text.replace('shout', 'read') });
    const found = await toolsOf(app, () => defaultSettings).scripts();
    const settings = { ...defaultSettings, scripts: { 'Dragoman/tools/read.js': found[0]?.id ?? '' } };
    const tools = toolsOf(app, () => settings);
    expect(await tools.load()).toEqual(['There are two tools of the name "read"; the first one is used.']);
    expect(tools.tools).toEqual([]);
  });

  it('D-093: an MCP server that is not there is told, and so is a list that cannot be read', async () => {
    const mcp = (text: string) => toolsOf(appWith({}), () => ({ ...defaultSettings, mcp: text })).load();
    expect((await mcp('{"mcpServers":{"wiki":{"url":"http://127.0.0.1:9/mcp"}}}')).join()).toContain(
      '"wiki" does not answer',
    );
    expect((await mcp('{')).join()).toContain('not JSON');
    expect((await mcp('{"mcpServers":{"a":{"command":"x"}}}')).join()).toContain('Give the url');
  });
});

describe('chats', () => {
  it('D-031: chats of another plugin are taken over, and the folder stays as it is', async () => {
    const old = 'old/chats';
    const chat = JSON.stringify({ title: 'Old', messages: [{ role: 'user', text: 'Hi', rawText: 'Hi' }] });
    const app = appWith({
      [`${old}/a.json`]: chat,
      [`${old}/index.json`]: '{"chats":["a"]}',
      [`${old}/b.json`]: '{',
      [`${old}/c.md`]: 'x',
    });
    const { adapter } = app.vault;
    const files = createPluginFiles(adapter, () => '.obsidian/plugins/dragoman');
    expect(await importChats(old, { adapter, files })).toEqual({
      taken: 1,
      left: [`${old}/index.json`, `${old}/b.json`],
    });
    expect(await files.list('chats')).toEqual(['a.json']);
    expect(await adapter.read(`${old}/a.json`)).toBe(chat);
    expect((await importChats(old, { adapter, files })).taken).toBe(0);
  });

  it('D-031: chats of another plugin are found in its folder and in the vault, and our own are not', async () => {
    const chat = JSON.stringify({ meta: { title: 'Old' }, messages: [{ role: 'user', text: 'Hi' }] });
    const plugins = '.obsidian/plugins';
    const app = appWith({
      [`${plugins}/astra/chats/a.json`]: chat,
      [`${plugins}/astra/chats/b.json`]: chat,
      [`${plugins}/astra/chats/index.json`]: '[{"id":"a","title":"Old"}]',
      [`${plugins}/dragoman/chats/c.json`]: chat,
      [`${plugins}/other/data.json`]: '{}',
      'Agent/chats/d.json': chat,
      'Sessions/today.md': 'x',
    });
    const found = await findOldChats(app, [`${plugins}/dragoman`]);
    expect(found).toEqual([
      { folder: `${plugins}/astra/chats`, count: 2 },
      { folder: 'Agent/chats', count: 1 },
    ]);
    expect(await findOldChats(app, [`${plugins}/dragoman`, 'Agent'])).toEqual(found.slice(0, 1));
    expect(await findOldChats(appWith({}), [])).toEqual([]);
  });

  it('D-033: a chat is written as a note', async () => {
    const chat: Chat = {
      id: 'x',
      title: 'Tea: green/black?',
      created: Date.UTC(2026, 0, 2),
      updated: 0,
      settings: {},
      messages: [
        { role: 'user', content: 'Which tea?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c', name: 'read', arguments: { path: 'tea.md' } }],
        },
        { role: 'tool', content: 'green', tool_call_id: 'c' },
        { role: 'assistant', content: 'Green.' },
      ],
    };
    const app = appWith({});
    const paths = [];
    for (const title of [chat.title, chat.title, '..//', '[[a#b|c]]']) {
      paths.push(await exportChat(app, { ...chat, title }));
    }
    expect(paths).toEqual(['Tea green black.md', 'Tea green black 2.md', 'Chat.md', 'a b c.md']);
    expect(await app.vault.adapter.read('Tea green black.md')).toBe(
      '# Tea: green/black?\n\n*2026-01-02*\n\n## You\n\nWhich tea?\n\n## Assistant\n\nI look.\n\n> read tea.md\n\nGreen.\n',
    );
  });
});
