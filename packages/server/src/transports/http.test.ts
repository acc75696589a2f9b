import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { DragomanError, Receiver } from '@dragoman/core';
import { errorReply, jsonReply, type ScriptedUpstream, sized, startScriptedUpstream } from '@dragoman/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHttpTransport, type HttpTransport } from './http.ts';

let upstream: ScriptedUpstream;
let transport: HttpTransport;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  transport = createHttpTransport({ baseUrl: `${upstream.baseUrl}/`, headers: { authorization: 'Bearer secret' } });
});

afterEach(async () => {
  await upstream.close();
  await transport.close();
});

const request = { upstream: 'up', path: '/chat/completions', body: { a: 1 } };

interface Heard {
  readonly starts: unknown[][];
  text: string;
  readonly ended: Promise<DragomanError | undefined>;
  readonly receiver: Receiver;
}

function listener(): Heard {
  let done = (_: DragomanError | undefined): void => {};
  const ended = new Promise<DragomanError | undefined>((resolve) => {
    done = resolve;
  });
  const heard: Heard = {
    starts: [],
    text: '',
    ended,
    receiver: {
      start: (...args) => void heard.starts.push(args),
      data: (chunk) => {
        heard.text += Buffer.from(chunk).toString('utf8');
      },
      end: () => done(undefined),
      fail: (error) => done(error),
    },
  };
  return heard;
}

it('sends the body with our headers to the path below the address, and keeps the connection', async () => {
  upstream.next(jsonReply(200, { ok: true }), jsonReply(200, { ok: true }));
  for (let turn = 0; turn < 2; turn += 1) {
    const heard = listener();
    transport.send(request, heard.receiver);
    expect(await heard.ended).toBeUndefined();
    expect(heard.text).toBe('{"ok":true}');
    expect(heard.starts).toEqual([[200, 'application/json', undefined]]);
    // The pool has its connection back once the end has been told to everybody.
    await nextTurn();
  }
  const [seen] = upstream.requests;
  expect(seen).toMatchObject({ method: 'POST', path: '/v1/chat/completions', body: { a: 1 } });
  expect(seen?.headers).toMatchObject({ authorization: 'Bearer secret', 'accept-encoding': 'identity' });
  expect(upstream.connections).toBe(1);
});

it('is made ready without a connection, and opens one more for what runs at the same time', async () => {
  transport.makeReady?.();
  await wait(20);
  expect(upstream.connections).toBe(0);
  for (let round = 0; round < 2; round += 1) {
    upstream.next(jsonReply(200, { ok: true }), jsonReply(200, { ok: true }));
    const both = [listener(), listener()];
    for (const { receiver } of both) transport.send(request, receiver);
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([undefined, undefined]);
    await nextTurn();
  }
  expect(upstream.connections).toBe(2);
});

it('tells of a request that comes once it is closed', async () => {
  transport.makeReady?.();
  await transport.close();
  const heard = listener();
  transport.send(request, heard.receiver);
  expect((await heard.ended)?.code).toBe('upstream-unreachable');
  expect(upstream.connections).toBe(0);
});

it('reads retry-after as seconds or as a date', async () => {
  const soon = new Date(Date.now() + 30_000).toUTCString();
  for (const [given, low, high] of [
    ['7', 7, 7],
    [soon, 28, 30],
    ['9'.repeat(40), 86_400, 86_400],
    ['-5', 0, 0],
  ] as const) {
    upstream.next(errorReply(429, 'slow down', { 'retry-after': given }));
    const heard = listener();
    transport.send(request, heard.receiver);
    await heard.ended;
    expect(heard.starts[0]?.[0]).toBe(429);
    expect(heard.starts[0]?.[2]).toBeGreaterThanOrEqual(low);
    expect(heard.starts[0]?.[2]).toBeLessThanOrEqual(high);
  }
});

it('tells apart who cannot be reached and who breaks off', async () => {
  upstream.next(
    { steps: [{ text: 'part' }, { delay: 20 }, { cut: true }] },
    { steps: [{ cut: true }], holdHead: true },
  );
  const cut = listener();
  transport.send(request, cut.receiver);
  expect((await cut.ended)?.code).toBe('upstream-cut');
  expect(cut.text).toBe('part');
  const before = listener();
  transport.send(request, before.receiver);
  expect((await before.ended)?.code).toBe('upstream-cut');
  await upstream.close();
  const away = listener();
  transport.send(request, away.receiver);
  const error = await away.ended;
  expect(error?.code).toBe('upstream-unreachable');
  expect(error?.message).toContain('"up"');
  expect(error?.message).not.toMatch(/secret|127\.0/);
});

it('sends a large body whole, with its length, and keeps the connection', async () => {
  upstream.next(jsonReply(200, { ok: true }), jsonReply(200, { ok: true }));
  const large = { text: 'ä'.repeat(200_000) };
  for (const turn of [0, 1]) {
    const heard = listener();
    transport.send({ ...request, body: large }, heard.receiver);
    expect(await heard.ended).toBeUndefined();
    const seen = await upstream.request(turn);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(large))));
    expect(seen.text === JSON.stringify(large)).toBe(true);
    await nextTurn();
  }
});

it('A-174: abort reaches the upstream, and the receiver hears nothing more', async () => {
  upstream.next({ steps: [{ text: 'part' }, { stall: true }] });
  const heard = listener();
  const connection = transport.send(request, heard.receiver);
  const seen = await upstream.request(0);
  connection.abort();
  await seen.aborted;
  const outcome = await Promise.race([heard.ended.then(() => 'told'), wait(50).then(() => 'silent')]);
  expect(outcome).toBe('silent');
});

it('abort before the connection is there sends nothing', async () => {
  upstream.next(jsonReply(200, {}));
  const heard = listener();
  transport.send(request, heard.receiver).abort();
  const outcome = await Promise.race([heard.ended.then(() => 'told'), wait(100).then(() => 'silent')]);
  expect(outcome).toBe('silent');
  expect(upstream.requests).toHaveLength(0);
});

it('A-178: a paused answer is not read until it is resumed', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  const all = sized(128);
  upstream.next({ steps: Array.from({ length: all }, () => ({ text: megabyte })) });
  const heard = listener();
  const connection = transport.send(request, heard.receiver);
  connection.pause();
  const seen = await upstream.request(0);
  await wait(300);
  expect(heard.text.length).toBeLessThan(8 * 1024 * 1024);
  expect(seen.bytesSent).toBeLessThan(all * megabyte.length);
  connection.resume();
  expect(await heard.ended).toBeUndefined();
  expect(heard.text.length).toBe(all * megabyte.length);
});

it('tells the chunks of one read together, and its end after them', async () => {
  const chunks = Array.from({ length: 100 }, () => '4\r\nabc\n\r\n').join('');
  const server = createServer((socket) => {
    const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const alone = createHttpTransport({ baseUrl: `http://127.0.0.1:${port}`, headers: {} });
  const heard = listener();
  let told = 0;
  const { receiver } = heard;
  alone.send(request, {
    ...receiver,
    data: (chunk) => {
      told += 1;
      receiver.data(chunk);
    },
  });
  expect(await heard.ended).toBeUndefined();
  expect(heard.text).toBe('abc\n'.repeat(100));
  // The head of the answer may have come by itself.
  expect(told).toBeLessThanOrEqual(2);
  await alone.close();
  server.close();
});

it('tells a compressed reply as such; of a compressed error the status still counts', async () => {
  const zipped = { 'content-encoding': 'gzip', 'retry-after': '7' };
  upstream.next({ ...jsonReply(200, {}), headers: zipped }, errorReply(429, 'slow down', zipped));
  const reply = listener();
  transport.send(request, reply.receiver);
  expect(await reply.ended).toMatchObject({
    code: 'upstream-unreadable',
    upstreamStatus: 200,
    message: expect.stringContaining('The upstream "up" answered with content-encoding gzip, which was not asked for.'),
  });
  expect([reply.starts, reply.text]).toEqual([[], '']);
  const error = listener();
  transport.send(request, error.receiver);
  expect(await error.ended).toBeUndefined();
  expect(error.starts).toEqual([[429, 'text/plain', 7]]);
  expect(error.text).toBe('words with content-encoding gzip, which was not asked for.');
});

it('takes an encoding that changes nothing', async () => {
  upstream.next({ ...jsonReply(200, { ok: true }), headers: { 'content-encoding': 'identity' } });
  const heard = listener();
  transport.send(request, heard.receiver);
  expect(await heard.ended).toBeUndefined();
  expect(heard.text).toBe('{"ok":true}');
});

/** What a server does with one request: answers it, or closes the connection. */
type Deed = 'answer' | 'end' | 'reset' | 'begin and end';

/** A server that does with each request what is next, and tells which connection brought it, and its body. */
async function startClosingServer(deeds: Deed[]) {
  const seen: { readonly connection: number; readonly body: string }[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(text.match(/content-length: (\d+)/i)?.[1]);
      if (head === -1 || text.length < head + 4 + length) return;
      seen.push({ connection, body: text.slice(head + 4) });
      text = '';
      const deed = deeds.shift();
      if (deed === 'answer') socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
      else if (deed === 'reset') socket.resetAndDestroy();
      else socket.end(deed === 'begin and end' ? 'HTTP/1.1 2' : '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { seen, server, port };
}

it.each<[string, Deed[], number[], string]>([
  ['is sent once more when its kept connection closes', ['answer', 'end', 'answer'], [1, 1, 2], 'ok'],
  ['is sent once more when its kept connection is reset', ['answer', 'reset', 'answer'], [1, 1, 2], 'ok'],
  ['is not sent a third time', ['answer', 'end', 'end'], [1, 1, 2], 'upstream-cut'],
  ['of which an answer began is not sent again', ['answer', 'begin and end'], [1, 1], 'upstream-cut'],
  ['over a new connection is not sent again', ['end'], [1], 'upstream-cut'],
])('a request %s', async (_, deeds, connections, outcome) => {
  for (const text of ['small', 'ä'.repeat(20_000)]) {
    const { seen, server, port } = await startClosingServer([...deeds]);
    const kept = createHttpTransport({ baseUrl: `http://127.0.0.1:${port}`, headers: {} });
    const askings = deeds.length === 1 ? 1 : 2;
    let told = '';
    for (let asking = 1; asking <= askings; asking += 1) {
      const heard = listener();
      kept.send({ ...request, body: { text, asking } }, heard.receiver);
      const error = await heard.ended;
      told = error?.code ?? heard.text;
      await nextTurn();
    }
    expect(told).toBe(outcome);
    expect(seen.map(({ connection }) => connection)).toEqual(connections);
    const body = Buffer.from(JSON.stringify({ text, asking: askings })).toString('latin1');
    expect(seen.slice(askings - 1).every((one) => one.body === body)).toBe(true);
    await kept.close();
    server.close();
  }
});
