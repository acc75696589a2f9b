import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { localServers } from '@dragoman/core';
import { jsonReply } from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clients } from '../src/cli/connect/clients.ts';
import { parseSettings } from '../src/cli/connect/settings-text.ts';
import { recordFile } from '../src/cli/connect/written-record.ts';
import { run } from '../src/cli/run.ts';
import { upstreamForTest } from './for-test.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { startTestGateway } from './start-test-gateway.ts';
import { testTerminal } from './test-terminal.ts';

let home: ScratchFolder;
const settings = '.config/opencode/opencode.json';

beforeEach(async () => {
  home = await makeScratchFolder({});
  // Whatever else runs on this machine is not seen.
  const real = fetch;
  const usual = localServers.flatMap(({ ports }) => ports.map(String));
  vi.stubGlobal('fetch', (...[asked, ...rest]: Parameters<typeof fetch>) =>
    usual.includes(new URL(asked instanceof Request ? asked.url : asked).port)
      ? Promise.reject(new TypeError('nobody listens'))
      : real(asked, ...rest),
  );
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await home.remove();
});

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function connect(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Outcome> {
  const terminal = testTerminal({ cwd: home.path, env: { HOME: home.path, ...env }, input });
  const code = await run(['connect', ...args], terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}

function put(name: string, text: string): void {
  mkdirSync(dirname(home.inside(name)), { recursive: true });
  writeFileSync(home.inside(name), text);
}

// Where nobody listens.
const listen = { port: 9 };
const unseen = 'No gateway answers at http://127.0.0.1:9. Start one: npx --no dragoman serve\n';

const configuration = JSON.stringify({
  listen,
  upstreams: {
    local: {
      wire: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: { small: { contextWindow: 6000 }, seeing: { contextWindow: 100_000, images: true } },
    },
  },
});

describe('dragoman connect', () => {
  it('lists the clients with the APIs that they speak', async () => {
    const { code, out } = await connect([]);
    expect(code).toBe(0);
    for (const id of clients.keys()) expect(out).toContain(`${id} `);
    expect(out).toContain('codex          Codex (responses)');
    const listed = await connect(['--json']);
    const codex = { id: 'codex', name: 'Codex', apis: ['responses'] };
    expect([listed.code, JSON.parse(listed.out)]).toEqual([0, expect.arrayContaining([codex])]);
  });

  it.each([...clients.keys()])('A-011 %s: names the key by its variable and never prints it', async (id) => {
    for (const { api } of clients.get(id)?.ways ?? []) {
      const { out, err } = await connect([id, '--api', api], { OAI_API_KEY: 'very-secret-1' });
      expect(`${out}${err}`).not.toContain('very-secret-1');
      // The others say why not: they have no place for a key, or keep it in a place of their own.
      expect(out).toMatch(/OAI_API_KEY|sends no key|keeps the key in its own secret storage/);
    }
  });

  it('shows the models of the configuration with their windows, and its port', async () => {
    put('dragoman.json', configuration);
    const { out, err } = await connect(['opencode', '--model', 'local/seeing']);
    expect(err).toBe(unseen);
    const { provider } = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1));
    expect(provider.dragoman.options.baseURL).toBe('http://127.0.0.1:9/v1');
    expect(provider.dragoman.models).toEqual({
      'local/seeing': {
        name: 'local/seeing',
        tool_call: true,
        attachment: true,
        limit: { context: 100_000, output: 12_500 },
      },
      'local/small': { name: 'local/small', tool_call: true, limit: { context: 6000, output: 750 } },
    });
    expect(out).toContain('opencode run -m dragoman/local/seeing');
  });

  it('asks upstreams for the models that no rule names', async () => {
    const upstream = await upstreamForTest();
    upstream.next(jsonReply(200, { object: 'list', data: [{ id: 'found-it', max_model_len: 9000 }] }));
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel: {} };
    put('dragoman.json', JSON.stringify({ listen, upstreams: { up } }));
    const { out, err } = await connect(['pi']);
    expect(err).toBe(unseen);
    expect(out).toContain('"id": "up/found-it",\n          "contextWindow": 9000');
  });

  it('takes an address with or without /v1, and there any model', async () => {
    const { out } = await connect(['claude-code', '--url', 'https://gw.example/v1/', '--model', 'far/away']);
    expect(out).toContain('"ANTHROPIC_BASE_URL": "https://gw.example"');
    expect(out).toContain('"ANTHROPIC_MODEL": "far/away"');
  });

  it('asks the gateway that it is pointed at for its models and their windows', async () => {
    const models = { big: { contextWindow: 64_000 }, dark: {} };
    const local = {
      wire: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      models,
      anyModel: {},
      discovery: { enabled: false },
    };
    const { url: gateway, close } = await startTestGateway({ config: { upstreams: { local } } });
    try {
      const { out, err } = await connect(['claude-code', '--url', gateway]);
      expect(err).toBe('');
      const { env } = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1));
      for (const slot of ['OPUS', 'SONNET', 'HAIKU']) expect(env[`ANTHROPIC_DEFAULT_${slot}_MODEL`]).toBe('local/big');
      expect(env).toMatchObject({
        CLAUDE_CODE_SUBAGENT_MODEL: 'local/big',
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: '64000',
      });
      expect((await connect(['pi', '--url', gateway, '--model', 'local/other'])).out).toContain('"id": "local/other"');
      const wrong = await connect(['pi', '--url', gateway, '--model', 'nowhere/big']);
      expect(wrong.err).toContain(`The gateway at ${gateway} has no model "nowhere/big". It has: `);
    } finally {
      await close();
    }
  });

  it('says that no gateway listens where the settings lead, unless one does', async () => {
    put('other.json', configuration);
    const args = ['codex', '--model', 'local/seeing', '--config', 'other.json'];
    const { code, err } = await connect(args);
    expect({ code, err }).toEqual({ code: 0, err: unseen.replace('\n', ' --config other.json\n') });
    const { url, close } = await startTestGateway({ config: {} });
    try {
      put('other.json', configuration.replace('"port":9', `"port":${new URL(url).port}`));
      expect(await connect(args)).toMatchObject({ code: 0, err: '' });
    } finally {
      await close();
    }
  });

  it('names no model where the gateway does not answer', async () => {
    const { code, err } = await connect(['opencode', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(1);
    expect(err).toContain('or correct the address. Without a gateway, name a model with --model.');
  });

  it('never makes up a window: it says so, leaves it out, and takes it from the command line', async () => {
    const models = { dark: {}, known: { contextWindow: 50_000 }, darker: {} };
    const local = { wire: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', models };
    put('dragoman.json', JSON.stringify({ listen, upstreams: { local } }));
    for (const id of clients.keys()) {
      const { out, err } = await connect([id, '--model', 'local/dark']);
      expect(out).not.toMatch(/32768|8192/);
      if (clients.get(id)?.firstRequest !== undefined) expect(err).toMatch(/nobody knows/i);
    }
    expect((await connect(['vscode'])).err).toContain('set "contextWindow" in its model rule');
    const { out, err } = await connect(['vscode', '--context-window', '40000']);
    expect(err).toBe(unseen);
    expect(out.match(/"maxInputTokens": \d+/g)).toEqual([35_000, 43_750, 35_000].map((n) => `"maxInputTokens": ${n}`));
    expect((await connect(['vscode', '--model', 'local/known'])).out).not.toContain('dark');
  });

  it('warns of a window that is too small for the client, with the numbers', async () => {
    put('dragoman.json', configuration);
    const { code, err } = await connect(['opencode', '--model', 'local/small']);
    expect(code).toBe(0);
    expect(err).toContain('local/small has a context window of 6,000 tokens.');
    expect(err).toContain('give the model 20,000 tokens or more');
  });

  it('needs no secret whose value it does not write', async () => {
    put('dragoman.json', configuration.replace('{', '{"keys":[{"name":"me","key":"env:NOT_SET"}],'));
    const { code, out } = await connect(['opencode', '--model', 'local/seeing']);
    expect(code).toBe(0);
    expect(out).toContain('{env:NOT_SET}');
  });

  it.each([
    [['opncode'], 2, 'did you mean "opencode"?'],
    [['codex', '--api', 'chat'], 2, 'Codex does not speak "chat" but responses.'],
    [['codex', '--model', 'demo/herms'], 1, 'Did you mean demo/hermes?'],
    [['codex', '--url', 'ftp://x'], 2, 'is not the address of a gateway'],
    [['codex', '--key-env', 'sk-123'], 2, '--key-env wants the name of an environment variable'],
    [['curl', '--write'], 1, 'curl has no file to write'],
  ])('%j is refused in one line', async (args, wanted, message) => {
    const { code, out, err } = await connect(args);
    expect({ code, out }).toEqual({ code: wanted, out: '' });
    expect(err).toContain(message);
    expect(err.trim()).not.toContain('\n');
  });
});

describe('dragoman connect --write', () => {
  const mine =
    '{\n  // mine\n  "theme": "dark",\n  "provider": { "other": { "options": { "apiKey": "sk-other-key" } } }\n}\n';

  it('shows what changes, asks, writes, and keeps the old file', async () => {
    put(settings, mine);
    const { code, out } = await connect(['opencode', '--write'], {}, 'y\n');
    expect(code).toBe(0);
    expect(out).toContain('+      "npm": "@ai-sdk/openai-compatible",');
    expect(out).toContain('Write it? [y/N]');
    expect(out).not.toContain('sk-other-key');
    const after = await home.read(settings);
    for (const kept of ['// mine', '"theme": "dark"', 'sk-other-key', '"dragoman"']) expect(after).toContain(kept);
    expect(await home.read(`${settings}.backup`)).toBe(mine);
    expect((await connect(['opencode', '--write'])).out).toContain('says so already');
  });

  it('writes nothing without a yes', async () => {
    put(settings, mine);
    for (const input of ['n\n', '', 'what?\n']) {
      const { code, out } = await connect(['opencode', '--write'], {}, input);
      expect(code).toBe(1);
      expect(out).toContain('Nothing was written.');
    }
    expect(await home.read(settings)).toBe(mine);
    expect(readdirSync(dirname(home.inside(settings)))).toEqual(['opencode.json']);
  });

  it('refuses a broken file, names the place, and leaves it alone', async () => {
    put(settings, '{\n  "a": 1,\n  "b" 2\n}');
    const { code, err } = await connect(['opencode', '--write', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain(`${home.inside(settings)}: line 3: not valid JSON: colon expected. Nothing was written.`);
    expect(readdirSync(dirname(home.inside(settings)))).toEqual(['opencode.json']);
  });

  it('writes through a link, keeps the rights, and never a second backup over the first', async () => {
    put('dotfiles/opencode.json', mine);
    mkdirSync(dirname(home.inside(settings)), { recursive: true });
    symlinkSync(home.inside('dotfiles/opencode.json'), home.inside(settings));
    const { mode } = statSync(home.inside('dotfiles/opencode.json'));
    await connect(['opencode', '--write', '--yes']);
    await connect(['opencode', '--write', '--yes', '--model', 'x', '--url', 'http://127.0.0.1:9999']);
    expect(lstatSync(home.inside(settings)).isSymbolicLink()).toBe(true);
    expect(statSync(home.inside(settings)).mode).toBe(mode);
    expect(await home.read('dotfiles/opencode.json')).toContain('http://127.0.0.1:9999/v1');
    expect(readdirSync(home.inside('dotfiles')).sort()).toEqual([
      'opencode.json',
      'opencode.json.backup',
      'opencode.json.backup-2',
    ]);
    expect(await home.read('dotfiles/opencode.json.backup')).toBe(mine);
  });

  it('takes opencode.jsonc where that is what is there, and the folder that a variable names', async () => {
    put(`${settings}c`, '{}');
    await connect(['opencode', '--write', '--yes']);
    expect(await home.read(`${settings}c`)).toContain('dragoman');
    await connect(['codex', '--write', '--yes'], { CODEX_HOME: home.inside('elsewhere') });
    expect(readFileSync(join(home.path, 'elsewhere/dragoman.config.toml'), 'utf8')).toContain(
      '[model_providers.dragoman]',
    );
    expect(JSON.parse(readFileSync(join(home.path, 'elsewhere/dragoman.models.json'), 'utf8'))).toMatchObject({
      models: [{ slug: 'demo', context_window: 32_768 }],
    });
    expect(readdirSync(home.path)).not.toContain('.codex');
  });

  it.each([
    ['opencode', { XDG_CONFIG_HOME: 'xdg' }, 'xdg/opencode/opencode.json'],
    ['opencode', { OPENCODE_CONFIG: 'mine.json', XDG_CONFIG_HOME: 'xdg' }, 'mine.json'],
    ['claude-code', { CLAUDE_CONFIG_DIR: 'claude' }, 'claude/settings.json'],
    ['pi', { PI_CODING_AGENT_DIR: 'agent' }, 'agent/models.json'],
    ['continue', { CONTINUE_GLOBAL_DIR: 'continue' }, 'continue/config.yaml'],
  ])('%s: %j moves its file to %s', async (id, variables: Record<string, string>, file) => {
    const env = Object.fromEntries(Object.entries(variables).map(([name, path]) => [name, home.inside(path)]));
    const { code } = await connect([id, '--write', '--yes'], env);
    expect(code).toBe(0);
    expect(await home.read(file)).toContain('127.0.0.1:11434');
  });

  it.each([...clients.values()].flatMap((client) => client.ways.map(({ api }) => [client.id, api] as const)))(
    'A-011 %s over %s: no file holds the key',
    async (id, api) => {
      const { code, out } = await connect([id, '--api', api, '--write', '--yes'], { OAI_API_KEY: 'very-secret-1' });
      const files = readdirSync(home.path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
      expect(code).toBe(files.length > 0 ? 0 : 1);
      for (const { parentPath, name } of files) {
        expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain('very-secret-1');
      }
      expect(out).not.toContain('very-secret-1');
    },
  );
});

describe('dragoman connect --undo', () => {
  const record = '.local/state/dragoman/connected.json';
  const write = ['--write', '--yes'];
  const undo = ['--undo', '--yes'];
  const window = ['--context-window', '20000'];
  const files = () =>
    readdirSync(home.path, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'connected.json')
      .map(({ name }) => name);

  it.each([...clients.values()].flatMap((client) => client.ways.map(({ api }) => [client.id, api] as const)))(
    '%s over %s: files that were new are gone',
    async (id, api) => {
      const { code } = await connect([id, '--api', api, ...write]);
      if (code !== 0) return expect(files()).toEqual([]);
      expect(files()).not.toEqual([]);
      // Another model by another address, and the same twice.
      await connect([id, '--api', api, ...write, '--model', 'x', '--url', 'http://127.0.0.1:9', ...window]);
      await connect([id, '--api', api, ...write, '--model', 'x', '--url', 'http://127.0.0.1:9', ...window]);
      expect(await connect([id, ...undo])).toMatchObject({ code: 0, err: '' });
      expect(readdirSync(home.path)).toEqual(['.local']);
      expect(readdirSync(home.inside('.local/state/dragoman'))).toEqual([]);
      const again = await connect([id, ...undo]);
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining('There is nothing to take back') });
    },
  );
  it.each([
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{\n  // mine\n  "theme": "dark",\n  "provider": { "other": { "options": { "apiKey": "sk-other-key" } } }\n}\n',
    ],
    [
      'claude-code',
      '.claude/settings.json',
      '{\n\t"env": {\n\t\t"ANTHROPIC_BASE_URL": "https://mine.example",\n\t\t"MINE": "1"\n\t}\n}\n',
    ],
    ['vscode', '.config/Code/User/chatLanguageModels.json', '[\n  { "name": "Mine", "vendor": "ollama" }\n]\n'],
    ['pi', '.pi/agent/models.json', '{"providers": {"mine": {"models": []}}}'],
    [
      'codex',
      '.codex/dragoman.config.toml',
      '# mine\nmodel = "gpt-5" # why\n\n[model_providers.other]\nname = "Other"\nbase_url = "http://127.0.0.1:9/v1"\n\n[analytics]\nenabled = false\n',
    ],
    [
      'continue',
      '.continue/config.yaml',
      '# mine\nname: Mine # why\nmodels:\n  - name: other\n    provider: openai\n    model: gpt-4o\n',
    ],
  ])('%s: a file of the user says again what it said', async (id, file, mine) => {
    put(file, mine);
    await connect([id, ...write]);
    await connect([id, ...write, '--model', 'x', '--url', 'http://127.0.0.1:9', ...window]);
    const between = await home.read(file);
    expect(between).toContain('127.0.0.1:9');
    const { code, out } = await connect([id, ...undo]);
    expect(code).toBe(0);
    expect(out).toContain('127.0.0.1:9');
    expect(await home.read(file)).toBe(mine);
    expect(readdirSync(dirname(home.inside(file)))).toEqual([basename(file)]);
    // What is told of a person's own file is told without its secrets, and not kept a second time.
    expect(out).not.toContain('sk-other-key');

    const added = file.endsWith('.toml') || file.endsWith('.yaml') ? '# added since\n' : '// added since\n';
    await connect([id, ...write]);
    put(file, `${added}${await home.read(file)}`);
    await connect([id, ...write, '--model', 'x', '--url', 'http://127.0.0.1:9', ...window]);
    await connect([id, ...undo]);
    const after = await home.read(file);
    expect(meant(file, after)).toEqual(meant(file, mine));
    for (const comment of [added, ...(mine.match(/(?:#|\/\/) \w+/g) ?? [])]) expect(after).toContain(comment.trim());
    // Of a file that somebody has edited the copy stays that is made before it is changed.
    expect(readdirSync(dirname(home.inside(file))).sort()).toEqual([basename(file), `${basename(file)}.backup-3`]);
  });

  function meant(file: string, text: string): unknown {
    const format = file.endsWith('.toml') ? 'toml' : file.endsWith('.yaml') ? 'yaml' : 'jsonc';
    return parseSettings(format, text);
  }

  it.each([
    ['opencode', '.config/opencode/opencode.json', '"http://127.0.0.1:11434/v1"', 'provider.dragoman.options.baseURL'],
    ['codex', '.codex/dragoman.config.toml', '"http://127.0.0.1:11434/v1"', 'model_providers.dragoman.base_url'],
    ['continue', '.continue/config.yaml', 'http://127.0.0.1:11434/v1', 'models[0].apiBase'],
  ])('%s: leaves what was edited since, and names it', async (id, file, written, place) => {
    await connect([id, ...write]);
    const text = await home.read(file);
    expect(text).toContain(written);
    put(file, text.replace(written, written.replace('127.0.0.1:11434', 'edited.example')));
    const { code, out } = await connect([id, ...undo]);
    expect(code).toBe(0);
    expect(out).toContain(`${home.inside(file)}: ${place} has changed since, and stays as it is.`);
    expect(await home.read(file)).toContain('edited.example');
    expect(await home.read(file)).not.toContain('api_key');
    expect(await home.read(file)).not.toMatch(/wire_api|"npm"|provider: openai/);
  });

  it('leaves what was added since, and what was put in the place of ours', async () => {
    await connect(['opencode', ...write]);
    const value = JSON.parse(await home.read(settings));
    value.provider.dragoman.options.timeout = 5;
    value.provider.dragoman.models = 'none';
    value.theme = 'dark';
    put(settings, JSON.stringify(value));
    const { out } = await connect(['opencode', ...undo]);
    expect(out).toContain('provider.dragoman.models has changed since');
    expect(JSON.parse(await home.read(settings))).toEqual({
      provider: { dragoman: { options: { timeout: 5 }, models: 'none' } },
      theme: 'dark',
    });
  });

  it('puts back a secret out of the copy of the file, and keeps it nowhere else', async () => {
    const file = '.claude/settings.json';
    const mine = '{ "env": { "ANTHROPIC_AUTH_TOKEN": "sk-ant-mine", "ANTHROPIC_API_KEY": "sk-ant-mine" } }';
    put(file, mine);
    await connect(['claude-code', ...write]);
    expect(await home.read(record)).not.toContain('sk-ant-mine');
    expect(statSync(home.inside(record)).mode & 0o077).toBe(0);
    const { out } = await connect(['claude-code', ...undo]);
    expect(out).not.toContain('sk-ant-mine');
    expect(JSON.parse(await home.read(file))).toEqual(JSON.parse(mine));
  });

  it('leaves all as it is where the copy is gone that tells what was there before', async () => {
    put(settings, '{ "$schema": "mine" }');
    await connect(['opencode', ...write]);
    const text = await home.read(settings);
    rmSync(home.inside(`${settings}.backup`));
    const { code, err } = await connect(['opencode', ...undo]);
    expect(code).toBe(1);
    expect(err).toContain(`${settings}.backup, which holds what was in`);
    expect(err).toContain('take out yourself what "connect opencode" prints');
    expect(await home.read(settings)).toBe(text);
  });

  it.each([
    ['opencode', '.config/opencode/opencode.json'],
    ['codex', '.codex/dragoman.config.toml'],
    ['continue', '.continue/config.yaml'],
    ['vscode', '.config/Code/User/chatLanguageModels.json'],
  ])('%s: leaves a file that was empty', async (id, file) => {
    put(file, '\n');
    await connect([id, ...write]);
    expect(await connect([id, ...undo])).toMatchObject({ code: 0, err: '' });
    expect((await home.read(file)).trim()).toMatch(/^(\{\s*\}|\[\s*\])?$/);
  });

  it.each([
    ['linux', {}, '/h/.local/state/dragoman/connected.json'],
    ['darwin', {}, '/h/Library/Application Support/dragoman/connected.json'],
    ['win32', {}, '/h/AppData/Local/dragoman/connected.json'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/dragoman/connected.json'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/dragoman/connected.json'],
    ['linux', { XDG_STATE_HOME: '' }, '/h/.local/state/dragoman/connected.json'],
  ])('on %s with %j its record is %s', (platform, env, file) => {
    expect(recordFile({ env: { HOME: '/h', ...env } }, platform).replaceAll('\\', '/')).toBe(file);
  });

  it('shows what changes and asks; without a yes all is as it was', async () => {
    await connect(['opencode', ...write]);
    const text = await home.read(settings);
    const no = await connect(['opencode', '--undo'], {}, 'n\n');
    expect(no.code).toBe(1);
    expect(no.out).toContain('-      "npm": "@ai-sdk/openai-compatible",');
    expect(await home.read(settings)).toBe(text);
    const yes = await connect(['opencode', '--undo'], {}, 'y\n');
    expect(yes).toMatchObject({ code: 0, out: expect.stringContaining('Deleted.') });
    expect(files()).toEqual([]);
  });

  it('keeps its record where XDG_STATE_HOME says, and tells where it cannot', async () => {
    await connect(['pi', ...write], { XDG_STATE_HOME: home.inside('state') });
    expect(await home.read('state/dragoman/connected.json')).toContain('.pi/agent/models.json');
    put('broken/dragoman/connected.json', '{');
    const { code, err } = await connect(['opencode', ...write], { XDG_STATE_HOME: home.inside('broken') });
    expect(code).toBe(0);
    expect(err).toContain('--undo will know nothing of this.');
    const broken = await connect(['opencode', ...undo], { XDG_STATE_HOME: home.inside('broken') });
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read. Repair it, or delete it.') });
  });

  it('says what is gone already, and takes no flags of writing', async () => {
    await connect(['pi', ...write]);
    rmSync(home.inside('.pi'), { recursive: true });
    expect(await connect(['pi', ...undo])).toMatchObject({ code: 0, out: expect.stringContaining('is gone already.') });
    expect((await connect(['pi', '--undo', '--model', 'x'])).err).toContain("'--undo' cannot be used with option");
  });
});
