import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type ReplyPart, type ResponsesClient } from '../src/index.ts';
import { completed, created, delta, frames, message } from './responses.ts';

// Time-outs against a clock of the tests' own. Nothing here waits.

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const request = { model: 'm', input: 'Hi' };
const stream = { headers: { 'content-type': 'text/event-stream' } };

/** A server that says what a test writes into it. `ended`: why the client stopped reading. */
interface Line {
  readonly client: ResponsesClient;
  readonly asked: string[];
  say(text: string): void;
  readonly ended: Promise<unknown>;
}

function line(options: Partial<ClientOptions> & { readonly silent?: true; readonly there?: true }): Line {
  const { silent, there, ...own } = options;
  const asked: string[] = [];
  let bytes: ReadableStreamDefaultController<Uint8Array> | undefined;
  let end = (_: unknown) => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      bytes = controller;
    },
    cancel: end,
  });
  const client = createClient({
    baseUrl: 'http://server.example',
    fetch: (url, init) => {
      asked.push(`${init.method} ${new URL(url).pathname}`);
      init.signal?.addEventListener('abort', () => end(init.signal?.reason));
      if (init.method === 'GET') return there === true ? Promise.resolve(new Response('no')) : new Promise(() => {});
      return silent === true ? new Promise(() => {}) : Promise.resolve(new Response(body, stream));
    },
    ...own,
  });
  return { client, asked, say: (text) => bytes?.enqueue(new TextEncoder().encode(text)), ended };
}

/** What becomes of a reply, and what it has told so far. */
function follow(parts: AsyncIterable<ReplyPart>) {
  const told: string[] = [];
  const read = async () => {
    for await (const part of parts) told.push(part.type === 'text' ? part.text : part.type);
  };
  const state: { outcome: unknown } = { outcome: 'open' };
  read().then(
    () => {
      state.outcome = 'whole';
    },
    (thrown: unknown) => {
      state.outcome = thrown;
    },
  );
  return { told, state };
}

describe('C-116 connecting', () => {
  it('takes 30 seconds and not a millisecond more, with an injected fetch', async () => {
    const { client, asked, ended } = line({ silent: true });
    const { state } = follow(client.reply(request));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(state.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(state.outcome).toMatchObject({ code: 'connect_timeout', type: 'client_error', status: undefined });
    expect(String(state.outcome)).toContain('did not answer within 30 s');
    expect(asked).toEqual(['POST /v1/responses', 'GET /v1/models']);
    expect(await ended).toBe(state.outcome);
  });

  it('takes as long as one says', async () => {
    const { client } = line({ silent: true, connectTimeout: 5000 });
    const { state } = follow(client.reply(request));
    await vi.advanceTimersByTimeAsync(5000);
    expect(state.outcome).toMatchObject({ code: 'connect_timeout' });
  });

  it('is over when a server that reads a long prompt answers something else: then it has the idle time-out', async () => {
    const { client } = line({ silent: true, there: true, idleTimeout: 120_000 });
    const { state } = follow(client.reply(request));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(state.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(state.outcome).toMatchObject({ code: 'idle_timeout' });
  });

  it.each([
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout', 'The server was silent for longer than this fetch waits'],
    ['UND_ERR_HEADERS_TIMEOUT', 'idle_timeout', 'The server was silent for longer than this fetch waits'],
    ['ECONNREFUSED', 'unreachable', 'There is no connection to http://server.example'],
  ])('that ends with %s of the system says %s', async (word, code, said) => {
    const cause = Object.assign(new Error('no'), { code: word });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const client = createClient({ baseUrl: 'http://server.example', fetch });
    await expect(client.create(request)).rejects.toMatchObject({ code, message: `${said} (${word}).` });
  });

  it('is what the list of models waits for, too', async () => {
    const { client } = line({});
    const outcome = client.models().catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcome).toMatchObject({ code: 'connect_timeout' });
  });

  it.each([
    [{ connectTimeout: 4999 }, 'connectTimeout'],
    [{ connectTimeout: 300_001 }, 'connectTimeout'],
    [{ idleTimeout: Number.NaN }, 'idleTimeout'],
    [{ baseUrl: 'localhost:11434' }, 'baseUrl'],
    [{ baseUrl: 'http://me:secret@server.example' }, 'baseUrl'],
    [{ apiKey: 'sk-\u2026' }, 'apiKey'],
    [{ headers: { 'a b': 'c' } }, 'headers["a b"]'],
  ])('refuses %j, naming the option and showing no key', (options, param) => {
    const create = () => createClient({ baseUrl: 'http://server.example', ...options });
    expect(create).toThrow(expect.objectContaining({ code: 'request_invalid', param }));
    expect(create).not.toThrow(/secret|sk-/);
  });
});

describe('C-118 an answer', () => {
  it('may take any time, as long as something comes', async () => {
    const { client, say } = line({ connectTimeout: 5000, idleTimeout: 30_000 });
    const { told, state } = follow(client.reply(request));
    say(frames([created]).join(''));
    for (let second = 0; second < 600; second += 20) {
      await vi.advanceTimersByTimeAsync(20_000);
      say(second % 40 === 0 ? frames([delta('x')]).join('') : ': keepalive\n\n');
    }
    expect(state.outcome).toBe('open');
    say(frames([completed([message('x'.repeat(15))])]).join(''));
    await vi.advanceTimersByTimeAsync(0);
    expect(state.outcome).toBe('whole');
    expect(told.join('')).toBe(`${'x'.repeat(15)}usageend`);
  });

  it('that is silent for too long is an error, and the server hears of it', async () => {
    const { client, say, ended } = line({ idleTimeout: 30_000 });
    const { told, state } = follow(client.reply(request));
    await vi.advanceTimersByTimeAsync(29_000);
    say(frames([created, delta('Ha')]).join(''));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(state.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual(['Ha']);
    expect(state.outcome).toMatchObject({ code: 'idle_timeout', message: 'The server sent nothing for 30 s.' });
    expect(await ended).toBe(state.outcome);
  });

  it.each([
    ['http://127.0.0.1:8080', 3600],
    ['http://nas.local:8080', 3600],
    ['https://api.example.com', 300],
  ])('from %s may be silent for %i seconds', async (baseUrl, seconds) => {
    const { client, say } = line({ baseUrl });
    const { state } = follow(client.reply(request));
    say(frames([created]).join(''));
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(state.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(state.outcome).toMatchObject({ code: 'idle_timeout' });
  });

  it('may be read as slowly as its reader likes', async () => {
    const { client, say } = line({ idleTimeout: 5000 });
    const reply = client.reply(request);
    say(frames([created, delta('a'), delta('b')]).join(''));
    await reply.next();
    await vi.advanceTimersByTimeAsync(60_000);
    say(frames([completed([message('ab')])]).join(''));
    const rest: string[] = [];
    for await (const { type } of reply) rest.push(type);
    expect(rest).toEqual(['text', 'usage', 'end']);
  });

  it('leaves no timer behind', async () => {
    const { client, say, ended } = line({});
    const { state } = follow(client.reply(request));
    say(frames([created, completed([message('Hi')])]).join(''));
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    expect(state.outcome).toBe('whole');
    expect(vi.getTimerCount()).toBe(0);
  });
});
