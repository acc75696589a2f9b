import { readdir } from 'node:fs/promises';
import { jsonReply } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { init } from '../src/cli/init/init.ts';
import { readConfig } from '../src/cli/read-setup.ts';
import { folderForTest, upstreamForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';
import { testTerminal } from './test-terminal.ts';

/** Ollama 0.13 with two models, at a port of its own. */
async function ollamaForTest() {
  const details = { family: 'qwen3', parameter_size: '8B' };
  const models = ['qwen3:8b', 'llama3.2:3b'].map((name) => ({ name, model: name, details }));
  const { origin } = await upstreamForTest({
    fallback: ({ path }) => {
      if (path === '/api/version') return jsonReply(200, { version: '0.13.0' });
      if (path === '/api/tags') return jsonReply(200, { models });
      if (path === '/v1/models') return jsonReply(200, { object: 'list', data: null });
      return jsonReply(200, { capabilities: ['completion'], model_info: {} });
    },
  });
  return origin;
}

/** A person who types these lines, on a machine where nothing runs but what `env` names. */
async function personTypes(
  lines: readonly string[],
  {
    env = {},
    files = {},
  }: { readonly env?: Readonly<Record<string, string>>; readonly files?: Readonly<Record<string, string>> } = {},
) {
  const folder = await folderForTest();
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  const terminal = testTerminal({
    input: lines.map((line) => `${line}\n`).join(''),
    env: { DRAGOMAN_FIND_UPSTREAMS: 'on', ...env },
    cwd: folder.path,
  });
  const nobody: typeof fetch = async (url, options) => {
    if (env.OLLAMA_HOST !== undefined && String(url).startsWith(env.OLLAMA_HOST)) return fetch(url, options);
    throw new TypeError('nobody is there');
  };
  const code = await init({ ...terminal, isInteractive: true }, { fetch: nobody });
  const out = terminal.out();
  const read = () => readConfig({ ...terminal, env: {} }, {}, { mayLackSecrets: true }).config;
  return { code, out, asked: out.split('\n› ').length - 1, folder, read };
}

describe('dragoman init', () => {
  it('proposes what is found, and Enter takes it', async () => {
    const OLLAMA_HOST = await ollamaForTest();
    const { code, out, asked, folder, read } = await personTypes(['', '', ''], {
      env: { OLLAMA_HOST, OPENAI_API_KEY: 'sk-secret' },
    });
    expect(code, out).toBe(0);
    expect(asked).toBe(3);
    expect(out).toContain(`  1  Ollama at ${OLLAMA_HOST}, 2 models\n  2  OpenAI, by OPENAI_API_KEY\n`);
    expect(out).toContain('dragoman.jsonc is valid: 2 upstreams');
    const text = await folder.read('dragoman.jsonc');
    expect(text).toContain(
      `    // Ollama at ${OLLAMA_HOST}\n    "ollama": { "baseUrl": "${OLLAMA_HOST}", "wire": "ollama-chat" },\n`,
    );
    expect(text).toContain('"apiKey": "env:OPENAI_API_KEY"');
    expect(text + out).not.toContain('sk-secret');
    expect(read()).toMatchObject({
      defaultModel: 'ollama/qwen3:8b',
      findUpstreams: false,
      listen: { host: '127.0.0.1', port: 11434 },
    });
  });

  it('serves only what was chosen, and asks again for what cannot be', async () => {
    const OLLAMA_HOST = await ollamaForTest();
    const { code, out, read } = await personTypes(['3', 'ollama', '1', '7', 'llama3.2:3b', '70000', '8099'], {
      env: { OLLAMA_HOST, OPENAI_API_KEY: 'sk-secret' },
    });
    expect(code, out).toBe(0);
    expect(out).toContain('"3" is neither one of the numbers nor an address');
    expect(out).toContain('There is no model "7" among them.');
    expect(out).toContain('A port is a number from 1 to 65535.');
    const { upstreams, defaultModel, listen } = read();
    expect(Object.keys(upstreams)).toEqual(['ollama']);
    expect([defaultModel, listen.port]).toEqual(['ollama/llama3.2:3b', 8099]);
  });

  it('takes the address of another server, and the name of the variable of its key, never the key', async () => {
    const { code, out, asked, folder, read } = await personTypes([
      'http://me:secret-1@models.lan/v1',
      'http://models.lan:8000/v1',
      'sk-12345-secret',
      'LAN_KEY',
      '',
    ]);
    expect(code, out).toBe(0);
    expect(asked).toBe(5);
    expect(read().upstreams.server).toMatchObject({ baseUrl: 'http://models.lan:8000/v1', apiKey: 'env:LAN_KEY' });
    expect(await folder.read('dragoman.jsonc')).not.toContain('secret');
    expect(out).toContain('Before you start it: the environment variable LAN_KEY is not set');
    const check = await runCommand(['check-config', 'dragoman.jsonc'], { cwd: folder.path, env: { LAN_KEY: 'k' } });
    expect([check.code, check.out]).toEqual([0, 'dragoman.jsonc is valid: 1 upstream, 0 models, 0 aliases.\n']);
  });

  it('proposes no port that a server of the file has: the gateway would ask itself', async () => {
    const { code, out, read } = await personTypes(['http://127.0.0.1:11434/v1', '', '11434', '']);
    expect(code, out).toBe(0);
    expect(out).toContain('The upstream server listens at 11434.');
    expect(read().listen.port).toBe(11435);
  });

  it('knows vendors by their address', async () => {
    const { code, read } = await personTypes(['https://api.anthropic.com', 'MY_KEY', '']);
    expect(code).toBe(0);
    expect(read().upstreams.anthropic).toMatchObject({
      baseUrl: 'https://api.anthropic.com/v1',
      wire: 'anthropic-messages',
      apiKey: 'env:MY_KEY',
    });
  });

  it('where nothing is found, Enter is the demo, and what starts later', async () => {
    const { code, out, asked, read } = await personTypes(['', '']);
    expect(code, out).toBe(0);
    expect(asked).toBe(2);
    expect(out).toContain('No model server runs here and no key of a vendor is set.');
    expect(read()).toMatchObject({ upstreams: {}, findUpstreams: true });
  });

  it.each(['dragoman.json', 'dragoman.jsonc'])('never overwrites %s without asking, and keeps it', async (name) => {
    const files = { [name]: '{ "demo": true }' };
    const no = await personTypes([''], { files });
    expect([no.code, no.asked]).toEqual([1, 1]);
    expect(await no.folder.read(name)).toBe(files[name]);
    const yes = await personTypes(['y', '', ''], { files });
    expect([yes.code, yes.asked]).toEqual([0, 3]);
    expect(await readdir(yes.folder.path)).toEqual([name, `${name}.backup`]);
    expect(await yes.folder.read(`${name}.backup`)).toBe(files[name]);
  });

  it('writes nothing for a person who leaves', async () => {
    const { code, out, folder } = await personTypes(['http://models.lan/v1']);
    expect([code, out]).toEqual([130, expect.stringContaining('Nothing was written.')]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('without a terminal says what to do', async () => {
    const { code, err } = await runCommand(['init']);
    expect([code, err]).toEqual([2, expect.stringContaining('write the file dragoman.jsonc')]);
  });
});
