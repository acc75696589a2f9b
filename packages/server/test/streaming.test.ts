import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { chatFrames, chatStream, errorReply, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, hello, type TestGateway, type TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return gatewayForTest({ upstream, ...options });
}

const streamed = { ...hello, stream: true };

/** One frame with a piece of text, as an OpenAI-compatible server sends it. */
function frame(text: string): string {
  const choices = [{ index: 0, delta: { content: text }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

/** A request whose answer the test reads by hand. */
async function open(gateway: TestGateway): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  const request = httpRequest(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent: false });
  request.on('error', () => {});
  request.end(JSON.stringify(streamed));
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  return { request, response };
}

describe('form of a stream', () => {
  it('A-150 A-151 B-104: frames, headers and nothing else', async () => {
    upstream.next(chatStream('Hello, wörld 🙂'), chatStream('Hello'));
    const gateway = await start();
    const response = await gateway.post(streamed);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const text = await response.text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    for (const line of text.split('\n'))
      expect(line === '' || line.startsWith('data: ') || line.startsWith(':')).toBe(true);
    const whole = await gateway.post(hello);
    expect(whole.headers.get('cache-control')).toBeNull();
    expect(whole.headers.get('x-accel-buffering')).toBeNull();
  });

  it('A-152 A-153 A-154 A-155 A-163 A-164 A-165: chunks from role to [DONE]', async () => {
    upstream.next(chatStream('One two three'), chatStream('x'));
    const gateway = await start();
    const data = dataOf(await (await gateway.post(streamed)).text());
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map((each) => JSON.parse(each));
    expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.created} ${chunk.model}`)).size).toBe(1);
    expect(chunks[0].id).toMatch(/^chatcmpl-[0-9a-f]+$/);
    expect(chunks[0].choices[0].delta.role).toBe('assistant');
    expect(chunks.slice(1).every((chunk) => chunk.choices[0].delta.role === undefined)).toBe(true);
    expect(chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('')).toBe('One two three');
    expect(chunks.map((chunk) => chunk.choices[0].finish_reason).filter(Boolean)).toEqual(['stop']);
    expect(chunks.every((chunk) => chunk.object === 'chat.completion.chunk')).toBe(true);
    const [other = ''] = dataOf(await (await gateway.post(streamed)).text());
    expect(JSON.parse(other).id).not.toBe(chunks[0].id);
  });

  it('A-166 B-091: usage comes when asked, after the final chunk and before [DONE]', async () => {
    upstream.next(chatStream('Hi'));
    const gateway = await start();
    const data = dataOf(await (await gateway.post({ ...streamed, stream_options: { include_usage: true } })).text());
    const usage = JSON.parse(data.at(-2) ?? '');
    expect(usage.choices).toEqual([]);
    expect(usage.usage.total_tokens).toBe(usage.usage.prompt_tokens + usage.usage.completion_tokens);
    expect(JSON.parse(data.at(-3) ?? '').choices[0].finish_reason).toBe('stop');
  });

  it('A-175: the first text leaves before the upstream has finished', async () => {
    upstream.next({ steps: [{ text: frame('first ') }, { stall: true }] });
    const gateway = await start();
    const { request, response } = await open(gateway);
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response) {
      text += chunk;
      if (text.includes('first ')) break;
    }
    expect(text).toContain('"content":"first');
    request.destroy();
  });

  it('all frames of one upstream read leave in one write', async () => {
    upstream.next({ steps: [{ text: chatFrames('x'.repeat(200)).join('') }] });
    const gateway = await start();
    await (await gateway.post(streamed)).text();
    const record = await gateway.record((each) => each.route === '/v1/chat/completions');
    expect(Number(record.chunks)).toBeLessThanOrEqual(5);
  });
});

describe('errors', () => {
  it('A-173: an upstream that fails before its first event gives a real status', async () => {
    upstream.next(errorReply(500, 'out of order'), errorReply(500, 'out of order'));
    const gateway = await start();
    for (const body of [streamed, hello]) {
      const response = await gateway.post(body);
      expect(response.status).toBe(502);
      expect(response.headers.get('content-type')).toContain('application/json');
      expect((await response.json()).error.code).toBe('upstream_failed');
    }
  });

  it('A-171 A-172 B-100: one that dies midway gives text, an error without choices, a final chunk and [DONE]', async () => {
    upstream.next({ steps: [{ text: frame('partial') }, { delay: 30 }, { cut: true }] });
    const gateway = await start();
    const response = await gateway.post(streamed);
    expect(response.status).toBe(200);
    const data = dataOf(await response.text());
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map((each) => JSON.parse(each));
    expect(chunks.some((chunk) => chunk.choices?.[0]?.delta.content === 'partial')).toBe(true);
    const errors = chunks.filter((chunk) => chunk.error !== undefined);
    expect(errors).toHaveLength(1);
    expect(errors[0].choices).toBeUndefined();
    expect(errors[0].error.message).toContain('"up"');
    const record = await gateway.record((each) => each.errorCode === 'upstream-cut');
    expect(record).toMatchObject({ level: 'error', status: 200, errorId: expect.stringMatching(/^err_/) });
  });

  it('text and an error in one read come as in two: first the text, then the error, and the gateway lives', async () => {
    const error = 'data: {"error":{"message":"no more for upstream-key-123","code":429}}\n\n';
    const gateway = await start({ secrets: ['upstream-key-123'] });
    for (const model of ['up/text', 'up/native']) {
      upstream.next(
        { steps: [{ text: frame('Hello') + error }] },
        { steps: [{ text: frame('Hello') }, { delay: 30 }, { text: error }] },
      );
      const told = async () => {
        const response = await gateway.post({ ...streamed, model });
        expect(response.status).toBe(200);
        const frames = dataOf(await response.text());
        expect(frames.join('')).not.toContain('upstream-key');
        return frames.map((data) => data.replace(/"(error_)?id":"[^"]*"|"created":\d+/g, ''));
      };
      const inOne = await told();
      expect(inOne.join('')).toContain('"content":"Hello"');
      expect(inOne.at(-2)).toContain('no more for [secret]');
      expect(inOne).toEqual(await told());
    }
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });

  it('an upstream that is not there is named, its key is not', async () => {
    const gateway = await start();
    await upstream.close();
    const response = await gateway.post(streamed);
    expect(response.status).toBe(502);
    const { error } = await response.json();
    expect(error).toMatchObject({ code: 'upstream_unreachable', message: expect.stringContaining('"up"') });
    expect(JSON.stringify(gateway.records()) + JSON.stringify(error)).not.toContain('upstream-key-123');
    upstream = await upstreamForTest();
  });

  it('an upstream that quotes the key it was sent does not pass it on', async () => {
    const gateway = await start({ secrets: ['upstream-key-123'] });
    upstream.next(errorReply(400, 'This key has no such model: upstream-key-123.'));
    const response = await gateway.post(hello);
    const text = await response.text();
    expect(text).toContain('This key has no such model');
    expect(text).not.toContain('upstream-key-123');
    await gateway.record((record) => record.status === response.status);
    expect(JSON.stringify(gateway.records())).not.toContain('upstream-key-123');
  });

  it('B-168 A-016: a failure of our own is a 500 with an id that the log knows, without a stack', async () => {
    const gateway = await start({
      alter: (setup) => ({
        ...setup,
        randomHex: (length) => {
          if (length === 24) throw new Error('boom at /home/someone/file.ts');
          return setup.randomHex(length);
        },
      }),
    });
    const response = await gateway.post(hello);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toMatch(/boom|home|\.ts/);
    const { error } = JSON.parse(text);
    const record = await gateway.record((each) => each.status === 500);
    expect(record.errorId).toBe(error.error_id);
    expect(record.cause).toContain('boom');
  });
});

describe('silence, pressure and leaving', () => {
  it('A-177: comments keep a silent stream alive, before and after its first event', async () => {
    upstream.next({ steps: [{ delay: 150 }, { text: frame('late') }, { delay: 150 }, ...chatStream('').steps] });
    const gateway = await start({ config: { timeouts: { keepAlive: 40 } } });
    const text = await (await gateway.post(streamed)).text();
    const [before = '', after = ''] = text.split('late');
    expect(before).toMatch(/^:/);
    expect(before.split('\n').filter((line) => line.startsWith(':')).length).toBeGreaterThanOrEqual(2);
    expect(after).toMatch(/\n:/);
    expect(dataOf(text).at(-1)).toBe('[DONE]');
  });

  it('A-174 B-098: a client that goes away stops the upstream within a second', async () => {
    upstream.next({ steps: [{ text: frame('first') }, { stall: true }] });
    const gateway = await start();
    const { request, response } = await open(gateway);
    await once(response, 'data');
    request.destroy();
    const seen = await upstream.request(0);
    const outcome = await Promise.race([seen.aborted.then(() => 'aborted'), wait(1000).then(() => 'still running')]);
    expect(outcome).toBe('aborted');
    expect(await gateway.record((record) => record.status === 499)).toMatchObject({ errorCode: 'client-gone' });
  });

  it('A-174: also while it waits for a whole answer, and before the upstream has said anything', async () => {
    upstream.next({ steps: [{ stall: true }], holdHead: true });
    const gateway = await start();
    const leaving = new AbortController();
    const answer = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(hello),
      signal: leaving.signal,
    }).catch(() => undefined);
    const seen = await upstream.request(0);
    leaving.abort();
    await answer;
    const outcome = await Promise.race([seen.aborted.then(() => 'aborted'), wait(1000).then(() => 'still running')]);
    expect(outcome).toBe('aborted');
  });

  it('A-178: a slow reader pauses the upstream instead of filling memory', async () => {
    const piece = frame('x'.repeat(16_000));
    const endless = function* () {
      for (;;) yield { text: piece };
    };
    upstream.next({ steps: endless() });
    const gateway = await start({ config: { limits: { replyBytes: 2 ** 40 } } });
    const { request, response } = await open(gateway);
    response.pause();
    const seen = await upstream.request(0);
    // Socket buffers fill up, then nothing moves any more.
    let before = -1;
    const deadline = Date.now() + 10_000;
    while (seen.bytesSent !== before && Date.now() < deadline) {
      before = seen.bytesSent;
      await wait(300);
    }
    expect(seen.bytesSent).toBe(before);
    expect(seen.bytesSent).toBeLessThan(64 * 1024 * 1024);
    // And it goes on when the reader does.
    let read = 0;
    for await (const chunk of response) {
      read += chunk.length;
      if (read > before + 4 * 1024 * 1024) break;
    }
    expect(read).toBeGreaterThan(before);
    request.destroy();
    await seen.aborted;
  });
});

describe('draining', () => {
  it('A-017 B-171: new requests get 503, the running stream finishes, then all is closed', async () => {
    upstream.next({ steps: [{ text: frame('first ') }, { delay: 300 }, ...chatStream('last').steps] });
    const gateway = await start();
    const { response } = await open(gateway);
    response.setEncoding('utf8');
    const drained = gateway.drain();
    const refused = await gateway.post(hello);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await refused.json()).error.code).toBe('draining');
    expect((await fetch(`${gateway.url}/health`)).status).toBe(503);
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(text).toContain('last');
    expect(dataOf(text).at(-1)).toBe('[DONE]');
    await drained;
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
  });
});
