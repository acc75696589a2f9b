import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { cutBytes } from './cut-bytes.ts';
import { chatFrames, chatMessage, chatStream, errorReply, type Step } from './scripted-reply.ts';
import { type ScriptedUpstream, type ScriptedUpstreamOptions, startScriptedUpstream } from './scripted-upstream.ts';

const open: ScriptedUpstream[] = [];

async function start(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(options);
  open.push(upstream);
  return upstream;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((upstream) => upstream.close()));
});

const ask = (upstream: ScriptedUpstream, signal?: AbortSignal) =>
  fetch(`${upstream.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [] }),
    ...(signal === undefined ? {} : { signal }),
  });

describe('scripted upstream', () => {
  it('answers with the replies in order and keeps what it saw', async () => {
    const upstream = await start();
    upstream.next(chatStream('Hello, wörld', { pieces: 3 }), chatMessage('whole'));
    const first = await ask(upstream);
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect(await first.text()).toBe(chatFrames('Hello, wörld', { pieces: 3 }).join(''));
    const second: unknown = await (await ask(upstream)).json();
    expect(second).toMatchObject({ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] });
    expect(upstream.requests.map((seen) => [seen.method, seen.path, seen.body])).toEqual([
      ['POST', '/v1/chat/completions', { model: 'm', messages: [] }],
      ['POST', '/v1/chat/completions', { model: 'm', messages: [] }],
    ]);
    expect(upstream.connections).toBeGreaterThanOrEqual(1);
    expect(await upstream.requests[0]?.over).toBe('ended');
  });

  it('says so when no reply is left, and takes functions as replies', async () => {
    const upstream = await start();
    upstream.next((seen) => errorReply(429, `slow down, ${seen.method}`, { 'retry-after': '7' }));
    const first = await ask(upstream);
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await first.json()).toMatchObject({ error: { message: 'slow down, POST' } });
    expect((await ask(upstream)).status).toBe(500);
  });

  it('delivers the same bytes when every byte is a write of its own', async () => {
    const upstream = await start();
    upstream.next({ ...chatStream('😀 wörld'), everyByte: true });
    const response = await ask(upstream);
    let reads = 0;
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      reads += 1;
      bytes += chunk.length;
    }
    expect(bytes).toBe(Buffer.byteLength(chatFrames('😀 wörld').join('')));
    expect(reads).toBeGreaterThan(1);
    expect(upstream.requests[0]?.bytesSent).toBe(bytes);
  });

  it('cuts the socket in the middle of a reply', async () => {
    const upstream = await start();
    upstream.next({ steps: [{ text: 'data: {"a"' }, { cut: true }] });
    const response = await ask(upstream);
    await expect(response.text()).rejects.toThrow();
    const seen = await upstream.request(0);
    expect(await seen.over).toBe('cut');
  });

  it('notices a client that goes away from a stalled reply', async () => {
    const upstream = await start();
    upstream.next({ steps: [{ text: 'data: 1\n\n' }, { stall: true }] });
    const leave = new AbortController();
    const response = await ask(upstream, leave.signal);
    const seen = await upstream.request(0);
    leave.abort();
    await seen.aborted;
    expect(await seen.over).toBe('aborted');
    await expect(response.text()).rejects.toThrow();
  });

  it('holds the head back until it is told', async () => {
    const upstream = await start();
    upstream.next({
      holdHead: true,
      status: 201,
      headers: {},
      steps: [{ delay: 20 }, { head: true }, { stall: true }],
    });
    const response = await ask(upstream);
    expect(response.status).toBe(201);
  });

  it('stops reading an endless script when the client stops reading', async () => {
    const upstream = await start();
    function* endless(): Generator<Step> {
      for (;;) yield { text: 'x'.repeat(65_536) };
    }
    upstream.next({ steps: endless() });
    const client = httpRequest(`${upstream.origin}/v1/x`, { method: 'POST' });
    client.on('error', () => {});
    const arrived = new Promise<void>((resolve) => client.on('response', (response) => resolve(void response.pause())));
    client.end();
    await arrived;
    const seen = await upstream.request(0);
    let before = -1;
    while (seen.bytesSent !== before) {
      before = seen.bytesSent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(before).toBeLessThan(32 * 1024 * 1024);
    client.destroy();
    await seen.aborted;
  });

  it('rejects when a request does not come', async () => {
    const upstream = await start();
    await expect(upstream.request(0, 10)).rejects.toThrow('Request 0 did not arrive within 10 ms; 0 did.');
  });
});

describe('cutBytes', () => {
  it('cuts at offsets of the whole body', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]);
    const pieces = cutBytes(bytes, { offset: 10, cutAt: [13, 10, 11, 14, 99, 2] });
    expect(pieces.map((piece) => [...piece])).toEqual([[1], [2, 3], [4]]);
  });
  it('gives no piece for no bytes', () => {
    expect(cutBytes(new Uint8Array(0), { offset: 0, everyByte: true })).toEqual([]);
  });
});
