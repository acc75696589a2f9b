import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chatStream, errorReply, jsonReply, type ScriptedReply } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { folderForTest, gatewayForTest, upstreamForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';

/** `dragoman chat` without a person, over a folder, against the demo model of a real gateway. */
async function world(files: Readonly<Record<string, string>> = { 'README.md': 'Hello from the folder.' }) {
  const folder = await folderForTest();
  for (const [path, text] of Object.entries(files)) await folder.write(`work/${path}`, text);
  const { url } = await gatewayForTest();
  const env = { XDG_STATE_HOME: folder.inside('state') };
  return {
    folder,
    url,
    run: (args: readonly string[], input?: string) =>
      runCommand(['chat', 'work', '--url', url, ...args], {
        env,
        cwd: folder.path,
        ...(input !== undefined && { input }),
      }),
  };
}

/** Asks a server that lists one model and gives these answers. */
async function askServer(replies: readonly ScriptedReply[], args: readonly string[] = []) {
  const left = [...replies];
  const upstream = await upstreamForTest({
    fallback: ({ method, path }) => {
      if (method === 'POST') return left.shift() ?? errorReply(500, 'Nothing is left.');
      return path.endsWith('/models') ? jsonReply(200, { data: [{ id: 'm' }] }) : errorReply(404, 'Not here.');
    },
  });
  const folder = await folderForTest();
  await folder.write('README.md', 'Hello from the folder.');
  const env = { XDG_STATE_HOME: folder.inside('.state') };
  const asked = ['chat', '--url', upstream.origin, ...args, '--print', 'What is in README.md?'];
  return { ...(await runCommand(asked, { env, cwd: folder.path })), requests: upstream.requests };
}

const eventsOf = (out: string): readonly Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a question', () => {
  it('D-054: is answered on standard output, and what was done stands on standard error', async () => {
    const { run } = await world();
    const { code, out, err } = await run(['--print', 'Read README.md']);
    expect([code, err]).toEqual([0, "I'll call read for README.md.\nreading README.md\n"]);
    expect(out).toContain('> Hello from the folder.\n');
    expect(out).not.toContain("I'll call");
  });

  it('may come on standard input', async () => {
    const { run } = await world();
    expect((await run([], 'Read README.md')).out).toContain('> Hello from the folder.');
  });

  it('has to be there', async () => {
    const { run } = await world();
    const { code, out, err } = await run([], ' ');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('There is no question');
  });

  it('escapes what would control a terminal', async () => {
    const { out } = await askServer([chatStream('Look: \u001b]0;owned\u0007\u001b[2J.')]);
    expect(out).toBe('Look: \\x1b]0;owned\\x07\\x1b[2J.\n');
  });

  it.each([
    ['an empty answer', chatStream(''), 2, 'The model gave no answer.'],
    ['an answer that was cut', chatStream('Half', { finishReason: 'length' }), 2, 'reached the most tokens'],
    ['a refusal', errorReply(500, 'No.'), 1, 'No.'],
  ])('%s has an exit code of its own', async (_what, reply, code, words) => {
    const answered = await askServer([reply, reply, reply]);
    expect([answered.code, answered.err.includes(words)]).toEqual([code, true]);
  });

  it('D-090: that a server refuses tools is known from then on, in other chats, too', async () => {
    const upstream = await upstreamForTest({
      fallback: ({ method, body }) =>
        method === 'GET'
          ? jsonReply(200, { object: 'list', data: [{ id: 'm', object: 'model' }] })
          : 'tools' in Object(body)
            ? errorReply(500, 'tools param requires --jinja flag')
            : chatStream('Hi.'),
    });
    const folder = await folderForTest();
    const ask = () =>
      runCommand(['chat', '--url', upstream.origin, '--print', 'Hi'], {
        env: { XDG_STATE_HOME: folder.inside('s') },
        cwd: folder.path,
      });
    expect([(await ask()).out, (await ask()).out]).toEqual(['Hi.\n', 'Hi.\n']);
    const native = upstream.requests.flatMap(({ method, body }) =>
      method === 'POST' ? ['tools' in Object(body)] : [],
    );
    expect(native).toEqual([true, false, false]);
  });

  it('D-090: a server that takes no tools is asked in the dialect of its model', async () => {
    const call = '<tool_call>{"name":"read","arguments":{"path":"README.md"}}</tool_call>';
    const { out, requests } = await askServer([chatStream(call), chatStream('It greets.')], ['--dialect', 'hermes']);
    expect(out).toBe('It greets.\n');
    const bodies = requests.filter(({ method }) => method === 'POST').map(({ text }) => text);
    expect(bodies.map((text) => [text.includes('"tools"'), text.includes('Hello from the folder.')])).toEqual([
      [false, false],
      [false, true],
    ]);
  });
});

describe('changes without a person', () => {
  it('D-056: are refused, and the exit code says so', async () => {
    const { run, folder } = await world();
    const { code, err } = await run(['--print', "Write 'hello' to notes.txt"]);
    expect(code).toBe(3);
    expect(err).toContain('create notes.txt: refused; --approve-all allows it');
    expect(await readdir(folder.inside('work'))).toEqual(['README.md']);
  });

  it('D-056: are made where all are allowed from the beginning', async () => {
    const { run, folder } = await world();
    expect((await run(['--print', "Write 'hello' to notes.txt", '--approve-all'])).code).toBe(0);
    expect(await folder.read('work/notes.txt')).toBe('hello');
  });

  it('D-058: do not reach through links out of the folder, allowed or not', async () => {
    const { run, folder } = await world();
    await mkdir(folder.inside('outside'));
    await writeFile(folder.inside('outside/secret.txt'), 'secret');
    await symlink('../outside', folder.inside('work/door'));
    await symlink('../outside/new.txt', folder.inside('work/new.txt'));
    for (const ask of ['Read door/secret.txt', "Write 'evil' to door/secret.txt", "Write 'evil' to new.txt"]) {
      const { out } = await run(['--print', ask, '--approve-all']);
      expect(out).toContain('leads out of the folder');
    }
    expect(await readdir(folder.inside('outside'))).toEqual(['secret.txt']);
    expect(await folder.read('outside/secret.txt')).toBe('secret');
  });
});

describe('--json', () => {
  it('prints one line for each event, the proposal and the end among them', async () => {
    const { run, url } = await world();
    const { code, out } = await run(['--json', '--print', "Write 'hello' to notes.txt"]);
    const events = eventsOf(out);
    expect(code).toBe(3);
    expect(events[0]).toMatchObject({ type: 'start', model: 'demo', server: url });
    expect(events.find(({ type }) => type === 'proposal')).toEqual({
      type: 'proposal',
      proposal: expect.objectContaining({ kind: 'create', path: 'notes.txt', diff: expect.stringContaining('+hello') }),
      decision: 'reject',
    });
    const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    const end = events.at(-1);
    expect(end).toMatchObject({ type: 'end', reason: 'answer', usage: { source: expect.any(String) } });
    expect(text.endsWith(String(end?.text))).toBe(true);
  });
});

describe('chats', () => {
  it('D-033: go on with --continue and --resume, each folder with its own', async () => {
    const { run, folder } = await world({ 'a.md': 'one', 'b.md': 'two' });
    const first = eventsOf((await run(['--json', '--print', 'Read a.md'])).out)[0]?.chat;
    const second = eventsOf((await run(['--json', '--continue', '--print', 'Read b.md'])).out);
    expect(second[0]?.chat).toBe(first);
    const resumed = eventsOf((await run(['--json', '--resume', String(first).slice(0, 20), '--print', 'Thanks'])).out);
    expect(resumed[0]?.chat).toBe(first);
    const kept = await readdir(folder.inside('state/dragoman/chats'));
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatch(/^work-[0-9a-f]{12}$/);
    const file = await folder.read(join('state/dragoman/chats', kept[0] ?? '', 'chats', `${first}.json`));
    const asked = JSON.parse(file).messages.filter(({ role }: { role: string }) => role === 'user');
    expect(asked.map(({ content }: { content: string }) => content)).toEqual(['Read a.md', 'Read b.md', 'Thanks']);
    expect((await run(['--resume', 'nothing', '--print', 'x'])).err).toContain('There is no chat "nothing"');
  });
});

describe('where the model is', () => {
  const nobody = { DRAGOMAN_PORT: '1' };

  it('D-090: Ollama, in its own API, with a window that an agent can work in', async () => {
    const windows = { small: 'num_ctx 4096', own: 'num_ctx 32768', unknown: '' };
    const upstream = await upstreamForTest({
      fallback: ({ path, body }) => {
        if (path === '/api/version') return jsonReply(200, { version: '0.13.5' });
        if (path === '/api/tags')
          return jsonReply(200, { models: Object.keys(windows).map((name) => ({ model: `${name}:latest` })) });
        if (path === '/api/ps') return jsonReply(200, { models: [] });
        const name = String(body instanceof Object && 'model' in body ? body.model : '');
        if (path === '/api/show') {
          const parameters = Object.entries(windows).find(([each]) => each === name)?.[1];
          return jsonReply(200, {
            capabilities: ['completion', 'tools'],
            parameters,
            model_info: { 'general.architecture': 'x', 'x.context_length': 65_536 },
          });
        }
        const message = { role: 'assistant', content: `I am ${name}.` };
        const line = { model: name, created_at: '2026-11-20T10:00:00Z', message, done: true, done_reason: 'stop' };
        return { headers: { 'content-type': 'application/x-ndjson' }, steps: [{ text: `${JSON.stringify(line)}\n` }] };
      },
    });
    const folder = await folderForTest();
    const env = { XDG_STATE_HOME: folder.inside('s') };
    const url = ['--url', upstream.origin];
    const asked: unknown[] = [];
    for (const model of ['small', 'own:latest', 'unknown']) {
      const { out } = await runCommand(['chat', ...url, '--model', model, '--print', 'Hi'], { env, cwd: folder.path });
      const body = upstream.requests.at(-1)?.body;
      asked.push([out, body instanceof Object && 'options' in body ? body.options : undefined]);
    }
    expect(asked).toEqual([
      ['I am small.\n', { num_ctx: 16_384 }],
      ['I am own.\n', { num_ctx: 32_768 }],
      ['I am unknown.\n', { num_ctx: 16_384 }],
    ]);
  });

  it('the upstreams of the configuration, without a gateway of its own running', async () => {
    const upstream = await upstreamForTest({ fallback: chatStream('From the configuration.') });
    const folder = await folderForTest();
    const models = { 'local-model': { toolCalling: { dialect: 'hermes' } } };
    const config = {
      keys: [{ name: 'me', key: 'k-123456' }],
      upstreams: { up: { baseUrl: upstream.baseUrl, models } },
    };
    await folder.write('dragoman.json', JSON.stringify(config));
    const { out, err } = await runCommand(['chat', '--print', 'Hi'], {
      env: { ...nobody, XDG_STATE_HOME: folder.inside('s') },
      cwd: folder.path,
    });
    expect([out, err]).toEqual(['From the configuration.\n', '']);
    expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'local-model' });
  });

  it('a gateway that runs, with its key', async () => {
    const { url } = await gatewayForTest({ config: { keys: [{ name: 'me', key: 'k-123456' }] } });
    const folder = await folderForTest();
    const run = (args: readonly string[]) =>
      runCommand(['chat', '--print', 'Hello, who are you?', '--url', url, ...args], {
        env: { XDG_STATE_HOME: folder.inside('s'), MY_KEY: 'k-123456' },
        cwd: folder.path,
      });
    expect((await run(['--key', 'env:MY_KEY'])).code).toBe(0);
    expect((await run([])).err).toContain('wants a key. Give it with --key env:NAME');
    expect((await run(['--key', 'wrong'])).err).toContain('refuses the key.');
  });
});

describe('--mcp', () => {
  const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const call = '<tool_call>{"name":"every_echo","arguments":{"message":"hi there"}}</tool_call>';

  it('gives the tools of MCP servers, whose calls have to be allowed', async () => {
    const servers = await folderForTest();
    const every = { command: process.execPath, args: [program, 'stdio'] };
    await servers.write('mcp.json', JSON.stringify({ mcpServers: { every } }));
    const args = ['--dialect', 'hermes', '--mcp', servers.inside('mcp.json')];
    const refused = await askServer([chatStream(call), chatStream('Not allowed.')], args);
    expect([refused.code, refused.out]).toEqual([3, 'Not allowed.\n']);
    expect(refused.err).toContain('call every_echo of MCP server "every": refused; --approve-all allows it');
    const allowed = await askServer([chatStream(call), chatStream('Echoed.')], [...args, '--approve-all']);
    expect([allowed.code, allowed.out]).toEqual([0, 'Echoed.\n']);
    expect(allowed.requests.at(-1)?.text).toContain('Echo: hi there');
  });

  it('names the server that does not answer', async () => {
    const servers = await folderForTest();
    await servers.write('mcp.json', JSON.stringify({ mcpServers: { gone: { url: 'http://127.0.0.1:1/mcp' } } }));
    const { code, err } = await askServer([], ['--mcp', servers.inside('mcp.json')]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^The MCP server "gone" does not answer: /)]);
  });
});

describe('--tools', () => {
  const call = '<tool_call>{"name":"count","arguments":{}}</tool_call>';
  const script = (name: string) =>
    `export const meta = { name: '${name}', description: 'Counts files.' };
     export const run = async (args, vault) => \`There are \${(await vault.list()).length} of them.\`;`;
  const withScript = async (text: string) => {
    const scripts = await folderForTest();
    await scripts.write('count.js', text);
    await scripts.write('README.md', 'no script');
    return ['--dialect', 'hermes', '--tools', scripts.path];
  };

  it('D-063: a script runs where all is allowed from the beginning, and else not at all', async () => {
    const args = await withScript(script('count'));
    const refused = await askServer([], args);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('count.js has not been allowed to run')]);
    expect(refused.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    const allowed = await askServer([chatStream(call), chatStream('Counted.')], [...args, '--approve-all']);
    expect([allowed.code, allowed.out]).toEqual([0, 'Counted.\n']);
    expect(allowed.requests.at(-1)?.text).toContain('of them.');
  });

  it.each([
    ['a script that is no tool', script(''), 'count.js is not a tool: meta.name must be'],
    ['a name that is taken', script('read'), 'There are two tools of the name "read"'],
  ])('D-055: %s is told', async (_, text, words) => {
    const { code, err } = await askServer([], [...(await withScript(text)), '--approve-all']);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
  });

  it('a folder that is not there is told', async () => {
    const { code, err } = await askServer([], ['--tools', '/nowhere']);
    expect([code, err]).toEqual([1, 'The tools in /nowhere cannot be read: there is no such folder.\n']);
  });
});

describe('D-093: what cannot be asked', () => {
  const ask = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const folder = await folderForTest();
    return runCommand(['chat', ...args, '--print', 'Hi'], {
      env: { XDG_STATE_HOME: folder.inside('state'), ...env },
      cwd: folder.path,
    });
  };

  it('nobody at the usual addresses: what to start', async () => {
    const { code, err } = await ask([], { DRAGOMAN_PORT: '1' });
    expect([code, err.split('\n')[0]]).toEqual([1, 'No gateway answers at http://127.0.0.1:1.']);
    expect(err).toContain('ollama serve');
  });

  it('nobody at the named address', async () => {
    const { code, err } = await ask(['--url', 'http://127.0.0.1:1']);
    expect([code, err]).toEqual([
      1,
      'http://127.0.0.1:1 cannot be reached. Is the server running, and is the address right?\n',
    ]);
  });

  it('no such model, with the nearest name', async () => {
    const { url } = await gatewayForTest();
    expect((await ask(['--url', url, '--model', 'dmo'])).err).toContain('has no model "dmo"; did you mean "demo"?');
    expect((await ask(['--url', url, '--model', 'xyzzy'])).err).toMatch(
      /has no model "xyzzy"\. It has: demo, .*, and \d+ more\.\n$/,
    );
  });

  it('no place for its chats', async () => {
    const { url } = await gatewayForTest();
    const folder = await folderForTest();
    await folder.write('state', 'a file');
    const { code, err } = await ask(['--url', url], { XDG_STATE_HOME: folder.inside('state') });
    expect([code, err]).toEqual([1, expect.stringMatching(/^ENOTDIR: not a directory, mkdir .*\n$/)]);
  });

  it('no such dialect, with the nearest name', async () => {
    const { err } = await ask(['--url', 'http://127.0.0.1:1', '--dialect', 'herme']);
    expect(err).toContain('There is no dialect "herme"; did you mean "hermes"?');
  });

  it('no such folder', async () => {
    const { url } = await gatewayForTest();
    expect((await ask(['nowhere', '--url', url])).err).toBe('nowhere cannot be worked on: there is no such folder.\n');
  });
});
