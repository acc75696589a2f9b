import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chatFrames, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

/** Each wire's address, content type, a streamed request and the name of its recordings. */
const wires = {
  'openai-chat': {
    path: '/v1/chat/completions',
    file: 'openai-chat.sse',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
  },
  'openai-completions': { path: '/v1/completions', file: 'openai-completions.sse', body: { prompt: 'Hello' } },
  'openai-responses': { path: '/v1/responses', file: 'openai-responses.sse', body: { input: 'Hello', store: false } },
  'anthropic-messages': {
    path: '/v1/messages',
    file: 'anthropic-messages.sse',
    body: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  },
  'ollama-chat': {
    path: '/api/chat',
    file: 'ollama-chat.ndjson',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
  },
} as const;
type WireId = keyof typeof wires;
const wireIds: readonly WireId[] = [
  'openai-chat',
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'ollama-chat',
];

const corpus = fileURLToPath(new URL('../../../corpus/streams/', import.meta.url));
const situations = readdirSync(corpus, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? each.name : [],
);
const contentTypes = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' };

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

interface StartOptions {
  readonly rule?: object;
  /** The upstream counts as the service of the API's own vendor. */
  readonly vendor?: boolean;
  readonly secret?: string;
  /** Rules of further models; those without one have the same as `m`. */
  readonly models?: object;
}

function start(
  wire: WireId,
  { rule = { passthrough: 'always' }, vendor = false, secret = 'secret-key-123', models: others }: StartOptions = {},
): Promise<TestGateway> {
  const baseUrl = wire === 'ollama-chat' || wire === 'anthropic-messages' ? upstream.origin : upstream.baseUrl;
  const each = { toolCalling: 'native', ...rule };
  const models = { m: each, ...others };
  const open = others === undefined ? {} : { anyModel: each, discovery: { enabled: false } };
  return gatewayForTest({
    secrets: [secret],
    config: { upstreams: { up: { wire, baseUrl, apiKey: secret, models, ...open } } },
    alter: (setup) => ({
      ...setup,
      upstreams: new Map([...setup.upstreams].map(([name, up]) => [name, { ...up, vendor }])),
    }),
  });
}

function ask(gateway: TestGateway, wire: WireId, more: object = {}): Promise<Response> {
  const { path, body } = wires[wire];
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'up/m', stream: true, ...body, ...more }),
  });
}

function headersOf(wire: WireId) {
  return { 'content-type': contentTypes[wire === 'ollama-chat' ? 'ndjson' : 'sse'] };
}

describe.each(sample(wireIds, 2))('passthrough of %s', (wire) => {
  const { file } = wires[wire];
  const written = situations.filter((name) => existsSync(`${corpus}${name}/${file}`));

  it('relays every recorded stream byte for byte, whatever the cuts', async () => {
    const gateway = await start(wire);
    for (const name of written) {
      const bytes = readFileSync(`${corpus}${name}/${file}`);
      for (const cutAt of [[], Array.from({ length: 40 }, (_, index) => 7 * index + 3)]) {
        upstream.next({ headers: headersOf(wire), steps: [{ bytes }], cutAt });
        const response = await ask(gateway, wire);
        expect(response.status, name).toBe(200);
        expect(Buffer.from(await response.arrayBuffer()).toString('utf8'), name).toBe(bytes.toString('utf8'));
      }
    }
  });

  it('sends the request on as it came, with the name that the upstream knows', async () => {
    const gateway = await start(wire);
    const bytes = readFileSync(`${corpus}text/${file}`);
    upstream.next({ headers: headersOf(wire), steps: [{ bytes }] });
    await (await ask(gateway, wire, { a_field_of_tomorrow: { deep: [1] } })).text();
    const seen = await upstream.request(0);
    expect(seen.body).toEqual({ model: 'm', stream: true, ...wires[wire].body, a_field_of_tomorrow: { deep: [1] } });
  });

  it('sends the very bytes on, but for the name', async () => {
    const gateway = await start(wire);
    const bytes = readFileSync(`${corpus}text/${file}`);
    upstream.next({ headers: headersOf(wire), steps: [{ bytes }] });
    const { path, body } = wires[wire];
    const written = (model: string) =>
      `{ "model" : "${model}",\n"temperature":1.0, ${JSON.stringify({ stream: true, ...body }).slice(1)}`;
    await (await fetch(gateway.url + path, { method: 'POST', body: written('up/m') })).text();
    expect(upstream.requests[0]?.text).toBe(written('m'));
  });

  it('notes in the log how the reply went', async () => {
    const gateway = await start(wire);
    const bytes = readFileSync(`${corpus}usage/${file}`);
    upstream.next({ headers: headersOf(wire), steps: [{ bytes }] });
    await (await ask(gateway, wire)).text();
    const record = await gateway.record(({ model }) => model === 'up/m');
    expect(record).toMatchObject({ relayed: true, finish: 'stop', usage: { source: 'upstream' } });
  });

  it('tells in its own terms that the upstream broke off, after whole frames only', async () => {
    const gateway = await start(wire);
    const bytes = readFileSync(`${corpus}text/${file}`);
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    upstream.next({ headers: headersOf(wire), steps: [{ bytes: half }, { delay: 20 }, { cut: true }] });
    const text = await (await ask(gateway, wire)).text();
    const frameEnd = wire === 'ollama-chat' ? '\n' : '\n\n';
    const whole = half.toString('utf8').slice(0, half.toString('utf8').lastIndexOf(frameEnd) + frameEnd.length);
    expect(whole.length).toBeGreaterThan(0);
    expect(text.slice(0, whole.length)).toBe(whole);
    const lines = text.slice(whole.length).split('\n');
    const told = lines.flatMap((line) => (line.includes('{') ? JSON.parse(line.slice(line.indexOf('{'))) : []));
    expect(JSON.stringify(told)).toContain('broke off');
    expect(await gateway.record(({ model }) => model === 'up/m')).toMatchObject({ errorCode: 'upstream-cut' });
  });

  it('tells that a frame was lost, whether it was alone in its chunk or not', async () => {
    const gateway = await start(wire);
    const end = wire === 'ollama-chat' ? '\n' : '\n\n';
    const frames = readFileSync(`${corpus}text/${file}`, 'utf8').split(end);
    const middle = Math.floor(frames.length / 2);
    const half = frames[middle]?.slice(0, -3) ?? '';
    const before = frames.slice(0, middle).join(end);
    const after = frames.slice(middle + 1).join(end);
    for (const pieces of [[before, half, after], [[before, half, after].join(end)]]) {
      const steps = pieces.flatMap((text, at) => [{ text: at + 1 < pieces.length ? text + end : text }, { delay: 20 }]);
      upstream.next({ headers: headersOf(wire), steps });
      const text = await (await ask(gateway, wire)).text();
      expect(text).toContain('could not be read, so the rest of the reply was not delivered');
    }
    const cuts = gateway.records().filter(({ errorCode }) => errorCode === 'upstream-cut');
    expect(cuts).toHaveLength(2);
  });

  it('answers a refusal with a status, in its own terms and without the key', async () => {
    const gateway = await start(wire);
    const body = JSON.stringify({ error: { message: 'Bad key secret-key-123', type: 'x', code: 'y' } });
    upstream.next({ status: 400, headers: { 'content-type': 'application/json' }, steps: [{ text: body }] });
    const response = await ask(gateway, wire);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('secret-key-123');
  });

  it('reads and writes anew where the rule says so', async () => {
    const gateway = await start(wire, { rule: { passthrough: 'never' } });
    const bytes = readFileSync(`${corpus}text/${file}`);
    upstream.next({ headers: headersOf(wire), steps: [{ bytes }] });
    expect(await (await ask(gateway, wire)).text()).not.toBe(bytes.toString('utf8'));
  });
});

describe('passthrough', () => {
  const frames = chatFrames('Hello');
  const system = { role: 'system', content: 'S' };
  const user = { role: 'user', content: 'U' };
  const reply = { steps: frames.map((text) => ({ text })) };

  it.each([
    ['a request with tools', {}, { tools: [readTool], stream_options: { include_usage: true } }, true],
    ['a rule that says never', { passthrough: 'never' }, {}, false],
    ['a rule that cuts text anew', { textGranularity: 'words' }, {}, false],
    ['a rule that moves system text', { systemText: 'first-user' }, { messages: [system, user] }, false],
    ['sampling that the rule adds', { sampling: { temperature: 0 } }, {}, false],
    ['sampling that the request brings itself', { sampling: { temperature: 0 } }, { temperature: 1 }, true],
    ['a model that writes calls as text', { toolCalling: { dialect: 'hermes' } }, {}, false],
  ])('from the vendor of the API: %s', async (_name, rule, more, relayed) => {
    const gateway = await start('openai-chat', { rule, vendor: true });
    upstream.next(reply);
    const text = await (await ask(gateway, 'openai-chat', more)).text();
    expect(text === frames.join('')).toBe(relayed);
  });

  it('not from just any server, unless it is told to', async () => {
    const gateway = await start('openai-chat', { rule: {} });
    upstream.next(reply);
    expect(await (await ask(gateway, 'openai-chat')).text()).not.toBe(frames.join(''));
  });

  it.each([
    ['gpt-5-mini', 'max_tokens', 'max_completion_tokens', false],
    ['openai/o4-mini', 'max_tokens', 'max_completion_tokens', false],
    ['thinker', 'max_tokens', 'max_completion_tokens', false],
    ['gpt-5-mini', 'max_completion_tokens', 'max_completion_tokens', true],
    ['gpt-5-mini', undefined, undefined, true],
    ['gpt-4o', 'max_tokens', 'max_tokens', true],
  ])('the limit of %s comes as %s and goes on as %s; the frames pass: %s', async (model, from, to, relayed) => {
    const thinker = { upstreamName: 'o3' };
    const gateway = await start('openai-chat', { vendor: true, models: { 'gpt-4o': {}, thinker } });
    upstream.next(reply);
    const limit = (name: string | undefined) => (name === undefined ? {} : { [name]: 50 });
    const text = await (await ask(gateway, 'openai-chat', { model: `up/${model}`, ...limit(from) })).text();
    const { body } = await upstream.request(0);
    const { max_tokens, max_completion_tokens } = Object(body);
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens }))).toEqual(limit(to));
    expect(text === frames.join('')).toBe(relayed);
  });

  it('the limit of a client of another API has the name that the model takes', async () => {
    const gateway = await start('openai-chat', { models: { 'gpt-4o': {} } });
    for (const [index, [model, name]] of [
      ['gpt-5', 'max_completion_tokens'],
      ['o3', 'max_completion_tokens'],
      ['gpt-4o', 'max_tokens'],
    ].entries()) {
      upstream.next(reply);
      await (await ask(gateway, 'anthropic-messages', { model: `up/${model}` })).text();
      const { body } = await upstream.request(index);
      expect(body).toMatchObject({ [String(name)]: 100 });
      expect(Object.keys(Object(body)).filter((field) => field.startsWith('max_'))).toEqual([name]);
    }
  });

  it('not where at most one call may pass, which other servers overlook', async () => {
    const gateway = await start('openai-chat');
    upstream.next(reply);
    const text = await (await ask(gateway, 'openai-chat', { tools: [readTool], parallel_tool_calls: false })).text();
    expect(text).not.toBe(frames.join(''));
  });

  it('never takes a stored response out of our hands', async () => {
    const gateway = await start('openai-responses');
    const bytes = readFileSync(`${corpus}text/openai-responses.sse`);
    upstream.next({ headers: headersOf('openai-responses'), steps: [{ bytes }] });
    const text = await (await ask(gateway, 'openai-responses', { store: true })).text();
    const id = /"id":"(resp_[0-9a-f]+)"/.exec(text)?.[1];
    expect((await fetch(`${gateway.url}/v1/responses/${id}`)).status).toBe(200);
  });

  it('takes the key out of an error that is in a relayed stream', async () => {
    const gateway = await start('openai-chat');
    const [role = '', hello = ''] = frames;
    const error = `data: ${JSON.stringify({ error: { message: 'no quota for secret-key-123' } })}\n\n`;
    upstream.next({ steps: [{ text: role + hello }, { delay: 20 }, { text: error }] });
    const text = await (await ask(gateway, 'openai-chat')).text();
    expect(text).toBe(role + hello + error.replace('secret-key-123', '[secret]'));
  });

  it('takes a key with a slash out however the server writes it', async () => {
    const gateway = await start('openai-chat', { secret: 'key/with+slash' });
    const [role = '', hello = ''] = frames;
    upstream.next({
      steps: [{ text: `${role}${hello}data: {"error":{"message":"no quota for key\\/with+slash"}}\n\n` }],
    });
    const text = await (await ask(gateway, 'openai-chat')).text();
    expect(text).toBe(`${role}${hello}data: {"error":{"message":"no quota for [secret]"}}\n\n`);
  });

  it('ends the last frame where the server did not, because clients would wait for its end and lose it', async () => {
    const gateway = await start('openai-chat');
    upstream.next({ steps: [{ text: frames.join('').trimEnd() }] });
    expect(await (await ask(gateway, 'openai-chat')).text()).toBe(frames.join(''));
  });

  it('leaves out what begins after the frame that ended the reply', async () => {
    const gateway = await start('openai-chat');
    upstream.next({ steps: [{ text: `${frames.join('')}data: {"choices":[{"del` }] });
    expect(await (await ask(gateway, 'openai-chat')).text()).toBe(frames.join(''));
  });

  it('stops the upstream when the client leaves', async () => {
    const gateway = await start('openai-chat');
    upstream.next({ steps: [{ text: frames.slice(0, 2).join('') }, { stall: true }] });
    const response = await ask(gateway, 'openai-chat');
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await (await upstream.request(0)).aborted;
  });
});
