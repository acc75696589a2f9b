import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatFrames, chatStream, errorReply, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ResponseInput, ResponseOutputItem } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { SocketClient } from './socket-client.ts';
import type { TestGateway } from './start-test-gateway.ts';

const user = (content: string) => ({ role: 'user', content });
const ask = (input: string, fields: object = {}) => ({ model: 'demo', input: [user(input)], ...fields });

async function clientOf(gateway: TestGateway, options: ClientOptions = {}) {
  const client = await SocketClient.open(gateway.url, options);
  onTestFinished(() => client.socket.terminate());
  return client;
}

/** What the scripted upstream was asked last, as text. */
const asked = (upstream: ScriptedUpstream) => JSON.stringify(upstream.requests.at(-1)?.body);

const up = (input: string, fields: object = {}) => ({ ...ask(input, fields), model: 'up/native' });

describe('WebSocket mode of the Responses API', () => {
  it('C-130 answers a request with the events of a stream, and the log has a line for each', async () => {
    const gateway = await gatewayForTest();
    const client = await clientOf(gateway);
    const response = await client.turn(ask('Hello, who are you?'));
    expect(response).toMatchObject({ status: 'completed', previous_response_id: null });
    expect(response.output[0]?.content?.[0]?.text).toContain('demo model');
    await client.turn(ask('Goodbye.'));
    const opened = await gateway.record(({ status }) => status === 101);
    expect(opened).toMatchObject({ route: '/v1/responses', method: 'GET' });
    const record = await gateway.record(({ method }) => method === 'WEBSOCKET');
    expect(record).toMatchObject({ route: '/v1/responses', status: 200, model: 'demo', stream: true, finish: 'stop' });
    expect(record.requestId).not.toBe(opened.requestId);
    expect(gateway.records().filter(({ method }) => method === 'WEBSOCKET')).toHaveLength(2);
  });

  it('C-131 goes on for fifty turns on one connection, though nothing is stored', async () => {
    const upstream = await upstreamForTest({ fallback: () => chatStream('Noted.') });
    const gateway = await gatewayForTest({ upstream });
    const client = await clientOf(gateway);
    let previous: string | undefined;
    for (let turn = 0; turn < 50; turn += 1) {
      const continued = previous === undefined ? {} : { previous_response_id: previous };
      const response = await client.turn(up(`Word ${turn} is w${turn}w.`, { store: false, ...continued }));
      expect(response.previous_response_id).toBe(previous ?? null);
      previous = response.id;
    }
    for (let turn = 0; turn < 50; turn += 1) expect(asked(upstream)).toContain(`w${turn}w`);
    expect(asked(upstream).split('Noted.')).toHaveLength(50);
    const elsewhere = await fetch(`${gateway.url}/v1/responses/${previous}`);
    expect(elsewhere.status).toBe(404);
  });

  it('what is stored can be read and continued by HTTP and the other way round, and mixed with what is not', async () => {
    const upstream = await upstreamForTest({ fallback: () => chatStream('Noted.') });
    const gateway = await gatewayForTest({ upstream });
    const client = await clientOf(gateway);
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
    const first = await openai.responses.create({ model: 'up/native', input: 'One is uno.' });
    const second = await client.turn(up('Two is due.', { previous_response_id: first.id, store: false }));
    const third = await client.turn(up('Three is tre.', { previous_response_id: second.id }));
    for (const word of ['uno', 'due', 'tre']) expect(asked(upstream)).toContain(word);
    expect(await openai.responses.retrieve(third.id)).toMatchObject({ id: third.id, previous_response_id: second.id });
    await expect(openai.responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 });
  });

  it('another connection does not know what was not stored, and goes on after it was told so', async () => {
    const gateway = await gatewayForTest();
    const one = await clientOf(gateway);
    const { id } = await one.turn(ask('Hello', { store: false }));
    await one.close();
    const other = await clientOf(gateway);
    expect(await other.refused(ask('Go on', { previous_response_id: id, store: false }))).toMatchObject({
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    });
    expect(await other.turn(ask('Hello', { store: false }))).toMatchObject({ status: 'completed' });
  });

  it('a response that could not be continued is no longer held', async () => {
    const gateway = await gatewayForTest();
    const client = await clientOf(gateway);
    const { id } = await client.turn(ask('Hello', { store: false }));
    const unknown = { type: 'function_call_output', call_id: 'call_unknown', output: 'x' };
    const continued = { model: 'demo', previous_response_id: id, store: false };
    expect(await client.refused({ ...continued, input: [unknown] })).toMatchObject({
      status: 400,
      error: { code: 'invalid_tool_results', param: 'input[0].call_id' },
    });
    expect(await client.refused({ ...continued, input: [user('Again')] })).toMatchObject({
      error: { code: 'previous_response_not_found' },
    });
  });

  it('generate: false asks no model and gives a response that can be continued', async () => {
    const upstream = await upstreamForTest({ fallback: () => chatStream('Hello.') });
    const gateway = await gatewayForTest({ upstream });
    const client = await clientOf(gateway);
    const warm = { model: 'up/native', instructions: 'Be brief.', input: [], store: false, generate: false };
    const { id, output, status } = await client.turn(warm);
    expect({ output, status }).toEqual({ output: [], status: 'completed' });
    expect(upstream.requests).toHaveLength(0);
    const remembered = await client.turn({ ...warm, input: [user('It is heliotrope.')] });
    await client.turn(up('Hello', { previous_response_id: remembered.id, store: false }));
    expect(asked(upstream)).toContain('heliotrope');
    expect(await client.turn(up('Hello', { previous_response_id: id }))).toMatchObject({ status: 'completed' });
    expect(await client.refused({ ...warm, generate: true })).toMatchObject({ error: { param: 'input' } });
  });

  it('the SDK: a call, its result by previous_response_id, and an answer with it', async () => {
    const gateway = await gatewayForTest();
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' });
    const socket = new ResponsesWS(openai);
    onTestFinished(() => socket.close());
    const tools = [
      {
        type: 'function' as const,
        name: 'read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        strict: false,
      },
    ];
    const turn = (input: ResponseInput, previous?: string) =>
      new Promise<{ id: string; output: ResponseOutputItem[] }>((resolve, reject) => {
        socket.once('response.completed', ({ response }) => resolve(response));
        socket.once('error', reject);
        const continued = previous === undefined ? {} : { previous_response_id: previous };
        socket.send({ type: 'response.create', model: 'demo', store: false, tools, input, ...continued });
      });
    const first = await turn([{ role: 'user', content: 'Read notes.txt and tell me what it says.' }]);
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'read', arguments: '{"path":"notes.txt"}' });
    const output = 'the word is Ünïque-🦜-4711\n';
    const result = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output };
    const second = await turn([result], first.id);
    expect(JSON.stringify(second.output)).toContain('Ünïque-🦜-4711');
  });

  it('a client that goes away stops its upstream', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream });
    upstream.next({ steps: [...chatStream('Hello', { finishReason: null, done: false }).steps, { stall: true }] });
    const client = await clientOf(gateway);
    client.send(up('Hello'));
    await client.events(({ type }) => type === 'response.output_text.delta');
    client.socket.terminate();
    await (await upstream.request(0)).aborted;
    expect(await gateway.record(({ status }) => status === 499)).toMatchObject({ errorCode: 'client-gone' });
  });

  it('a client that reads slowly pauses the upstream', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream, config: { limits: { replyBytes: 2 ** 40 } } });
    const [, piece = ''] = chatFrames('x'.repeat(16_000), { pieces: 16_000 });
    const endless = function* () {
      for (;;) yield { text: piece };
    };
    upstream.next({ steps: endless() });
    const client = await clientOf(gateway);
    client.send(up('Hello'));
    await client.events(({ type }) => type === 'response.output_text.delta');
    client.socket.pause();
    const seen = await upstream.request(0);
    // Socket buffers fill up, then nothing moves any more.
    for (let before = -1; seen.bytesSent !== before; await sleep(300)) before = seen.bytesSent;
    expect(seen.bytesSent).toBeLessThan(64 * 1024 * 1024);
    // And it goes on when the reader does.
    const full = seen.bytesSent;
    client.socket.resume();
    while (seen.bytesSent < 2 * full) await client.events(({ type }) => type === 'response.output_text.delta');
    client.socket.terminate();
    await seen.aborted;
  });

  it('a long silence is filled with pings', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream, config: { timeouts: { keepAlive: 20 } } });
    upstream.next({ steps: [{ stall: true }] });
    const client = await clientOf(gateway);
    const pinged = once(client.socket, 'ping');
    client.send(up('Hello'));
    await pinged;
    await once(client.socket, 'ping');
  });
});

describe('what WebSocket mode refuses', () => {
  it.each([
    ['no JSON', '{"type":', { code: 'bad_request' }],
    ['no object', '[1]', { code: 'bad_request' }],
    ['null', 'null', { code: 'bad_request' }],
    ['another event', '{"type":"response.steer"}', { param: 'type' }],
    ['too deep', '['.repeat(100_000), { code: 'bad_request' }],
    ['no stream', '{"type":"response.create","stream":false}', { param: 'stream' }],
    ['the background', '{"type":"response.create","background":true}', { param: 'background' }],
    ['lanes', '{"type":"response.create","stream_id":"a"}', { param: 'stream_id' }],
    ['no input', '{"type":"response.create","model":"demo"}', { param: 'input' }],
    ['no such model', '{"type":"response.create","model":"demo/x","input":"Hi"}', { code: 'model_not_found' }],
  ])('%s: an error names it, and the connection is as good as before', async (_, text, error) => {
    const gateway = await gatewayForTest();
    const client = await clientOf(gateway);
    client.socket.send(text);
    const [event] = await client.events();
    const status = 'code' in error && error.code === 'model_not_found' ? 404 : 400;
    expect(event).toMatchObject({ type: 'error', status, error: { ...error, error_id: expect.any(String) } });
    expect(await client.turn(ask('Hello'))).toMatchObject({ status: 'completed' });
    expect(await gateway.record(({ method }) => method === 'WEBSOCKET')).toMatchObject({ status });
  });

  it('binary messages', async () => {
    const client = await clientOf(await gatewayForTest());
    client.socket.send(Buffer.from(JSON.stringify({ type: 'response.create', ...ask('Hello') })));
    expect(await client.events()).toMatchObject([{ type: 'error', status: 400 }]);
    expect(await client.turn(ask('Hello'))).toMatchObject({ status: 'completed' });
  });

  it('a second request while a response runs, which goes on', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream });
    upstream.next({ steps: [{ stall: true }] }, chatStream('Hello.'));
    const client = await clientOf(gateway);
    client.send(up('One'));
    await upstream.request(0);
    expect(await client.refused(up('Two'))).toMatchObject({ status: 409, error: { code: 'response_running' } });
    expect(upstream.requests).toHaveLength(1);
  });

  it('both at once: the first is answered', async () => {
    const client = await clientOf(await gatewayForTest());
    client.send(ask('One'));
    client.send(ask('Two'));
    expect(await client.events()).toMatchObject([{ type: 'error', status: 409 }]);
    const events = await client.events();
    expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
    expect(await client.turn(ask('Three'))).toMatchObject({ status: 'completed' });
  });

  it('messages larger than limits.bodyBytes: the connection closes, and the log says why', async () => {
    const gateway = await gatewayForTest({ config: { limits: { bodyBytes: 1000 } } });
    const client = await clientOf(gateway);
    const closed = once(client.socket, 'close');
    client.send(ask('x'.repeat(1000)));
    expect((await closed)[0]).toBe(1009);
    expect(await gateway.record(({ status }) => status === 413)).toMatchObject({ errorCode: 'body-too-large' });
  });

  it('what the upstream refuses has its status and leaves the connection usable', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream });
    upstream.next(errorReply(429, 'Slow down.', { 'retry-after': '7' }), chatStream('Hello.'));
    const client = await clientOf(gateway);
    expect(await client.refused(up('Hello'))).toMatchObject({
      status: 429,
      error: { code: 'rate_limit_exceeded' },
      headers: { 'retry-after': '7' },
    });
    expect(await client.turn(up('Hello'))).toMatchObject({ status: 'completed' });
  });

  it('an upstream that breaks off: the response failed, and the connection is usable', async () => {
    const upstream = await upstreamForTest();
    const gateway = await gatewayForTest({ upstream });
    upstream.next({ steps: [...chatStream('Hel', { finishReason: null, done: false }).steps, { cut: true }] });
    upstream.next(chatStream('Hello.'));
    const client = await clientOf(gateway);
    expect(await client.turn(up('Hello'))).toMatchObject({ status: 'failed', error: { code: 'upstream_cut' } });
    expect(await client.turn(up('Hello'))).toMatchObject({ status: 'completed' });
  });
});

interface Refusal {
  readonly status: number;
  readonly body: string;
}

function handshake(url: string, { path = '/v1/responses', ...headers }: Record<string, string>): Promise<Refusal> {
  const { origin, host, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
      headers: { ...rest, ...(host === undefined ? {} : { host }) },
      ...(origin === undefined ? {} : { origin }),
    });
    socket.once('error', reject);
    socket.once('open', () => {
      socket.terminate();
      resolve({ status: 101, body: '' });
    });
    socket.once('unexpected-response', (_, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

describe('the handshake of a WebSocket', () => {
  it('needs the key that requests need', async () => {
    const gateway = await gatewayForTest({ config: { keys: [{ name: 'one', key: 'key-one' }] } });
    expect(await handshake(gateway.url, {})).toMatchObject({
      status: 401,
      body: expect.stringContaining('key_missing'),
    });
    expect(await handshake(gateway.url, { authorization: 'Bearer no' })).toMatchObject({
      status: 403,
      body: expect.stringContaining('invalid_api_key'),
    });
    expect(await handshake(gateway.url, { authorization: 'Bearer key-one' })).toEqual({ status: 101, body: '' });
    expect(gateway.records().filter(({ status }) => status === 401 || status === 403)).toHaveLength(2);
    const client = await clientOf(gateway, { headers: { 'x-api-key': 'key-one' } });
    await client.turn(ask('Hello'));
    expect(await gateway.record(({ method }) => method === 'WEBSOCKET')).toMatchObject({ key: 'one' });
  });

  it('refuses pages of other sites and foreign host names', async () => {
    const gateway = await gatewayForTest();
    const refused = { status: 403, body: expect.stringContaining('page_refused') };
    expect(await handshake(gateway.url, { origin: 'https://example.org' })).toEqual(refused);
    expect(await handshake(gateway.url, { host: 'rebound.example.org' })).toEqual(refused);
    expect(await handshake(gateway.url, { origin: 'http://localhost:3000' })).toMatchObject({ status: 101 });
  });

  it('refuses pages of other sites on a route without a key, too: no browser would keep the answer from them', async () => {
    const auth = { publicRoutes: ['/v1/responses'] };
    const gateway = await gatewayForTest({ config: { keys: [{ name: 'one', key: 'key-one' }], auth } });
    expect(await handshake(gateway.url, {})).toMatchObject({ status: 101 });
    expect(await handshake(gateway.url, { origin: 'https://example.org' })).toMatchObject({ status: 403 });
  });

  it('is there on no other path, and says so', async () => {
    const gateway = await gatewayForTest();
    expect(await handshake(gateway.url, { path: '/responses' })).toMatchObject({ status: 101 });
    expect(await handshake(gateway.url, { path: '/v1/models' })).toMatchObject({
      status: 405,
      body: expect.stringContaining('GET /v1/responses'),
    });
    expect(await handshake(gateway.url, { path: '/v1/chat/completions' })).toMatchObject({ status: 405 });
    expect(await handshake(gateway.url, { path: '/v1/nothing' })).toMatchObject({ status: 404 });
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const broken = httpRequest(`${gateway.url}/v1/responses`, { agent: false, headers });
    broken.end();
    const [response] = await once(broken, 'response');
    expect(response.statusCode).toBe(400);
    response.destroy();
    expect(await gateway.record(({ status }) => status === 400)).toMatchObject({ errorCode: 'bad-request' });
    await gateway.drain();
  });

  it('a request that offers another protocol is answered as it is', async () => {
    const gateway = await gatewayForTest();
    const request = httpRequest(`${gateway.url}/v1/responses`, {
      method: 'POST',
      agent: false,
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' },
    });
    request.write('{"model":"demo",');
    request.end('"input":"Hello"}');
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    expect(JSON.parse(text)).toMatchObject({ status: 'completed' });
  });
});

describe('WebSockets of a gateway that stops', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;

  beforeEach(async () => {
    upstream = await upstreamForTest();
    gateway = await gatewayForTest({ upstream });
  });

  it('are closed when nothing runs', async () => {
    const client = await clientOf(gateway);
    const closed = once(client.socket, 'close');
    await gateway.drain();
    expect((await closed)[0]).toBe(1001);
  });

  it('finish the response that runs, refuse others, and are closed then', async () => {
    const client = await clientOf(gateway);
    upstream.next({
      steps: [
        ...chatStream('Hello', { finishReason: null, done: false }).steps,
        { delay: 300 },
        ...chatStream('.').steps,
      ],
    });
    client.send(up('Hello'));
    await client.events(({ type }) => type === 'response.output_text.delta');
    const drained = gateway.drain();
    const other = await handshake(gateway.url, {});
    expect(other).toMatchObject({ status: 503, body: expect.stringContaining('draining') });
    expect((await client.events()).at(-1)).toMatchObject({ type: 'response.completed' });
    await once(client.socket, 'close');
    await drained;
  });

  it('break off the response that runs when there is no more time', async () => {
    upstream.next({ steps: [...chatStream('Hello', { finishReason: null, done: false }).steps, { stall: true }] });
    const client = await clientOf(gateway);
    client.send(up('Hello'));
    await client.events(({ type }) => type === 'response.output_text.delta');
    const closed = once(client.socket, 'close');
    await gateway.close();
    expect((await client.events()).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'draining' } },
    });
    expect((await closed)[0]).toBe(1001);
  });

  it('do not keep it up when the client says nothing any more', async () => {
    const client = await clientOf(gateway);
    client.socket.pause();
    await gateway.close();
    expect(await handshake(gateway.url, {}).catch(() => 'closed')).toBe('closed');
  });
});
