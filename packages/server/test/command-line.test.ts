import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorReply, jsonReply } from '@dragoman/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.ts';
import { upstreamForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';
import { readTool } from './start-test-gateway.ts';
import { type TestTerminal, testTerminal } from './test-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const command = (args: readonly string[], options: Parameters<typeof testTerminal>[0] = {}) =>
  runCommand(args, { cwd: folder, ...options });

const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function until(terminal: TestTerminal, ready: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!ready() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  if (!ready()) throw new Error(`nothing came; standard error: ${terminal.err()}`);
}

describe('parse', () => {
  const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a b.txt"}}\n</tool_call>';
  const line = (fields: object) => `${JSON.stringify({ dialect: 'hermes', tools: [readTool], ...fields })}\n`;

  it('answers every line in order, the same whatever the cuts', async () => {
    const cuts = ['whole', 'chars', { seed: 7, max: 5 }, [1, 5, 9, 9, 400], undefined];
    const input = cuts.map((each, id) => line({ id, text: `Before ${call}`, cuts: each })).join('');
    const { code, out } = await command(['parse', '--jsonl'], { input });
    expect(code).toBe(0);
    const answers = lines(out);
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        text: expect.stringMatching(/^Before/),
        reasoning: '',
        warnings: [],
        complete: true,
      });
      expect(answer.calls).toEqual([
        {
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          nativeId: null,
          name: 'read',
          arguments: expect.any(String),
        },
      ]);
      expect(JSON.parse(answer.calls[0].arguments)).toEqual({ path: 'a b.txt' });
      expect(answer.calls[0].arguments).toBe(answers[0].calls[0].arguments);
    }
  });

  it('tells native ids', async () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:3<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>';
    const { out } = await command(['parse', '--jsonl'], { input: line({ id: 1, dialect: 'kimi-k2', text }) });
    expect(lines(out)[0].calls).toMatchObject([{ nativeId: 'functions.read:3', name: 'read' }]);
  });

  it.each([['--tools', 'tools.json'], ['--any-tool'], ['--dialect', 'hermes']])(
    'refuses %s beside --jsonl, whose lines say that themselves',
    async (...given) => {
      const { code, out, err } = await command(['parse', '--jsonl', ...given], { input: line({ id: 1, text: call }) });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(given[0]);
      expect(err).toMatch(/^.*--jsonl.* cannot be used with option .*\n$/);
    },
  );

  it('leaves a cut call in the text and says so', async () => {
    const { out } = await command(['parse', '--jsonl'], { input: line({ id: 1, text: call.slice(0, 50) }) });
    const [answer] = lines(out);
    expect(answer).toMatchObject({ calls: [], complete: false });
    expect(answer.text).toContain('{"name": "read"');
    expect(answer.warnings.map(({ code }: { code: string }) => code)).toContain('call-cut');
  });

  it('answers bad lines with an error, goes on, and ends with exit code 1', async () => {
    const input = [
      'not json\n',
      line({ id: 'b', dialect: 'hermse', text: 'x' }),
      line({ id: 'c', text: 5 }),
      line({ id: 'd', text: 'x', cuts: 'bytes' }),
      line({ id: 'e', text: 'fine' }),
    ].join('');
    const { code, out } = await command(['parse', '--jsonl'], { input });
    expect(code).toBe(1);
    const answers = lines(out);
    expect(answers[0]).toEqual({ error: expect.any(String) });
    expect(answers[1]).toEqual({ id: 'b', error: expect.stringContaining('did you mean "hermes"?') });
    expect(answers[2]).toEqual({ id: 'c', error: '"text" must be a string' });
    expect(answers[3].error).toContain('"cuts" must be');
    expect(answers[4]).toMatchObject({ id: 'e', text: 'fine' });
  });

  it('reads lines cut anywhere, in the middle of characters and without a last line end', async () => {
    const bytes = Buffer.from(line({ id: 1, text: 'grün\u2028🙂', tools: [] }).replace('\\u2028', '\u2028').trimEnd());
    const { out } = await command(['parse', '--jsonl'], { input: [...bytes].map((byte) => Uint8Array.of(byte)) });
    expect(lines(out)).toMatchObject([{ id: 1, text: 'grün\u2028🙂' }]);
  });
});

describe('render, explain, models, dialects, check-config', () => {
  const request = { messages: [{ role: 'user', content: 'Read a.txt' }], tools: [readTool] };

  it('renders messages as the upstream would get them', async () => {
    const input = `${JSON.stringify({ id: 7, dialect: 'anthropic-xml', request })}\n`;
    const { code, out } = await command(['render', '--jsonl'], { input });
    expect(code).toBe(0);
    const [answer] = lines(out);
    expect(answer.id).toBe(7);
    expect(JSON.stringify(answer.messages)).toContain('Reads a file.');
    expect(answer.messages.at(-1)).toMatchObject({ role: 'user' });
  });

  it('explains a request and sends nothing', async () => {
    const input = JSON.stringify({ ...request, model: 'demo/cline-xml' });
    const { code, out } = await command(['explain'], { input });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      plan: { upstream: 'demo', toolCalling: 'cline-xml' },
      // That this request asks for no stream is not what is in the way.
      passthrough: 'no: calls are read from text: cline-xml',
      upstreamRequest: { path: '/chat/completions', body: { stream: true } },
    });
    expect(await command(['explain'], { input: '{' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^[^\n]+\n$/),
    });
    const unknown = await command(['explain'], { input: JSON.stringify({ ...request, model: 'demo/herms' }) });
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('demo/hermes') });
  });

  it('asks upstreams for their models and lists what clients would see', async () => {
    const data = [{ id: 'vendor/big:free', context_length: 8192, supported_parameters: ['tools'] }, { id: 'other' }];
    const upstream = await upstreamForTest({ fallback: jsonReply(200, { data }) });
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel: {} };
    const name = file('models.json', JSON.stringify({ demo: false, upstreams: { up }, models: { a: 'up/other' } }));
    expect(await command(['models', '--config', name])).toEqual({
      code: 0,
      out: [
        'model               context  answer  tools          images  reasoning',
        'a                   -        -       auto → native  no      -',
        'up/vendor/big:free  8192     -       auto → native  no      no',
        'up/other            -        -       auto → native  no      -',
        '',
      ].join('\n'),
      err: '',
    });
    const apiKey = 'upstream-key-123';
    const wrong = await upstreamForTest({ fallback: errorReply(401, `Not ${apiKey}`) });
    const shut = file('shut.json', JSON.stringify({ upstreams: { up: { ...up, baseUrl: wrong.baseUrl, apiKey } } }));
    const { code, out, err } = await command(['models', '--config', shut]);
    expect([code, err.includes(apiKey), err.trim().split('\n').length]).toEqual([1, false, 2]);
    expect(err).toContain('the list of models of the upstream "up" cannot be read');
    expect(out).not.toContain('demo');
  });

  it('lists the dialects', async () => {
    const { out } = await command(['dialects']);
    for (const id of ['anthropic-xml', 'cline-xml', 'hermes', 'kimi-k2']) expect(out).toContain(`${id} `);
  });

  it('models: where there is none, says why and what tells more', async () => {
    const env = { DRAGOMAN_FIND_UPSTREAMS: 'off', DRAGOMAN_UPSTREAM: 'http://127.0.0.1:9/v1' };
    const { code, err } = await command(['models', '--config', file('none.json', '{"demo":false}')], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be reached \(ECONNREFUSED\)\. Nothing listens there: start the server\.\n.*doctor\n$/);
  });

  it('checks a configuration file', async () => {
    const good = await command(['check-config', file('good.jsonc', '{ /* nothing */ }')]);
    expect(good).toMatchObject({
      code: 0,
      out: expect.stringContaining('is valid: 0 upstreams, 0 models, 0 aliases, and the demo.'),
    });
    const upstreams = { up: { wire: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', models: { m: {} } } };
    const one = file('one.json', JSON.stringify({ upstreams, models: { a: 'up/m' }, demo: false }));
    expect((await command(['check-config', one])).out).toBe(`${one} is valid: 1 upstream, 1 model, 1 alias.\n`);
    const found = file('found.json', '{"findUpstreams":true,"models":{"a":"qwen3"}}');
    expect((await command(['check-config', found], { env: { DRAGOMAN_FIND_UPSTREAMS: 'on' } })).out).toContain(
      'warning: models.a: "qwen3" is not a model of this file;',
    );
    const bad = await command(['check-config', file('bad.json', '{"listn":1,\n"demo":2}')]);
    expect(bad.code).toBe(1);
    expect(bad.err.trim().split('\n')).toHaveLength(2);
    expect(bad.err).toMatch(/bad\.json:1:2: listn: unknown key; did you mean "listen"\?/);
    file('dragoman.json', '{}');
    expect((await command(['check-config'])).out).toMatch(/^dragoman\.json is valid: /);
    rmSync(join(folder, 'dragoman.json'));
    expect(await command(['check-config'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no configuration here\. Make one: .*init\n$/),
    });
    expect(await command(['check-config', 'absent.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such file'),
    });
  });
});

describe('command line', () => {
  it.each(['serve', 'parse', 'render', 'explain', 'models', 'dialects', 'prompts', 'check-config', 'conformance'])(
    '%s --help has an example',
    async (name) => {
      const { code, out } = await command([name, '--help']);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`Examples:\\n.*dragoman ${name}`));
    },
  );

  it('a port that a gateway of ours holds is in use by that', async () => {
    const says = JSON.stringify({ version: '0.13.4', dragoman: '0.1.0', process: 4711 });
    const other = createHttpServer((_, response) => response.end(says)).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { err } = await command(['serve', '--port', port]);
    other.close();
    expect(err).toContain(`Port ${port} on 127.0.0.1 is in use by Dragoman 0.1.0 (process 4711).`);
  });

  it('A-264: mistakes give one clear line and a non-zero exit', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const mistakes: [string[], RegExp][] = [
      [['srve', '--help'], /unknown command 'srve'.*serve/],
      [['help', 'srve'], /unknown command 'srve'.*serve/],
      [['srve'], /unknown command 'srve'.*serve.*dragoman help/],
      [['nonsense'], /^error: unknown command 'nonsense'\. See: npx --no dragoman help$/m],
      [['serve', '--port', 'x'], /--port.*\. See: npx --no dragoman help serve$/m],
      [['launch', 'claude', '-p'], /'-p'\. What the agent itself gets comes after "--"\. See: .* help launch$/m],
      [['serve', '--port', port], /is in use.*--port/],
      [['serve', '--port', '0', '--host', '0.0.0.0'], /no key/],
      [['serve', '--config', 'absent.json'], /no such file/],
      [
        ['serve', '--config', file('key.json', '{"keys":[{"name":"a","key":"env:NOT_SET_HERE"}]}')],
        /NOT_SET_HERE is not set/,
      ],
      [['parse', '--tools', '/nowhere.json'], /tools in \/nowhere\.json cannot be read/],
    ];
    for (const [args, message] of mistakes) {
      const { code, err } = await command(args);
      expect(code, args.join(' ')).not.toBe(0);
      expect(err, args.join(' ')).toMatch(message);
      expect(err.trim().split('\n'), args.join(' ')).toHaveLength(1);
    }
    busy.close();
  });

  it('B-139: an unusable variable refuses the start and is named', async () => {
    const { code, err } = await command(['serve', '--port', '0'], { env: { TOOL_CALLING_MAX_TOOLS: 'abc' } });
    expect(code).toBe(1);
    expect(err).toMatch(/^TOOL_CALLING_MAX_TOOLS: /);
  });

  it('B-171 A-017: serve prints how to use it, answers, and ends with 0 when asked to stop', async () => {
    const terminal = testTerminal({ cwd: folder });
    const served = run(['serve', '--port', '0'], terminal);
    await until(terminal, () => terminal.out().includes('OpenAI SDK'));
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.out()) ?? [];
    for (const word of ['demo/hermes', 'curl -N', 'VS Code', 'dragoman launch', 'OpenAI SDK']) {
      expect(terminal.out()).toContain(word);
    }
    // The printed line is what a person pastes; its body has to show a streamed call.
    const [, body = ''] = / -d '([^']*)'/.exec(terminal.out()) ?? [];
    const reply = await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text();
    expect(reply).toContain('"name":"read_file"');
    expect(reply).toContain('"finish_reason":"tool_calls"');
    terminal.stop();
    expect(await served).toBe(0);
    expect(terminal.err()).toContain('"route":"/v1/chat/completions"');
    expect(terminal.out()).not.toContain('"route"');
  });

  it('a second request to stop breaks running replies off, which their clients are told', async () => {
    const terminal = testTerminal({ cwd: folder });
    const served = run(['serve', '--port', '0'], terminal);
    await until(terminal, () => terminal.out().includes('OpenAI SDK'));
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.out()) ?? [];
    const body = JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'Tell me more' }] });
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    terminal.stop();
    terminal.stop();
    expect(await served).not.toBe(0);
    expect(await response.text()).toContain('"draining"');
  });

  it('A-264: an upstream that does not answer is only a warning', async () => {
    const upstreams = { up: { wire: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1' } };
    const config = file('away.json', JSON.stringify({ upstreams }));
    const terminal = testTerminal({ cwd: folder });
    const served = run(['serve', '--port', '0', '--config', config], terminal);
    await until(terminal, () => terminal.err().includes('does not answer at 127.0.0.1:9;'));
    terminal.stop();
    expect(await served).toBe(0);
  });

  it('a reader that has seen enough, as `head` has, gets no stack', async () => {
    const terminal = testTerminal({ input: '{"dialect":"hermes","text":"x"}\n'.repeat(3) });
    const closed = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    expect(await run(['parse', '--jsonl'], { ...terminal, stdout: closed })).toBe(1);
    expect(terminal.err()).toBe('');
  });

  it('nor does one that has gone while a command writes without waiting', async () => {
    const terminal = testTerminal({ cwd: folder });
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const closed = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done, gone) });
    // An error of the stream that nobody hears would end the process, and fails this file.
    const over = new Promise((resolve) => closed.once('close', resolve));
    await run(['dialects'], { ...terminal, stdout: closed });
    await over;
    expect([closed.errored, terminal.err()]).toEqual([gone, '']);
  });

  it('the built command runs', async () => {
    const bin = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [bin, '--version'], { cwd: folder });
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
