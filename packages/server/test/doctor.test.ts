import { createServer } from 'node:net';
import { errorReply, jsonReply } from '@dragoman/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { version } from '../src/version.ts';
import { folderForTest, gatewayForTest, upstreamForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';

interface Visit {
  readonly config?: unknown;
  /** The text of the file, where it is no JSON. */
  readonly text?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** A person's home, with a configuration, in which the doctor is asked. */
async function homeForTest() {
  const folder = await folderForTest();
  const env = (more: Visit['env']) => ({ HOME: folder.path, PATH: '', ...more });
  const ask = async ({ config, text, files = {}, ...options }: Visit = {}) => {
    for (const [path, content] of Object.entries(files)) await folder.write(path, content);
    if (config !== undefined || text !== undefined) await folder.write('dragoman.json', text ?? JSON.stringify(config));
    const { code, out, err } = await runCommand(['doctor'], { env: env(options.env), cwd: folder.path });
    return { code, out: out + err };
  };
  const run = (args: readonly string[], more: Visit['env'] = {}) =>
    runCommand(args, { env: env(more), cwd: folder.path });
  return { folder, ask, run };
}

/** A server with a list of models, as OpenAI writes it, which takes only this key. */
async function serverWith(models: readonly object[], key?: string) {
  const { origin } = await upstreamForTest({
    fallback: ({ headers, path }) => {
      if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
        // As OpenAI answers.
        return errorReply(401, 'Incorrect API key provided.');
      }
      return path === '/v1/models' ? jsonReply(200, { object: 'list', data: models }) : errorReply(404, 'Not found');
    },
  });
  return { origin, url: `${origin}/v1` };
}

/** A port that nobody has, of which no two tests get the same. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const model = { id: 'm', object: 'model', context_length: 65_536 };

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('dragoman doctor', () => {
  it('is content where all is well, in a line each', async () => {
    const { ask, folder } = await homeForTest();
    const { url } = await serverWith([model]);
    const port = await freePort();
    const { code, out } = await ask({ config: { listen: { port }, upstreams: { local: url } } });
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      `✓ node Node ${process.versions.node}`,
      `✓ state ${folder.inside('.local/state/dragoman')} can be written`,
      '✓ config dragoman.json is valid',
      expect.stringMatching(`^✓ gateway does not run; .* would listen at http://127.0.0.1:${port}$`),
      `✓ local ${url} answers, with its list of models`,
      '✓ windows all that are known have 16,000 tokens or more',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('where nothing is found it says so, and what to do', async () => {
    const { ask } = await homeForTest();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('nobody is there')));
    const listen = { port: await freePort() };
    const env = { DRAGOMAN_FIND_UPSTREAMS: 'on' };
    const { code, out } = await ask({ config: { listen }, env });
    expect(code).toBe(0);
    expect(out).toMatch(/! found +no model server runs .* only the demo model\n +Start Ollama/);
    expect((await ask({ config: { listen, demo: false }, env })).out).toContain('so there is no model');
    expect((await ask({ config: { listen } })).out).not.toContain('found');
  });

  it('tells programs the same', async () => {
    const { run, folder } = await homeForTest();
    await folder.write('dragoman.json', JSON.stringify({ listen: { port: await freePort() }, upstreams: {} }));
    await folder.write('.local/state', '');
    const { code, out } = await run(['doctor', '--json']);
    const diagnoses: readonly { readonly about: string }[] = JSON.parse(out);
    expect(diagnoses.find(({ about }) => about === 'state')).toEqual({
      about: 'state',
      is: 'broken',
      says: expect.stringContaining('.local/state is a file'),
      cure: expect.stringContaining('XDG_STATE_HOME'),
    });
    expect(code).toBe(1);
  });

  it('a state folder that cannot be written: another one is named', async () => {
    const { ask, folder } = await homeForTest();
    const files = { '.local/state': '' };
    const config = { listen: { port: await freePort() } };
    const ill = await ask({ config, files });
    expect([ill.code, ill.out]).toEqual([1, expect.stringContaining('or name another with XDG_STATE_HOME.')]);
    expect((await ask({ env: { XDG_STATE_HOME: folder.inside('elsewhere') } })).code).toBe(0);
  });

  it('a configuration that is broken: every mistake, and the same without them', async () => {
    const { ask } = await homeForTest();
    const ill = await ask({ text: '{ "listen": { "prot": 1 }, "log": { "level": "loud" } }' });
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(/✗ config +dragoman\.json:1:15: listen\.prot/);
    expect(ill.out).toMatch(/✗ config +dragoman\.json:1:\d+: log\.level/);
    expect((await ask({ config: { listen: { port: await freePort() } } })).code).toBe(0);
  });

  it('a configuration that is not there: another one', async () => {
    const { run } = await homeForTest();
    const { code, out } = await run(['doctor', '--config', 'none.json']);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/none\.json cannot be read[\s\S]*make one: .*dragoman init/),
    ]);
  });

  it('a key that is missing, one that is wrong, and one that is right', async () => {
    const { ask } = await homeForTest();
    const { url } = await serverWith([model], 'right');
    const config = {
      listen: { port: await freePort() },
      upstreams: { far: { baseUrl: url, apiKey: 'env:FAR_KEY' } },
    };
    const missing = await ask({ config });
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('FAR_KEY is not set; set it')]);
    const wrong = await ask({ env: { FAR_KEY: 'wrong-key' } });
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('refuses the key of FAR_KEY')]);
    expect(wrong.out).not.toContain('wrong-key');
    expect((await ask({ env: { FAR_KEY: 'right' } })).code).toBe(0);
    const none = await ask({ config: { ...config, upstreams: { far: url } } });
    expect([none.code, none.out]).toEqual([1, expect.stringContaining('"apiKey": "env:NAME" into upstreams.far')]);
  });

  it('a server that does not run: nothing listens there, until it does', async () => {
    const { ask } = await homeForTest();
    const config = (url: string, port: number) => ({ listen: { port }, upstreams: { local: url } });
    const ill = await ask({ config: config(`http://127.0.0.1:${await freePort()}/v1`, await freePort()) });
    expect([ill.code, ill.out]).toEqual([1, expect.stringMatching(/nothing listens at[\s\S]*Start the server there/)]);
    const { url } = await serverWith([model]);
    expect((await ask({ config: config(url, await freePort()) })).code).toBe(0);
  });

  it('a server that the environment names: its variables', async () => {
    const { ask } = await homeForTest();
    const config = { listen: { port: await freePort() }, findUpstreams: false };
    const ill = await ask({ config, env: { DRAGOMAN_UPSTREAM: `http://127.0.0.1:${await freePort()}/v1` } });
    expect([ill.code, ill.out]).toEqual([1, expect.stringContaining('or correct DRAGOMAN_UPSTREAM.')]);
    const { url } = await serverWith([model]);
    expect((await ask({ config, env: { DRAGOMAN_UPSTREAM: url } })).code).toBe(0);
  });

  it('a server that is not known by that name', async () => {
    const { ask } = await homeForTest();
    const upstreams = { far: 'https://nowhere.invalid/v1' };
    const env = { HTTPS_PROXY: 'http://proxy.invalid:3128' };
    const { code, out } = await ask({ config: { listen: { port: await freePort() }, upstreams }, env });
    expect([code, out]).toEqual([1, expect.stringContaining('the name nowhere.invalid is not known')]);
    expect(out).toContain('and not through HTTPS_PROXY');
  });

  it('an address without the path of the API', async () => {
    const { ask } = await homeForTest();
    const { origin, url } = await serverWith([model]);
    const listen = { port: await freePort() };
    const ill = await ask({ config: { listen, upstreams: { local: origin } } });
    expect(ill.out).toMatch(/local +.* answers without a list of models/);
    expect([ill.code, ill.out]).toEqual([1, expect.stringContaining('most often ends with /v1')]);
    expect((await ask({ config: { listen, upstreams: { local: url } } })).code).toBe(0);
  });

  it('a model whose window is too small for agents, until it is larger', async () => {
    const { ask } = await homeForTest();
    const config = (url: string, port: number) => ({ listen: { port }, upstreams: { local: url } });
    const small = await serverWith([{ ...model, context_length: 4096 }]);
    const ill = await ask({ config: config(small.url, await freePort()) });
    expect([ill.code, ill.out]).toEqual([0, expect.stringMatching(/! windows .*m \(4,096\)\n.*-c 32768/)]);
    const large = await serverWith([{ ...model, context_length: 32_768 }]);
    expect((await ask({ config: config(large.url, await freePort()) })).out).not.toContain('!');
  });

  it('a store that is no database, and one that is made at the first start', async () => {
    const { ask, folder } = await homeForTest();
    const config = (store: string, port: number) => ({ listen: { port }, store: `sqlite:${folder.inside(store)}` });
    const ill = await ask({
      config: config('notes.txt', await freePort()),
      files: { 'notes.txt': 'These are notes, and no database. '.repeat(99) },
    });
    expect([ill.code, ill.out]).toEqual([1, expect.stringMatching(/✗ store .*\n.*Name another file/)]);
    const well = await ask({ config: config('new.sqlite', await freePort()) });
    expect([well.code, well.out]).toEqual([0, expect.stringContaining('is made at the first start')]);
  });

  it('a port that another program has: which, and another one', async () => {
    const { ask } = await homeForTest();
    const { url, origin } = await serverWith([model]);
    const port = Number(new URL(origin).port);
    const upstreams = { local: url };
    const ill = await ask({ config: { listen: { port }, upstreams } });
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(`Port ${port} on 127.0.0.1 is in use`);
    expect(ill.out).toContain('Stop what listens there, or choose another port with --port.');
    expect((await ask({ config: { listen: { port: await freePort() }, upstreams } })).code).toBe(0);
  });

  it('a gateway that runs', async () => {
    const { ask } = await homeForTest();
    const { url } = await gatewayForTest();
    const { code, out } = await ask({ config: { listen: { port: Number(new URL(url).port) } } });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Dragoman ${version} (process ${process.pid}) runs at ${url}`),
    ]);
  });

  it('times that were written in seconds', async () => {
    const { ask } = await homeForTest();
    const listen = { port: await freePort() };
    const ill = await ask({ config: { listen, timeouts: { idle: 60 } } });
    expect(ill.out).toMatch(/! config +timeouts\.idle: 60 counts as milliseconds/);
    expect((await ask({ config: { listen, timeouts: { idle: 60_000 } } })).out).not.toContain('!');
  });
});

describe('the settings of clients', () => {
  it.each(['codex', 'opencode', 'claude-code', 'vscode', 'continue', 'pi', 'qwen-code'])(
    '%s points at a port where nobody is any more, until it is connected anew',
    async (client) => {
      const { ask, run } = await homeForTest();
      const { url } = await gatewayForTest();
      const old = `http://127.0.0.1:${await freePort()}`;
      const window = ['--context-window', '65536', '--model', 'demo'];
      const wrote = await run(['connect', client, '--write', '--yes', '--url', old, ...window]);
      expect(wrote.code, wrote.err).toBe(0);
      const config = { listen: { port: Number(new URL(url).port) } };
      const ill = await ask({ config });
      expect(ill.code, ill.out).toBe(1);
      expect(ill.out).toMatch(
        new RegExp(`✗ ${client} .* points at ${old}, where no gateway answers; this one is ${url}`),
      );
      expect(ill.out).toContain(`dragoman connect ${client} --write`);
      expect((await run(['connect', client, '--write', '--yes', '--context-window', '65536'])).code).toBe(0);
      const well = await ask({ config });
      expect(well.out).toMatch(new RegExp(`✓ ${client} .* points at ${url}`));
      expect(well.code, well.out).toBe(0);
    },
  );

  it('that point elsewhere are told of, and those of programs that are not here are not', async () => {
    const { ask } = await homeForTest();
    const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: 'https://api.example.com' } });
    const config = { listen: { port: await freePort() } };
    const { code, out } = await ask({ config, files: { '.claude/settings.json': settings } });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/! claude-code .*https:\/\/api\.example\.com, and not at this/),
    ]);
    expect(out).not.toContain('codex');
  });

  it('in a variable are told with what it has to hold', async () => {
    const { ask } = await homeForTest();
    const { url } = await gatewayForTest();
    const config = { listen: { port: Number(new URL(url).port) } };
    const old = `http://127.0.0.1:${await freePort()}/v1`;
    const ill = await ask({ config, env: { COPILOT_PROVIDER_BASE_URL: old } });
    expect([ill.code, ill.out]).toEqual([1, expect.stringContaining(`Set COPILOT_PROVIDER_BASE_URL=${url}/v1`)]);
    expect((await ask({ env: { COPILOT_PROVIDER_BASE_URL: `${url}/v1` } })).code).toBe(0);
  });

  it('that are broken are told of, and stay as they are', async () => {
    const { ask, folder } = await homeForTest();
    const config = { listen: { port: await freePort() } };
    const files = { '.config/opencode/opencode.json': '{ "provider": ' };
    const { code, out } = await ask({ config, files });
    expect([code, out]).toEqual([1, expect.stringMatching(/✗ opencode .*opencode\.json: line 1/)]);
    expect(await folder.read('.config/opencode/opencode.json')).toBe('{ "provider": ');
  });
});
