import type { ScriptedReply, ScriptedUpstream, Step } from '@dragoman/testkit';
import { sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { clients, type TestClient } from './client-readings.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { type Spelling, spellings, streamOf } from './upstream-spellings.ts';

let upstream: ScriptedUpstream;
let upstreams: Readonly<Record<string, unknown>>;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const models = { m: { toolCalling: 'native' } };
  upstreams = Object.fromEntries(
    Object.keys(spellings).map((wire) => {
      const baseUrl = wire === 'ollama-chat' ? upstream.origin : upstream.baseUrl;
      return [wire, { wire, baseUrl, models }];
    }),
  );
  gateway = await gatewayForTest({ config: { upstreams } });
});

const pairs = Object.entries(clients).flatMap(([id, client]) =>
  Object.entries(spellings).map(([wire, spelling]) => ({ id, client, wire, spelling })),
);
const cut: Step = { cut: true };
const stall: Step = { stall: true };
const html = '<!doctype html><title>Log in</title>';

/** What goes wrong before the client has seen anything: it gets a status and an error of its own API. */
const early: readonly (readonly [
  what: string,
  reply: (s: Spelling) => ScriptedReply,
  status: number,
  words: string,
])[] = [
  ['an error answer', (s) => answer(500, JSON.stringify(s.errorBody('kaputt'))), 502, 'kaputt'],
  [
    'a rate limit',
    (s) => answer(429, JSON.stringify(s.errorBody('slow down')), { 'retry-after': '7' }),
    429,
    'slow down',
  ],
  ['a redirect', () => answer(307, '', { location: 'https://example.com/v1' }), 400, 'Check its base URL'],
  ['an error answer that is a page', () => answer(503, html, { 'content-type': 'text/html' }), 503, ''],
  ['a page', () => answer(200, html, { 'content-type': 'text/html' }), 400, 'text/html'],
  ['an error as its first frame', (s) => streamOf(s, s.begin, s.error('kaputt')), 502, 'kaputt'],
  ['a reset before its answer', () => ({ steps: [cut], holdHead: true }), 502, ''],
  ['a reset before its first frame', (s) => streamOf(s, { delay: 1 }, cut), 502, ''],
  ['nothing', (s) => streamOf(s), 502, ''],
  ['frames of garbage', (s) => streamOf(s, s.garbage, s.garbage), 502, ''],
];

/** What goes wrong after a text: a stream tells it, a whole answer is an error. */
const late: readonly (readonly [what: string, pieces: (s: Spelling) => readonly (string | Step)[], words: string])[] = [
  ['an error in its stream', (s) => [s.error('kaputt'), stall], 'kaputt'],
  ['a frame that cannot be read', (s) => [s.garbage, s.end('Half')], 'could not be read'],
  ['a frame of a call that cannot be read', (s) => [s.halfCall, s.garbage, s.end('Half')], 'could not be read'],
  ['a reset', () => [{ delay: 30 }, cut], ''],
  ['an end without a mark', () => [], ''],
  ['a reset in the middle of a call', (s) => [s.halfCall, { delay: 30 }, cut], ''],
  ['an end in the middle of a call', (s) => [s.halfCall], ''],
  ['an error in the middle of a call', (s) => [s.halfCall, '\n', s.error('kaputt'), stall], ''],
];

function answer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): ScriptedReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, steps: [{ text }] };
}

interface Asking {
  readonly client: TestClient;
  readonly wire: string;
  readonly stream: boolean;
  readonly to?: TestGateway;
  readonly signal?: AbortSignal;
}

function ask({ client, wire, stream, to = gateway, signal }: Asking): Promise<Response> {
  return fetch(to.url + client.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client.body(`${wire}/m`, stream)),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function expectError(response: Response, client: TestClient, words: string): Promise<void> {
  const body: unknown = await response.json();
  const message = client.readError(body) ?? expect.fail(`of another shape: ${JSON.stringify(body)}`);
  expect(message).toContain(words);
  expect(message).not.toContain('<title>');
  expect(JSON.stringify(body)).toContain('"error_id":"err_');
}

/** Reads until `sign` has come. */
async function readUntil(response: Response, sign: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail('no body');
  let text = '';
  while (!text.includes(sign)) {
    const { done, value } = await reader.read();
    if (done) expect.fail(`ended without ${JSON.stringify(sign)}: ${text}`);
    text += value;
  }
  return text;
}

describe.each(sample(pairs, 3))('a client of $id and an upstream of $wire', ({ client, wire, spelling }) => {
  it.each(early)('A-173 %s is a status and an error of the client’s own API', async (_, reply, status, words) => {
    for (const stream of [true, false]) {
      upstream.next(reply(spelling));
      const response = await ask({ client, wire, stream });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toContain('application/json');
      if (status === 429) expect(response.headers.get('retry-after')).toBe('7');
      await expectError(response, client, words);
    }
  });

  it('A-173 an error answer names its upstream', async () => {
    upstream.next(answer(500, JSON.stringify(spelling.errorBody('kaputt'))));
    await expectError(await ask({ client, wire, stream: true }), client, `The upstream "${wire}" answered 500: kaputt`);
  });

  it.each(late)('A-171 A-172 %s after a text is told once and never a success', async (_, pieces, words) => {
    const script = () => streamOf(spelling, spelling.begin, spelling.text('Half'), ...pieces(spelling));
    upstream.next(script());
    const streamed = await ask({ client, wire, stream: true });
    expect(streamed.status).toBe(200);
    const reading = client.readStream(await streamed.text());
    expect(reading.text.startsWith('Half')).toBe(true);
    expect(reading.errors).toEqual([expect.stringContaining(words)]);
    expect(reading.succeeded).toBe(false);

    upstream.next(script());
    const whole = await ask({ client, wire, stream: false });
    expect(whole.status).toBe(502);
    await expectError(whole, client, words);
  });

  it('what is plainly no frame is passed over, and the reply goes on', async () => {
    const { begin, text, end } = spelling;
    const word = wire === 'ollama-chat' ? 'oops\n' : 'data: oops\n\n';
    upstream.next(streamOf(spelling, begin, text('Whole'), word, end('Whole')));
    const stream = await (await ask({ client, wire, stream: true })).text();
    expect(client.readStream(stream)).toEqual({ text: 'Whole', succeeded: true, errors: [] });
  });

  it('A-174 the upstream sees that the client has left', async () => {
    const gone = new AbortController();
    upstream.next(streamOf(spelling, spelling.begin, spelling.text('Half'), stall));
    const response = await ask({ client, wire, stream: true, signal: gone.signal });
    await readUntil(response, 'Half');
    gone.abort();
    await (await upstream.request(0)).aborted;
  });

  it('A-177 silence is filled with what the client takes for nothing', async () => {
    const gone = new AbortController();
    const lively = await gatewayForTest({ config: { upstreams, timeouts: { keepAlive: 20 } } });
    upstream.next(streamOf(spelling, spelling.begin, spelling.text('Half'), stall));
    const response = await ask({ client, wire, stream: true, to: lively, signal: gone.signal });
    const text = await readUntil(response, client.keepAlive);
    gone.abort();
    expect(client.readStream(text).errors).toEqual([]);
  });
});
