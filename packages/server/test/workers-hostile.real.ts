import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { chatFrames } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Waits } from '../src/config/create-setup.ts';
import { gatewayForTest } from './for-test.ts';
import { dataOf, type TestGateway } from './start-test-gateway.ts';
import { type Spoken, WorkerPeer } from './worker-peer.ts';

const models = { native: { toolCalling: 'native' } };
const token = 'token-of-the-workers';

const gatewayOf = (
  workers: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
  waits: Waits = {},
) =>
  gatewayForTest({
    waits,
    config: { upstreams: { far: { wire: 'openai-chat', workers, models } }, ...config },
    secrets: [token],
  });

const hello = (text: string, more: object = {}) => ({
  model: 'far/native',
  messages: [{ role: 'user', content: text }],
  ...more,
});

const head = { status: 200, headers: { 'content-type': 'text/event-stream' } };
const pieces = (text: string) => [head, ...chatFrames(text).map((data) => ({ data }))];
const connected = async ({ url }: TestGateway): Promise<unknown> =>
  (await (await fetch(`${url}/health`)).json()).workers.connected;

/** The status with which a handshake is refused. */
async function refusal(gateway: TestGateway, path: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}${path}`, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

describe('who is let in', () => {
  it.each([
    { hello: { token: 'guessed' } },
    { hello: {} },
    { query: '?token=guessed' },
    { hello: { token: '' }, query: '?token=' },
  ])('A-234 a wrong token is refused, and stays out of the log: %o', async (options) => {
    const gateway = await gatewayOf({ token });
    const peer = await WorkerPeer.open(gateway, options);
    expect(await peer.next('error')).toMatchObject({ code: 'token-wrong', message: expect.any(String) });
    expect(await peer.closed()).toBe(4401);
    expect(await connected(gateway)).toBe(0);
    const log = JSON.stringify(gateway.records());
    expect(log).toContain('a worker was refused by the upstream');
    expect(log).not.toContain('guessed');
  });

  it('A-234 the right token lets in, in the message or in the address, and no line of the log holds it', async () => {
    const gateway = await gatewayOf({ token }, { keys: [{ name: 'me', key: 'key-of-a-client' }] });
    await WorkerPeer.join(gateway, { hello: { token } });
    await WorkerPeer.join(gateway, { query: `?token=${token}` });
    expect(await connected(gateway)).toBe(2);
    expect(JSON.stringify(gateway.records())).not.toContain(token);
    const client = await WorkerPeer.open(gateway, { hello: { token: 'key-of-a-client' } });
    expect(await client.closed()).toBe(4401);
  });

  it.each([
    { first: { type: 'hello', role: 'sender', version: 1 }, code: 4403, says: 'role-unknown' },
    { first: { type: 'page_client' }, code: 4403, says: 'role-unknown' },
    { first: { type: 'sender', command: 'x', request_id: '1' }, code: 4403, says: 'role-unknown' },
    { first: { type: 'event', id: '1', seq: 0 }, code: 4403, says: 'role-unknown' },
    { first: { type: 'hello', role: 'worker' }, code: 4426, says: 'version-unsupported' },
    { first: { type: 'hello', role: 'worker', version: 0 }, code: 4426, says: 'version-unsupported' },
    { first: { type: 'hello', role: 'worker', version: '1' }, code: 4400, says: 'bad-message' },
    { first: { type: 'hello', role: 'worker', version: 1, capabilities: [] }, code: 4400, says: 'bad-message' },
    { first: { type: 'hello', role: 'worker', version: 1, capabilities: { concurrency: 0 } }, code: 4400 },
    { first: { type: 'hello', role: 'worker', version: 1, capabilities: { methods: [1] } }, code: 4400 },
    { first: [], code: 4400, says: 'bad-message' },
    { first: '<html>', code: 4400, says: 'bad-message' },
    { first: `${'['.repeat(5_000)}${']'.repeat(5_000)}`, code: 4400, says: 'bad-message' },
  ])('no other first message: $first', async ({ first, code, says = 'bad-message' }) => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.open(gateway, { first: undefined });
    peer.say(first);
    expect(await peer.next('error')).toMatchObject({ code: says, message: expect.any(String) });
    expect(await peer.closed()).toBe(code);
  });

  it('a worker of a later version is spoken to in ours', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.open(gateway, { hello: { version: 7 } });
    expect(await peer.next('ready')).toMatchObject({ version: 1, heartbeat: 15_000, messageBytes: 4 * 1024 * 1024 });
  });

  it('no more workers than 64', async () => {
    const gateway = await gatewayOf();
    for (let at = 0; at < 64; at += 1) await WorkerPeer.join(gateway);
    const second = await WorkerPeer.open(gateway);
    expect(await second.next('error')).toMatchObject({ code: 'too-many-workers' });
    expect(await second.closed()).toBe(4409);
    expect(await connected(gateway)).toBe(64);
  });

  it('no more connections that have not said who they are than a few', async () => {
    const gateway = await gatewayOf();
    for (let at = 0; at < 16; at += 1) await WorkerPeer.open(gateway, { first: undefined });
    expect(await refusal(gateway, '/workers/far')).toBe(503);
  });

  it('where upstreams wait for workers, and nowhere else', async () => {
    const gateway = await gatewayOf({}, { keys: [] });
    expect(await refusal(gateway, '/workers/near')).toBe(404);
    expect((await fetch(`${gateway.url}/workers/far`)).status).toBe(400);
    expect((await fetch(`${gateway.url}/workers/near`)).status).toBe(404);
  });

  it('pages of other sites need the token', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect(await refusal(await gatewayOf(), '/workers/far', headers)).toBe(403);
    const gateway = await gatewayOf({ token });
    await WorkerPeer.join(gateway, { hello: { token }, socket: { headers } });
  });
});

/** A worker with a command, and what becomes of the command when the worker says `words`. */
async function afterSaying(words: (id: unknown, peer: WorkerPeer) => void, body: object = {}) {
  const gateway = await gatewayOf({ queue: { wait: 300 } });
  const peer = await WorkerPeer.join(gateway, { hello: { capabilities: { concurrency: 3 } } });
  const asked = gateway.post(hello('hi', body));
  const { id } = await peer.next('command');
  words(id, peer);
  const response = await asked;
  return { gateway, peer, response, id, text: await response.text() };
}

describe('a worker that says what nobody can use', () => {
  it.each<[string, (id: unknown, peer: WorkerPeer) => void]>([
    ['no JSON', (_, peer) => peer.say('{"type":"event",')],
    ['bytes', (_, peer) => peer.socket.send(Buffer.from([1, 2, 3]))],
    ['an unknown type', (_, peer) => peer.say({ type: 'evnt' })],
    ['hello again', (_, peer) => peer.say({ type: 'hello', role: 'worker', version: 1 })],
    ['no id', (_, peer) => peer.say({ type: 'result' })],
    ['an event without a number', (id, peer) => peer.say({ type: 'event', id, delta: {} })],
    ['an id that is no command', (_, peer) => peer.say({ type: 'result', id: 'worker_1-1' })],
    ['a status that is none', (id, peer) => peer.say({ type: 'error', id, code: 'x', status: 200 })],
    ['a message that is too large', (id, peer) => peer.events(id, [{ status: 200, pad: 'x'.repeat(5_000_000) }])],
  ])('%s: it is disconnected, and its command is not answered by it', async (_, words) => {
    const { gateway, peer, response, text } = await afterSaying(words);
    expect([4400, 1009]).toContain(await peer.closed());
    expect(response.status).toBe(503);
    expect(text).toContain('worker_missing');
    expect(await connected(gateway)).toBe(0);
    expect(
      gateway.records().some(({ level, msg }) => level === 'warn' && String(msg).includes('left the upstream')),
    ).toBe(true);
  });

  it.each<[string, readonly unknown[]]>([
    ['a reply without a status', [{ data: 'x' }]],
    ['a status that is none', [{ status: 99 }]],
    ['a status in words', [{ status: '200' }]],
    ['a head that is no object', [null]],
    ['a piece without data', [head, { text: 'x' }]],
  ])('%s: the client gets 400, and the worker is told to stop', async (_, deltas) => {
    const { peer, response, text, id } = await afterSaying((command, worker) => worker.events(command, deltas));
    expect(response.status).toBe(400);
    expect(text).toContain('upstream_unreadable');
    expect(await peer.next('cancel')).toEqual({ type: 'cancel', id });
  });

  it('a result without any answer is no answer', async () => {
    const { response, text } = await afterSaying((id, peer) => peer.say({ type: 'result', id }));
    expect(response.status).toBe(400);
    expect(text).toContain('ended a reply that has no status');
  });

  it('a whole stream whose end is missing is cut, however well its command ends', async () => {
    const { text } = await afterSaying(
      (id, peer) => {
        peer.events(id, pieces('only half').slice(0, -2));
        peer.say({ type: 'result', id });
      },
      { stream: true },
    );
    expect(text).toContain('upstream_cut');
    expect(text).not.toContain('"finish_reason":"stop"');
  });

  it.each([
    ['a gap', (id: unknown, peer: WorkerPeer) => peer.events(id, pieces('lost').slice(2), 4)],
    ['a repetition', (id: unknown, peer: WorkerPeer) => peer.events(id, pieces('lost').slice(2), 2)],
    ['an end that counts more', (id: unknown, peer: WorkerPeer) => peer.say({ type: 'result', id, seq: 9 })],
  ] as const)(
    'A-235 %s in the count of pieces fails the command, and what came is shown as broken off',
    async (_, words) => {
      const { peer, text, id } = await afterSaying(
        (command, worker) => {
          worker.events(command, pieces('half of').slice(0, 3));
          words(command, worker);
        },
        { stream: true },
      );
      expect(text).toContain('upstream_failed');
      expect(text).not.toContain('"finish_reason":"stop"');
      expect(await peer.next('cancel')).toEqual({ type: 'cancel', id });
    },
  );

  it('an error in the middle of an answer is told inside of it, and never looks like its end', async () => {
    const { text } = await afterSaying(
      (id, peer) => {
        peer.events(id, pieces('half of').slice(0, 3));
        peer.say({ type: 'error', id, code: 'failed', message: 'the model fell over' });
      },
      { stream: true },
    );
    expect(text).toContain('the model fell over');
    expect(JSON.parse(dataOf(text).at(-3) ?? '').choices[0].finish_reason).toBe('length');
  });

  it.each([
    [{ code: 'not-found', message: 'no such model' }, 400],
    [{ code: 'rate-limited', message: 'slow down', retryAfter: 9 }, 429],
    [{ code: 'overloaded', message: 'busy' }, 503],
    [{ code: 'my own word', message: 'broken' }, 502],
    [{ code: 'x', message: 'teapot', status: 418 }, 400],
  ])('an error in place of an answer is that of a server: %o', async (error, status) => {
    const { response, text } = await afterSaying((id, peer) => peer.say({ type: 'error', id, ...error }));
    expect(response.status).toBe(status);
    expect(text).toContain(error.message);
    if ('retryAfter' in error) expect(response.headers.get('retry-after')).toBe('9');
  });
});

describe('a worker that answers out of turn', () => {
  it('answers twice: the first answer counts, and the worker is disconnected', async () => {
    const { gateway, peer, response, text } = await afterSaying((id, worker) => {
      worker.events(id, pieces('the one answer'));
      worker.say({ type: 'result', id });
      worker.say({ type: 'result', id });
    });
    expect(response.status).toBe(200);
    expect(JSON.parse(text).choices[0].message.content).toBe('the one answer');
    expect(await peer.closed()).toBe(4400);
    expect(await connected(gateway)).toBe(0);
  });

  it("answers the command of another: the other's answer counts", async () => {
    const gateway = await gatewayOf();
    const [thief, honest] = [await WorkerPeer.join(gateway), await WorkerPeer.join(gateway)];
    const asked = gateway.post(hello('hi', { stream: true }));
    const [right, wrong]: [WorkerPeer, WorkerPeer] = await Promise.race(
      [thief, honest].map(async (peer) => {
        await peer.next('command');
        return peer === thief ? [thief, honest] : [honest, thief];
      }) as Promise<[WorkerPeer, WorkerPeer]>[],
    );
    const command: Spoken | undefined = right.commands[0];
    wrong.events(command?.id, pieces('stolen'));
    expect(await wrong.closed()).toBe(4400);
    right.events(command?.id, pieces('mine'));
    right.say({ type: 'result', id: command?.id });
    const text = await (await asked).text();
    expect(text).not.toContain('stole');
    expect(text).toContain('"content":"mine"');
  });

  it('reads nothing: a large request goes to another, and nothing piles up for ever', async () => {
    const gateway = await gatewayOf({}, {}, { heartbeat: 1_000 });
    const deaf = await WorkerPeer.join(gateway);
    deaf.socket.pause();
    const asked = gateway.post(hello('x'.repeat(3_000_000)));
    const isAsked = async () => {
      const { busy, waiting } = (await (await fetch(`${gateway.url}/health`)).json()).workers;
      return busy + waiting > 0;
    };
    while (!(await isAsked())) await wait(5);
    const other = await WorkerPeer.join(gateway);
    const { id } = await other.next('command');
    other.events(id, pieces('I can hear'));
    other.say({ type: 'result', id });
    expect(await (await asked).json()).toMatchObject({ choices: [{ message: { content: 'I can hear' } }] });
    expect(await connected(gateway)).toBe(1);
  });

  it('A-235 goes on though it was asked to pause: what is kept is bounded, and the client learns why there is no more', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const request = httpRequest({
      port: gateway.port,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
    });
    request.end(JSON.stringify(hello('hi', { stream: true })));
    const response = once(request, 'response');
    const { id } = await peer.next('command');
    const [, frame] = chatFrames('x'.repeat(100_000), { pieces: 100_000 });
    peer.events(id, [head]);
    let seq = 1;
    for (; !peer.heard.some(({ type }) => type === 'cancel') && seq < 2_000; seq += 1) {
      peer.events(id, [{ data: frame }], seq);
      await wait(0);
    }
    expect(seq).toBeLessThan(2_000);
    expect(peer.heard.some(({ type }) => type === 'pause')).toBe(true);
    const [stream] = await response;
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    expect(text).toContain('did not pause when it was asked to');
    expect(text).not.toContain('"finish_reason":"stop"');
  });

  it('goes on with a command that was cancelled: that is passed over, and its place is free in the end', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const leave = new AbortController();
    void fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(hello('hi')),
      signal: leave.signal,
    }).catch(() => {});
    const { id } = await peer.next('command');
    leave.abort();
    await peer.next('cancel');
    peer.events(id, pieces('nobody hears it'));
    peer.say({ type: 'result', id });
    const next = gateway.post(hello('next'));
    const command = await peer.next('command');
    peer.events(command.id, pieces('heard'));
    peer.say({ type: 'result', id: command.id });
    expect(await (await next).json()).toMatchObject({ choices: [{ message: { content: 'heard' } }] });
  });
});

describe('when the gateway stops', () => {
  it('it lets a running command finish, and then says goodbye to the workers', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const idle = await WorkerPeer.join(gateway);
    const asked = gateway.post(hello('hi'));
    const [busy] = await Promise.race([peer, idle].map(async (each) => [each, await each.next('command')] as const));
    const drained = gateway.drain();
    expect(await refusal(gateway, '/workers/far')).toBe(503);
    await wait(50);
    const command = busy.commands[0];
    busy.events(command?.id, pieces('in time'));
    busy.say({ type: 'result', id: command?.id });
    expect(await (await asked).json()).toMatchObject({ choices: [{ message: { content: 'in time' } }] });
    expect([await peer.closed(), await idle.closed()]).toEqual([1001, 1001]);
    await drained;
  });

  it('it ends requests that wait, and those that run, when it has to', async () => {
    const gateway = await gatewayOf();
    const waiting = gateway.post(hello('hi'));
    while ((await (await fetch(`${gateway.url}/health`)).json()).workers.waiting === 0) await wait(5);
    await gateway.close();
    expect((await waiting).status).toBe(503);
  });
});
