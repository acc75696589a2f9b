import { readFile, writeFile } from 'node:fs/promises';
import {
  chatMessage,
  chatStream,
  errorReply,
  type ScriptedReply,
  type ScriptedUpstream,
  sample,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderForTest, gatewayForTest, upstreamForTest } from '../for-test.ts';
import { model, platformForTest, upstreamsFor } from '../platform-setup.ts';
import { runCommand } from '../run-command.ts';
import type { ScratchFolder } from '../scratch-folder.ts';
import { SocketClient } from '../socket-client.ts';
import { readTool, type TestGateway } from '../start-test-gateway.ts';
import { nativeStream } from '../strict-upstream.ts';

let upstream: ScriptedUpstream;
let folder: ScratchFolder;
beforeEach(async () => {
  upstream = await upstreamForTest();
  folder = await folderForTest();
});

const command = (args: readonly string[]) => runCommand(args, { cwd: folder.path });

const recorded = (config: object = {}) =>
  gatewayForTest({ upstream, config: { records: { level: 'full' }, ...config } });

/** Records the latest exchange of a gateway and replays it. */
async function replayed(gateway: TestGateway, name = 'last') {
  await folder.write('dragoman.json', JSON.stringify({ listen: { port: gateway.port } }));
  const written = await command(['record', name, '-o', 'it.json']);
  expect(written).toMatchObject({ code: 0, out: '' });
  const text = await folder.read('it.json');
  return { recording: JSON.parse(text), text, ...(await command(['replay', 'it.json'])) };
}

const same = { code: 0, out: 'it.json: the client is told the same\n', err: '' };
const question = { role: 'user', content: 'What is in a.txt?' };
const call =
  '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt", "size": 12345678901234567890}}\n</tool_call>';

describe('a recorded exchange is replayed offline', () => {
  it.each([
    ['a model by the name that it has on this machine', { model: 'qwen3:8b' }],
    ['the first model that was found', {}],
  ])('%s', async (_, named) => {
    upstream.next(chatStream('Hello.'));
    const gateway = await gatewayForTest({
      config: {
        records: { level: 'full' },
        upstreams: { up: { baseUrl: upstream.baseUrl, discovery: { enabled: false } } },
      },
      alter: (setup) => {
        const list = new Map([['qwen3:8b', { id: 'qwen3:8b' }]]);
        const found = [...setup.upstreams].map(
          ([name, up]) => [name, { ...up, shortNames: true, listed: () => list }] as const,
        );
        return { ...setup, upstreams: new Map(found) };
      },
    });
    const answer = await gateway.post({ ...named, stream: true, messages: [question] });
    expect(await answer.text()).toContain('[DONE]');
    expect(await replayed(gateway)).toMatchObject(same);
  });

  const chat = { stream: true, tools: [readTool], messages: [question] };
  const anthropicTool = { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: {} } };

  const exchanges: [string, string, object, ScriptedReply][] = [
    [
      'text with a call',
      '/v1/chat/completions',
      { model: 'up/text', ...chat },
      chatStream(`Looking.\n${call}`, { pieces: 5 }),
    ],
    [
      'text with a call, whole',
      '/v1/chat/completions',
      { model: 'up/text', ...chat, stream: false },
      chatMessage(`Looking.\n${call}`),
    ],
    [
      'native calls with foreign ids',
      '/v1/chat/completions',
      { model: 'up/native', ...chat },
      nativeStream([
        ['functions.read:0', 'read', '{"path":"a"}'],
        ['', 'read', '{"path":"b"}'],
      ]),
    ],
    [
      'Messages',
      '/v1/messages',
      { model: 'up/text', stream: true, max_tokens: 100, tools: [anthropicTool], messages: [question] },
      chatStream(`Looking.\n${call}`),
    ],
    [
      'Responses',
      '/v1/responses',
      {
        model: 'up/text',
        stream: true,
        input: 'What is in a.txt?',
        tools: [{ ...readTool.function, type: 'function' }],
      },
      chatStream(`Looking.\n${call}`, { reasoning: 'hm' }),
    ],
    [
      'Ollama',
      '/api/chat',
      { model: 'up/text', messages: [question], tools: [readTool] },
      chatStream(`Looking.\n${call}`),
    ],
    [
      'a refusal',
      '/v1/chat/completions',
      { model: 'up/native', ...chat },
      errorReply(429, 'Slow down', { 'retry-after': '7' }),
    ],
    [
      'a stream that breaks off',
      '/v1/chat/completions',
      { model: 'up/text', ...chat },
      { steps: [...chatStream('It is', { finishReason: null, done: false }).steps, { cut: true }] },
    ],
    [
      'what is no reply',
      '/v1/chat/completions',
      { model: 'up/native', ...chat },
      { headers: { 'content-type': 'text/html' }, steps: [{ text: '<p>' }] },
    ],
  ];
  it.each(sample(exchanges, 4))('A-261: %s', async (_, path, body, reply) => {
    const gateway = await recorded();
    upstream.next(reply);
    await (await fetch(`${gateway.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
    const { code, out, err } = await replayed(gateway);
    expect({ code, out, err }).toEqual(same);
  });

  it('A-261: what a deadline ended, without waiting for it', async () => {
    const gateway = await recorded({ timeouts: { idle: 300 } });
    upstream.next({ steps: [...chatStream('It is', { finishReason: null, done: false }).steps, { stall: true }] });
    await (await gateway.post({ model: 'up/text', ...chat })).text();
    const { recording, code, out, err } = await replayed(gateway);
    expect(recording.about.error.code).toBe('idle-timeout');
    expect({ code, out, err }).toEqual(same);
  });

  it('A-261: what went through a WebSocket and what ran in the background', async () => {
    const gateway = await recorded();
    const client = await SocketClient.open(gateway.url);
    upstream.next(chatStream('By socket.'), chatStream('In the background.'));
    await client.turn({ model: 'up/native', input: 'Hello' });
    client.socket.close();
    expect((await replayed(gateway)).out).toBe(same.out);
    folder = await folderForTest();
    const made = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'up/native', input: 'Hello', background: true }),
    });
    const { id } = await made.json();
    await (await fetch(`${gateway.url}/v1/responses/${id}?stream=true`)).text();
    const { recording, out } = await replayed(gateway, id);
    expect(recording.about.method).toBe('BACKGROUND');
    expect(out).toBe(same.out);
  });

  it('A-261: what continued a stored response holds all of it', async () => {
    const gateway = await recorded();
    upstream.next(chatStream('Nice to meet you, Ann.'), chatStream('You are Ann.'));
    const ask = async (body: object) =>
      (await fetch(`${gateway.url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) })).json();
    const first = await ask({ model: 'up/native', input: 'I am Ann.' });
    await ask({ model: 'up/native', input: 'Who am I?', previous_response_id: first.id });
    const { text, code, out, err } = await replayed(gateway);
    expect({ code, out, err }).toEqual(same);
    expect(text).toContain('Nice to meet you, Ann.');
  });

  it('A-261: what went on in a conversation that the upstream keeps', async () => {
    const platform = await platformForTest({ answer: ({ text }) => `You said: ${text}` });
    const gateway = await gatewayForTest({ config: { records: { level: 'full' }, upstreams: upstreamsFor(platform) } });
    const ask = async (messages: readonly unknown[]) =>
      (await (await gateway.post({ model, messages })).json()).choices[0].message;
    const first = await ask([question]);
    await ask([question, first, { role: 'user', content: 'Go on.' }]);
    const { recording, code, out, err } = await replayed(gateway);
    expect({ code, out, err }).toEqual(same);
    expect(recording.point.conversation).not.toBe('');
  });

  it('A-261: numbers keep their digits, and what differs is shown', async () => {
    const gateway = await recorded();
    upstream.next(chatStream('Hello Ann.', { pieces: 3 }));
    const body =
      '{"model":"up/native","stream":true,"seed":12345678901234567890,"messages":[{"role":"user","content":"Hi"}]}';
    await (await gateway.post(body)).text();
    const { recording, text } = await replayed(gateway);
    expect(text).toContain('12345678901234567890');
    const changed = { ...recording, reply: recording.reply.map((frame: string) => frame.replace('Hel', 'Hal')) };
    await writeFile(folder.inside('other.json'), JSON.stringify(changed));
    const other = await command(['replay', 'other.json']);
    expect(other.code).toBe(1);
    expect(other.out).toContain('other.json: the client is told something else');
    expect(other.out).toMatch(/^-.*Hal.*\n(.*\n)*\+.*Hel/m);
    const both = await command(['replay', 'it.json', 'other.json']);
    expect(both).toMatchObject({ code: 1, out: expect.stringContaining('1 of 2 are as they were recorded') });
  });
});

describe('what cannot be replayed is told in one line', () => {
  it('because only metadata was recorded, or too little, or a secret stood in pieces', async () => {
    const gateway = await recorded({ records: { level: 'metadata' } });
    upstream.next(chatStream('Hi.'));
    await (await gateway.post({ model: 'up/text', stream: true, messages: [question] })).text();
    await folder.write('dragoman.json', JSON.stringify({ listen: { port: gateway.port } }));
    expect(await command(['record'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('only metadata was recorded'),
    });
    const small = await recorded({ records: { level: 'full', exchangeBytes: 1024 } });
    upstream.next(chatStream('x'.repeat(5_000)), chatStream('It is sk-abcdefghijklmnop1234.', { pieces: 3 }));
    const at = ['--url', small.url];
    await (await small.post({ model: 'up/text', stream: true, messages: [question] })).text();
    expect(await command(['record', ...at])).toMatchObject({
      code: 1,
      err: expect.stringContaining('"records.exchangeBytes"'),
    });
    const large = await recorded();
    await (await large.post({ model: 'up/text', stream: true, messages: [question] })).text();
    expect(await command(['record', '--url', large.url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('a secret was spread over several pieces'),
    });
  });

  it('because it is no recording', async () => {
    await folder.write('a.json', '{"dragoman":"recording","version":2}');
    await folder.write('b.json', 'nothing');
    expect((await command(['replay', 'a.json'])).err).toContain('made by a newer Dragoman');
    expect((await command(['replay', 'b.json'])).err).toBe('b.json: It is not JSON.\n');
    expect((await command(['replay', 'c.json'])).err).toBe('c.json cannot be read: there is no such file.\n');
    await folder.write('it.json', await readFile(new URL(import.meta.url), 'utf8'));
    expect((await command(['record', '-o', 'it.json', '--url', 'http://127.0.0.1:9'])).code).toBe(1);
  });
});

describe('a recording may come from anybody', () => {
  /** Some exchange as a recording, changed by whoever gave it away. */
  const forged = async (forge: (recording: Record<string, never>) => object) => {
    const gateway = await recorded();
    upstream.next(chatStream('Hi.'));
    await (await gateway.post({ model: 'up/text', stream: true, messages: [question] })).text();
    const { recording } = await replayed(gateway);
    await folder.write('it.json', JSON.stringify(forge(recording)));
    return command(['replay', 'it.json']);
  };

  it('and calls nobody, whatever its configuration says', async () => {
    const stranger = await upstreamForTest();
    stranger.next(chatStream('A secret, please.'));
    const result = await forged(({ config, about, ...rest }) => {
      const upstreams = { up: { wire: 'openai-chat', baseUrl: stranger.baseUrl, models: { text: {} } } };
      const elsewhere = { ...Object(about), plan: { upstream: 'another' } };
      return { ...rest, config: { ...Object(config), upstreams }, about: elsewhere };
    });
    expect(result.err).toBe('');
    expect(result.out).toMatch(/^it\.json: /);
    expect(stranger.requests).toEqual([]);
  });

  const up = { wire: 'openai-chat', baseUrl: 'http://127.0.0.1:9' };
  it.each<[string, object]>([
    ['dialects.own.responseTemplate', { dialects: { own: { responseTemplate: 'secret.txt' } } }],
    ['dialects.own.table', { dialects: { own: { table: 'secret.txt' } } }],
    ['upstreams.up.apiKey', { upstreams: { up: { ...up, apiKey: 'file:secret.txt' } } }],
    ['upstreams.up.headers', { upstreams: { up: { ...up, headers: { 'x-key': 'file:secret.txt' } } } }],
    ['upstreams.up.discovery.enabled', { upstreams: { up: { ...up, discovery: { enabled: true } } } }],
    ['upstreams.up.workers', { upstreams: { up: { wire: 'openai-chat', workers: { keys: ['file:secret.txt'] } } } }],
    [
      'upstreams.up.models.text.prompts',
      { upstreams: { up: { ...up, models: { text: { prompts: { rules: 'secret.txt' } } } } } },
    ],
    ['prompts', { prompts: { rules: 'secret.txt' } }],
    ['store', { store: { sqlite: 'store.db' } }],
    ['records', { records: { archive: 'here' } }],
    ['log', { log: { file: 'here.log' } }],
    ['keys', { keys: [{ name: 'a', key: 'file:secret.txt' }] }],
    ['nonceSecret', { nonceSecret: 'file:secret.txt' }],
  ])('and is refused where its configuration leads out of it: %s', async (place, more) => {
    await folder.write('secret.txt', 'a secret of this machine');
    const { code, out, err } = await forged(({ config, ...rest }) => ({
      ...rest,
      config: { ...Object(config), ...more },
    }));
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `it.json: its configuration is refused:\n${place}: a recording never holds this\n`,
    });
  });

  it.each<[string, string, (recording: Record<string, never>) => object]>([
    [
      'a route that is the end of an address elsewhere',
      '"about.route"',
      ({ about, ...rest }) => ({ ...rest, about: { ...Object(about), route: '@example.com/v1/chat/completions' } }),
    ],
    ['pieces that are none', '"upstream.0.pieces"', (recording) => ({ ...recording, upstream: [{ pieces: 7 }] })],
    ['no list of digits', '"drawn"', (recording) => ({ ...recording, drawn: {} })],
    ['no answers', '"upstream"', (recording) => ({ ...recording, upstream: {} })],
  ])('and is refused with %s', async (_, place, forge) => {
    const { code, out, err } = await forged(forge);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`it.json: It cannot be replayed: ${place} is wrong`);
  });
});
