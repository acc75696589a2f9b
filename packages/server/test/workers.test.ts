import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { chatFrames, chatStream, errorReply, jsonReply } from '@dragoman/testkit';
import { connectWorker, forwardRequests, type WorkerOptions, type WorkerState } from '@dragoman/worker';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Waits } from '../src/config/create-setup.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, type TestGateway } from './start-test-gateway.ts';
import { type Spoken, WorkerPeer } from './worker-peer.ts';

const models = { text: { toolCalling: { dialect: 'hermes' } }, native: { toolCalling: 'native' } };

const gatewayOf = (
  workers: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
  waits: Waits = {},
) => gatewayForTest({ waits, config: { upstreams: { far: { wire: 'openai-chat', workers, models } }, ...config } });

const hello = (text: string, more: object = {}) => ({
  model: 'far/native',
  messages: [{ role: 'user', content: text }],
  ...more,
});

const bodyOf = (params: unknown): string => String(Object(params).body);

const healthOf = async ({ url }: TestGateway) => (await (await fetch(`${url}/health`)).json()).workers;

/** Resolves when something holds; rejects when it does not within ten seconds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never held: ${holds}`);
    await wait(5);
  }
}

/** A client that has read the beginning of a stream, and reads on when it is told to. */
async function gatewayReader({ port }: TestGateway, body: object) {
  const request = httpRequest({
    port,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
  });
  request.end(JSON.stringify(body));
  const response = once(request, 'response');
  return {
    rest: async () => {
      const [stream] = await response;
      let text = '';
      for await (const piece of stream.setEncoding('utf8')) text += piece;
      return text;
    },
  };
}

/** A worker of the library, which is ready. */
async function start(gateway: TestGateway, options: Partial<WorkerOptions>) {
  const states: WorkerState[] = [];
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const worker = connectWorker({
    address: `ws://127.0.0.1:${gateway.port}/workers/far`,
    commands: {},
    WebSocket,
    backoff: { first: 20, most: 100 },
    ...options,
    onState: (state) => {
      states.push(state);
      if (state.state === 'ready') ready();
    },
  });
  onTestFinished(() => worker.close());
  await isReady;
  return { worker, states };
}

const textOf = async (response: Response): Promise<string> => {
  const { choices } = await response.json();
  return choices[0].message.content;
};

/** The text of a stream's chunks. */
const contentOf = (chunks: readonly string[]): string =>
  chunks
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data).choices[0]?.delta.content ?? '')
    .join('');

const head = { status: 200, headers: { 'content-type': 'text/event-stream' } };

/** A piece of a stream that holds so much text. */
const saying = (text: string) => ({ data: chatFrames(text, { pieces: [text] })[1] });

/** The pieces that end a stream. */
const ending = chatFrames('', { pieces: [] })
  .slice(1)
  .map((data) => ({ data }));

/** Answers a `request` with a whole stream of Chat Completions. */
function answer(peer: WorkerPeer, id: unknown, text: string): void {
  peer.events(id, [head, ...chatFrames(text).map((data) => ({ data }))]);
  peer.say({ type: 'result', id });
}

it('a worker makes the requests of any wire at a server that only it can reach', async () => {
  const server = await upstreamForTest();
  server.next(
    chatStream('Grüße aus der Ferne 🐫'),
    chatStream('again'),
    errorReply(429, 'slow down', { 'retry-after': '7' }),
  );
  const gateway = await gatewayOf();
  await start(gateway, { commands: { request: forwardRequests(server.baseUrl) } });
  expect(await textOf(await gateway.post(hello('hi')))).toBe('Grüße aus der Ferne 🐫');
  const stream = dataOf(await (await gateway.post(hello('hi', { stream: true }))).text());
  expect(stream.at(-1)).toBe('[DONE]');
  expect(contentOf(stream)).toBe('again');
  const refused = await gateway.post(hello('hi'));
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('7');
  const [seen] = server.requests;
  expect(seen).toMatchObject({ method: 'POST', path: '/v1/chat/completions', body: { model: 'native', stream: true } });
});

it('a list of models is asked of the server behind the worker', async () => {
  const server = await upstreamForTest();
  server.next(jsonReply(200, { object: 'list', data: [{ id: 'llama3' }, { id: 'qwen3' }] }));
  const gateway = await gatewayForTest({
    config: { upstreams: { far: { wire: 'openai-chat', workers: {}, anyModel: {} } }, demo: false },
  });
  await start(gateway, { commands: { request: forwardRequests(server.baseUrl) } });
  const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
  expect(data.map(({ id }: { readonly id: string }) => id)).toEqual(['far/llama3', 'far/qwen3']);
  expect(server.requests).toMatchObject([{ method: 'GET', path: '/v1/models' }]);
});

describe('who gets a command', () => {
  it('A-231 fifty at once are matched by their ids, in whatever order they are answered', async () => {
    const gateway = await gatewayOf({ concurrency: 50 });
    const peer = await WorkerPeer.join(gateway, { hello: { capabilities: { concurrency: 50 } } });
    const asked = Array.from({ length: 50 }, (_, at) => gateway.post(hello(`number ${at}`)));
    const commands: Spoken[] = [];
    while (commands.length < 50) commands.push(await peer.next('command'));
    expect(new Set(commands.map(({ id }) => id)).size).toBe(50);
    for (const { id, params } of commands.reverse()) {
      const { messages } = JSON.parse(bodyOf(params));
      answer(peer, id, `you said ${messages[0].content}`);
    }
    const texts = await Promise.all(asked.map(async (response) => textOf(await response)));
    expect(texts).toEqual(texts.map((_, at) => `you said number ${at}`));
  });

  it('A-232 of two workers exactly one gets each command', async () => {
    const gateway = await gatewayOf();
    const done: string[] = [];
    const worker = (name: string) =>
      start(gateway, {
        name,
        concurrency: 4,
        commands: {
          async *request(params) {
            done.push(`${name}: ${JSON.parse(bodyOf(params)).messages[0].content}`);
            yield head;
            for (const data of chatFrames('done')) yield { data };
          },
        },
      });
    await worker('one');
    await worker('two');
    await Promise.all(Array.from({ length: 20 }, (_, at) => gateway.post(hello(`task ${at}`)).then(textOf)));
    const tasks = done.map((line) => line.slice(line.indexOf(':') + 2));
    expect(tasks.toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => `task ${at}`).toSorted());
    expect(new Set(done.map((line) => line.slice(0, 3)))).toEqual(new Set(['one', 'two']));
  });

  it('no worker gets more at once than it takes, nor more than is configured', async () => {
    const gateway = await gatewayOf({ concurrency: 3 });
    const small = await WorkerPeer.join(gateway);
    const large = await WorkerPeer.join(gateway, { hello: { capabilities: { concurrency: 1000 } } });
    const asked = Array.from({ length: 6 }, (_, at) => gateway.post(hello(`${at}`)).then(textOf));
    await until(async () => (await healthOf(gateway)).waiting === 2);
    expect([small.commands.length, large.commands.length]).toEqual([1, 3]);
    expect(await healthOf(gateway)).toEqual({ connected: 2, busy: 2, waiting: 2 });
    const served = new Set<unknown>();
    const serve = (peer: WorkerPeer) => {
      for (const { id } of peer.commands.filter((command) => !served.has(command.id))) {
        served.add(id);
        answer(peer, id, 'ok');
      }
    };
    await until(() => {
      serve(small);
      serve(large);
      return served.size === 6;
    });
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 6 }, () => 'ok'));
  });

  it('a worker that does not know the command gets none', async () => {
    const gateway = await gatewayOf({ queue: { wait: 50 } });
    await start(gateway, { commands: { other: async () => ({}) } });
    const response = await gateway.post(hello('hi'));
    expect(response.status).toBe(503);
    const { error } = await response.json();
    expect(error).toMatchObject({
      code: 'worker_missing',
      message: expect.stringContaining('knows the command "request"'),
    });
  });
});

describe('while no worker has room', () => {
  it('A-233 a request waits so long and not longer, and is refused with 503 and Retry-After', async () => {
    const gateway = await gatewayOf({ queue: { wait: 300 } });
    const before = performance.now();
    const response = await gateway.post(hello('hi', { stream: true }));
    expect(performance.now() - before).toBeGreaterThan(250);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect((await response.json()).error).toMatchObject({
      code: 'worker_missing',
      message: expect.stringContaining('No worker of the upstream "far" is connected'),
    });
  });

  it('A-233 a request that waits is answered by the worker that joins in time', async () => {
    const gateway = await gatewayOf();
    const asked = gateway.post(hello('hi')).then(textOf);
    await until(async () => (await healthOf(gateway)).waiting === 1);
    const peer = await WorkerPeer.join(gateway);
    answer(peer, (await peer.next('command')).id, 'just in time');
    expect(await asked).toBe('just in time');
  });

  it('A-233 more than may wait are refused at once, and who is left waits on', async () => {
    const gateway = await gatewayOf({ queue: { limit: 1, wait: 5_000 } });
    const peer = await WorkerPeer.join(gateway);
    const first = gateway.post(hello('one')).then(textOf);
    const command = await peer.next('command');
    const second = gateway.post(hello('two')).then(textOf);
    await until(async () => (await healthOf(gateway)).waiting === 1);
    const third = await gateway.post(hello('three'));
    expect(third.status).toBe(503);
    expect(third.headers.get('retry-after')).toBe('5');
    expect((await third.json()).error.code).toBe('upstream_overloaded');
    answer(peer, command.id, 'first');
    answer(peer, (await peer.next('command')).id, 'second');
    expect([await first, await second]).toEqual(['first', 'second']);
  });

  it('a client that leaves while it waits is taken out of the line', async () => {
    const gateway = await gatewayOf();
    const leave = new AbortController();
    const asked = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(hello('hi')),
      headers: { 'content-type': 'application/json' },
      signal: leave.signal,
    });
    await until(async () => (await healthOf(gateway)).waiting === 1);
    leave.abort();
    await expect(asked).rejects.toThrow();
    await until(async () => (await healthOf(gateway)).waiting === 0);
    const peer = await WorkerPeer.join(gateway);
    peer.say({ type: 'ping' });
    await peer.next('pong');
    expect(peer.commands).toEqual([]);
  });
});

describe('a worker that drops', () => {
  it('A-233 before it said anything: another one does the same command, and the client sees nothing of it', async () => {
    const gateway = await gatewayOf();
    const first = await WorkerPeer.join(gateway);
    const asked = gateway.post(hello('hi')).then(textOf);
    const lost = await first.next('command');
    const second = await WorkerPeer.join(gateway);
    first.socket.terminate();
    const again = await second.next('command');
    expect(again.params).toEqual(lost.params);
    expect(again.id).not.toBe(lost.id);
    answer(second, again.id, 'from the second');
    expect(await asked).toBe('from the second');
  });

  it('A-233 in the middle: the client gets what came and then an error, and nobody else is asked', async () => {
    const gateway = await gatewayOf();
    const first = await WorkerPeer.join(gateway);
    const second = await WorkerPeer.join(gateway);
    const response = gateway.post(hello('hi', { stream: true }));
    await until(() => first.commands.length + second.commands.length === 1);
    const [peer, other] = first.commands.length === 1 ? [first, second] : [second, first];
    peer.events(peer.commands[0]?.id, [head, saying('half of it is '), saying('here')]);
    const stream = await response;
    peer.socket.terminate();
    const chunks = dataOf(await stream.text());
    expect(chunks.join()).toContain('upstream_cut');
    expect(JSON.parse(chunks.at(-3) ?? '').choices[0].finish_reason).toBe('length');
    expect(other.commands).toEqual([]);
    const record = await gateway.record(({ errorCode }) => errorCode === 'upstream-cut');
    expect(record.error).toContain('"far" left in the middle of its answer');
  });

  it('A-233 and returns: the next request succeeds', async () => {
    const gateway = await gatewayOf();
    const peers: WebSocket[] = [];
    class Noted extends WebSocket {
      constructor(address: string) {
        super(address);
        peers.push(this);
      }
    }
    const { states } = await start(gateway, {
      WebSocket: Noted,
      commands: {
        async *request() {
          yield head;
          for (const data of chatFrames(`connection ${peers.length}`)) yield { data };
        },
      },
    });
    expect(await textOf(await gateway.post(hello('hi')))).toBe('connection 1');
    peers[0]?.terminate();
    expect(await textOf(await gateway.post(hello('hi')))).toBe('connection 2');
    expect(states.map(({ state }) => state)).toEqual(['connecting', 'ready', 'waiting', 'connecting', 'ready']);
    const told = gateway.records().map(({ msg }) => String(msg));
    expect(told.filter((line) => line.includes('joined the upstream "far"'))).toHaveLength(2);
    expect(told.filter((line) => line.includes('left the upstream "far"'))).toHaveLength(1);
  });

  it('a command that ends every worker it is given to is not handed on for ever', async () => {
    const gateway = await gatewayOf({ queue: { wait: 5_000 } });
    const asked = gateway.post(hello('poison'));
    for (let turn = 0; turn < 3; turn += 1) {
      const peer = await WorkerPeer.join(gateway);
      await peer.next('command');
      peer.socket.terminate();
    }
    const response = await asked;
    expect(response.status).toBe(502);
    expect((await response.json()).error).toMatchObject({
      code: 'upstream_cut',
      message: expect.stringContaining('3 workers of the upstream "far" left without an answer'),
    });
  });

  it('A-234 without a word, by not answering pings: its command goes to another', async () => {
    const gateway = await gatewayOf({}, {}, { heartbeat: 100 });
    const dead = await WorkerPeer.join(gateway);
    dead.socket.removeAllListeners('message');
    const asked = gateway.post(hello('hi')).then(textOf);
    await until(async () => (await healthOf(gateway)).busy === 1);
    const alive = await WorkerPeer.join(gateway);
    answer(alive, (await alive.next('command')).id, 'alive');
    expect(await asked).toBe('alive');
    expect(await healthOf(gateway)).toMatchObject({ connected: 1 });
    await until(() => gateway.records().some(({ msg }) => String(msg).includes('it was silent for 0.2 s')));
  });
});

describe('while an answer comes', () => {
  it('A-235 pieces are relayed before the end', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const asked = gateway.post(hello('hi', { stream: true }));
    const { id } = await peer.next('command');
    peer.events(id, [head, saying('one ')]);
    const stream = new Response((await asked).body);
    const seen: string[] = [];
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      seen.push(piece);
      if (!seen.join('').includes('one ') || seen.join('').includes('two')) continue;
      peer.events(id, [saying('two'), ...ending], 2);
      peer.say({ type: 'result', id });
    }
    expect(contentOf(dataOf(seen.join('')))).toBe('one two');
  });

  it('A-236 a client that leaves has the command cancelled within a second, by its id', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const leave = new AbortController();
    const asked = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(hello('hi', { stream: true })),
      headers: { 'content-type': 'application/json' },
      signal: leave.signal,
    });
    const { id } = await peer.next('command');
    peer.events(id, [head, saying('half')]);
    await asked;
    const left = performance.now();
    leave.abort();
    expect(await peer.next('cancel')).toEqual({ type: 'cancel', id });
    expect(performance.now() - left).toBeLessThan(1_000);
    // What it says until it has noticed hurts nobody, and then it takes the next command.
    peer.events(id, [saying('more')], 2);
    expect(await healthOf(gateway)).toEqual({ connected: 1, busy: 1, waiting: 0 });
    const next = gateway.post(hello('next')).then(textOf);
    await until(async () => (await healthOf(gateway)).waiting === 1);
    peer.say({ type: 'error', id, code: 'cancelled', message: 'stopped' });
    answer(peer, (await peer.next('command')).id, 'next one');
    expect(await next).toBe('next one');
  });

  it('A-236 the library aborts the request at its server', async () => {
    const server = await upstreamForTest();
    server.next({
      steps: [
        ...chatFrames('half')
          .slice(0, 2)
          .map((text) => ({ text })),
        { stall: true },
      ],
    });
    const gateway = await gatewayOf();
    await start(gateway, { commands: { request: forwardRequests(server.baseUrl) } });
    const leave = new AbortController();
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(hello('hi', { stream: true })),
      headers: { 'content-type': 'application/json' },
      signal: leave.signal,
    });
    const seen = await server.request(0);
    leave.abort();
    await seen.aborted;
    await until(async () => (await healthOf(gateway)).busy === 0);
  });

  it('A-230 a worker that never answers is a 504 at the deadline, and is told', async () => {
    const gateway = await gatewayForTest({
      config: {
        upstreams: { far: { wire: 'openai-chat', workers: {}, models, timeouts: { connect: 300, total: 60_000 } } },
      },
    });
    const peer = await WorkerPeer.join(gateway);
    const asked = gateway.post(hello('hi'));
    const command = await peer.next('command');
    expect(command.deadline).toBe(60_000);
    const response = await asked;
    expect(response.status).toBe(504);
    expect((await response.json()).error.code).toBe('connect_timeout');
    expect(await peer.next('cancel')).toEqual({ type: 'cancel', id: command.id });
  });

  it('A-235 a slow client pauses its own command, and no other', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway, { hello: { capabilities: { concurrency: 2 } } });
    const slow = await gatewayReader(gateway, hello('slow', { stream: true }));
    const { id } = await peer.next('command');
    peer.events(id, [head]);
    const piece = saying('x'.repeat(60_000));
    let seq = 1;
    const lastWord = () => peer.heard.findLast(({ type }) => type === 'pause' || type === 'resume');
    // Until the client's connection, too, can take no more.
    await until(async () => {
      if (lastWord()?.type === 'pause') await wait(200);
      if (lastWord()?.type === 'pause') return true;
      peer.events(id, [piece], seq);
      seq += 1;
      return false;
    });
    expect(lastWord()).toEqual({ type: 'pause', id });
    const quick = gateway.post(hello('quick')).then(textOf);
    const other = await peer.next('command');
    answer(peer, other.id, 'quick answer');
    expect(await quick).toBe('quick answer');
    const read = slow.rest();
    await until(() => lastWord()?.type === 'resume');
    peer.events(id, ending, seq);
    peer.say({ type: 'result', id, seq: seq + ending.length });
    expect(contentOf(dataOf(await read)).length).toBe((seq - 1) * 60_000);
  });

  it('A-235 the library gives a slow client a large answer without holding it in memory', async () => {
    const gateway = await gatewayOf();
    let made = 0;
    await start(gateway, {
      commands: {
        async *request() {
          yield head;
          for (; made < 400; made += 1) yield saying('y'.repeat(60_000));
          yield* ending;
        },
      },
    });
    const slow = await gatewayReader(gateway, hello('slow', { stream: true }));
    let before = -1;
    await until(async () => {
      const isStill = made === before;
      before = made;
      await wait(200);
      return isStill && made > 0;
    });
    expect(made).toBeLessThan(400);
    expect(contentOf(dataOf(await slow.rest())).length).toBe(400 * 60_000);
  });
});
