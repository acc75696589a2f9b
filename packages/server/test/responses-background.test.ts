import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { chatFrames, chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { Response as OpenaiResponse, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { checkResponse, checkResponseStream } from './recorded-responses.ts';
import type { TestGateway, TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: OpenAI;

const body = { model: 'up/native', input: 'Tell me of heliotrope.', background: true } as const;
/** A text that begins and does not end before the upstream is told to stop. */
const endless = {
  steps: [...chatStream('It is blue', { finishReason: null, done: false }).steps, { stall: true }],
} as const;

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await gatewayForTest({ upstream, ...options });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
}

/** Asks until the response is as it should be; every answer on the way is one that the schema knows. */
async function polled(id: string, fits: (response: OpenaiResponse) => boolean): Promise<OpenaiResponse> {
  for (;;) {
    const response = await client.responses.retrieve(id);
    checkResponse(response);
    if (fits(response)) return response;
  }
}

const hasEnded = ({ status }: OpenaiResponse) => status !== 'queued' && status !== 'in_progress';

async function collected(events: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const all: ResponseStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const framed = (events: readonly ResponseStreamEvent[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

function open(path: string, method = 'GET', sent?: object): Promise<IncomingMessage> {
  const request = httpRequest(`${gateway.url}${path}`, { method, agent: false });
  request.end(sent === undefined ? '' : JSON.stringify(sent));
  return once(request, 'response').then(([response]) => response.setEncoding('utf8'));
}

beforeEach(async () => {
  upstream = await upstreamForTest();
});

describe('a response in the background', () => {
  it('is queued at once, in progress when the upstream answers, completed and stored in the end', async () => {
    await start();
    const made = await (async () => {
      upstream.next(chatStream('It is blue.', { delay: 5 }));
      return client.responses.create(body);
    })();
    checkResponse(made);
    expect(made).toMatchObject({ status: 'queued', background: true, output: [] });
    const seen = new Set<string | undefined>();
    const done = await polled(made.id, (response) => {
      seen.add(response.status);
      return hasEnded(response);
    });
    expect(done).toMatchObject({ id: made.id, status: 'completed', output_text: 'It is blue.', background: true });
    expect([...seen].every((status) => ['queued', 'in_progress', 'completed'].includes(status ?? ''))).toBe(true);
    const record = await gateway.record(({ method }) => method === 'BACKGROUND');
    expect(record).toMatchObject({ route: '/v1/responses', status: 200, finish: 'stop', model: 'up/native' });
    const posted = await gateway.record(({ method }) => method === 'POST');
    expect(posted.requestId).toBe(record.requestId);
    const items = await client.responses.inputItems.list(made.id);
    expect(JSON.stringify(items.data)).toContain('heliotrope');
    upstream.next(chatStream('Yes.'));
    await client.responses.create({ model: 'up/native', input: 'Really?', previous_response_id: made.id });
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('It is blue.');
  });

  it('streams from its queueing on, and its events can be read again from any number on', async () => {
    await start();
    upstream.next(chatStream('It is blue, and it turns to the sun.'));
    const all = await collected(await client.responses.create({ ...body, stream: true }));
    checkResponseStream(framed(all));
    expect(all.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ]);
    const id = all[0]?.type === 'response.created' ? all[0].response.id : '';
    expect(await collected(await client.responses.retrieve(id, { stream: true }))).toEqual(all);
    for (const number of [0, 3, all.length - 2]) {
      const rest = await client.responses.retrieve(id, { stream: true, starting_after: number });
      expect(await collected(rest)).toEqual(all.slice(number + 1));
    }
    expect(await collected(await client.responses.retrieve(id, { stream: true, starting_after: all.length }))).toEqual(
      [],
    );
  });

  it('goes on when the client leaves, who can come back for the rest while it runs', async () => {
    await start();
    upstream.next({
      steps: [
        ...chatStream('It is blue', { finishReason: null, done: false }).steps,
        { delay: 200 },
        ...chatStream('.').steps,
      ],
    });
    const first = await client.responses.create({ ...body, stream: true });
    const before: ResponseStreamEvent[] = [];
    for await (const event of first) {
      before.push(event);
      if (event.type === 'response.output_text.delta') break;
    }
    first.controller.abort();
    const [created] = before;
    const id = created?.type === 'response.created' ? created.response.id : '';
    const after = before.length - 1;
    const rest = await collected(await client.responses.retrieve(id, { stream: true, starting_after: after }));
    expect(rest.at(-1)?.type).toBe('response.completed');
    checkResponseStream(framed([...before, ...rest]));
    expect(upstream.requests).toHaveLength(1);
  });

  it('several can follow at once, as slowly as they like', async () => {
    await start();
    const text = 'x'.repeat(2000);
    upstream.next({ steps: [...chatFrames(text, { pieces: 20 })].map((frame) => ({ text: frame })) });
    const { id } = await client.responses.create(body);
    const streams = await Promise.all([1, 2, 3].map(() => client.responses.retrieve(id, { stream: true })));
    const [one, two, three] = await Promise.all(streams.map(collected));
    expect(one).toEqual(two);
    expect(two).toEqual(three);
    checkResponseStream(framed(one ?? []));
  });

  it('cancelled: the upstream is stopped, and cancelling again changes nothing', async () => {
    await start();
    upstream.next(endless);
    const { id } = await client.responses.create(body);
    const stream = client.responses.retrieve(id, { stream: true }).then(collected);
    await polled(id, ({ status }) => status === 'in_progress');
    const cancelled = await client.responses.cancel(id);
    expect(cancelled).toMatchObject({ id, status: 'cancelled', error: { code: 'response_cancelled' } });
    await (await upstream.request(0)).aborted;
    expect(await client.responses.cancel(id)).toEqual(cancelled);
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'cancelled' });
    const events = await stream;
    checkResponseStream(framed(events));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'cancelled' } });
    expect(await gateway.record(({ method }) => method === 'BACKGROUND')).toMatchObject({ status: 499 });
  });

  it('cancelling what has ended leaves it as it was', async () => {
    await start();
    upstream.next(chatStream('It is blue.'));
    const { id } = await client.responses.create(body);
    const done = await polled(id, hasEnded);
    expect(await client.responses.cancel(id)).toMatchObject({ status: 'completed', output: done.output });
  });

  it('deleted while it runs: the upstream is stopped, and nothing is left', async () => {
    await start();
    upstream.next(endless);
    const { id } = await client.responses.create(body);
    await client.responses.delete(id);
    await (await upstream.request(0)).aborted;
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  });

  it('an upstream that fails makes a response that failed', async () => {
    await start();
    upstream.next({ status: 500, steps: [{ text: '{"error":{"message":"broken"}}' }] });
    const { id } = await client.responses.create(body);
    expect(await polled(id, hasEnded)).toMatchObject({ status: 'failed', error: { code: 'upstream_failed' } });
    const events = await collected(await client.responses.retrieve(id, { stream: true }));
    checkResponseStream(framed(events));
  });

  it('belongs to its key', async () => {
    const keys = ['one', 'two'].map((name) => ({ name, key: `key-${name}` }));
    await start({ config: { keys } });
    const as = (name: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: `key-${name}`, maxRetries: 0 });
    upstream.next(endless);
    const { id } = await as('one').responses.create(body);
    for (const ask of [
      () => as('two').responses.retrieve(id),
      () => as('two').responses.retrieve(id, { stream: true }),
      () => as('two').responses.cancel(id),
      () => as('two').responses.delete(id),
    ]) {
      await expect(ask()).rejects.toMatchObject({ status: 404 });
    }
    expect(await as('one').responses.cancel(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('the background has bounds', () => {
  it('only so many run at once', async () => {
    await start({ config: { limits: { backgroundResponses: 1 } } });
    upstream.next(endless, chatStream('Hello.'));
    const { id } = await client.responses.create(body);
    await expect(client.responses.create(body)).rejects.toMatchObject({ status: 429, code: 'too_many_responses' });
    await client.responses.cancel(id);
    expect(await client.responses.create(body)).toMatchObject({ status: 'queued' });
  });

  it('one key leaves places for the others', async () => {
    const keys = ['one', 'two', 'three'].map((name) => ({ name, key: `key-${name}` }));
    await start({ config: { keys, limits: { backgroundResponses: 4 } } });
    const create = (name: string) => {
      const as = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: `key-${name}`, maxRetries: 0 });
      upstream.next(endless);
      return as.responses.create(body);
    };
    const full = { status: 429, code: 'too_many_responses' };
    await create('one');
    await create('one');
    await expect(create('one')).rejects.toMatchObject({ ...full, message: expect.stringContaining('of this key') });
    expect(await create('two')).toMatchObject({ status: 'queued' });
    await expect(create('two')).rejects.toMatchObject(full);
    expect(await create('three')).toMatchObject({ status: 'queued' });
    await expect(create('three')).rejects.toMatchObject({ ...full, message: expect.stringContaining('4 responses') });
  });

  it.each([
    ['none may run', { limits: { backgroundResponses: 0 } }, {}, 'unsupported_field'],
    ['nothing is stored', { limits: { responseBytes: 0 } }, {}, 'unsupported_field'],
    ['the client wants nothing stored', {}, { store: false }, 'bad_request'],
  ])('refused when %s', async (_, config, fields, code) => {
    await start({ config });
    await expect(client.responses.create({ ...body, ...fields })).rejects.toMatchObject({
      status: 400,
      code,
      param: 'background',
    });
  });

  it('a request that is wrong is refused at once, and counts for nothing', async () => {
    await start({ config: { limits: { backgroundResponses: 1, tools: 1 } } });
    const tool = (name: string) => ({ type: 'function' as const, name, parameters: {}, strict: false });
    const refused = client.responses.create({ ...body, tools: [tool('a'), tool('b')] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'too_many_tools' });
    upstream.next(chatStream('Hello.'));
    const { id } = await client.responses.create(body);
    expect(await polled(id, hasEnded)).toMatchObject({ status: 'completed' });
    const health = await (await fetch(`${gateway.url}/health`)).json();
    expect(health.requests.active).toBe(1);
  });

  it('events that had no room are gone, and that is said; the response itself is whole', async () => {
    const text = 'word '.repeat(2000);
    await start({ config: { limits: { responseBytes: 100_000 } } });
    upstream.next(chatStream(text, { pieces: 20 }));
    const { id } = await client.responses.create(body);
    await gateway.record(({ method }) => method === 'BACKGROUND');
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'completed', output_text: text });
    const again = client.responses.retrieve(id, { stream: true });
    await expect(again).rejects.toMatchObject({ status: 400, param: 'stream' });
  });

  it('that is long loses its own events for want of room, and not those of a shorter one', async () => {
    await start({ config: { limits: { responseBytes: 90_000 } } });
    const unended = (text: string) => ({
      steps: [...chatStream(text, { pieces: 1000, finishReason: null, done: false }).steps, { stall: true as const }],
    });
    const ids: string[] = [];
    for (const length of [70_000, 10_000]) {
      upstream.next(unended('x'.repeat(length)));
      let read = 0;
      for await (const event of await client.responses.create({ ...body, stream: true })) {
        if (event.type === 'response.created') ids.push(event.response.id);
        if (event.type === 'response.output_text.delta') read += event.delta.length;
        if (read === length) break;
      }
    }
    const statuses = ids.map(async (id) => (await open(`/v1/responses/${id}?stream=true`)).statusCode);
    expect(await Promise.all(statuses)).toEqual([400, 200]);
    for (const id of ids) await client.responses.cancel(id);
  });

  it.each(['stream=yes', 'stream=true&starting_after=x', 'stream=true&starting_after=-1', 'starting_after='])(
    '?%s is refused',
    async (query) => {
      await start();
      upstream.next(chatStream('Hello.'));
      const { id } = await client.responses.create(body);
      expect((await open(`/v1/responses/${id}?${query}`)).statusCode).toBe(400);
    },
  );

  it('what did not run in the background has no events to read and cannot be cancelled', async () => {
    await start();
    upstream.next(chatStream('Hello.'));
    const { id } = await client.responses.create({ model: 'up/native', input: 'Hi' });
    await expect(client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 400 });
    await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400 });
  });
});

describe('a gateway that stops', () => {
  it('waits for responses in the background', async () => {
    await start();
    upstream.next({ steps: [{ delay: 200 }, ...chatStream('It is blue.').steps] });
    await client.responses.create(body);
    await gateway.drain();
    const record = await gateway.record(({ method }) => method === 'BACKGROUND');
    expect(record).toMatchObject({ status: 200, finish: 'stop' });
  });

  it('breaks them off when there is no more time, and tells those who follow', async () => {
    await start();
    upstream.next(endless);
    const stream = await open('/v1/responses', 'POST', { ...body, stream: true });
    await once(stream, 'data');
    const rest = (async () => {
      let text = '';
      for await (const chunk of stream) text += chunk;
      return text;
    })();
    await upstream.request(0);
    await gateway.close();
    expect(await rest).toContain('"draining"');
    expect(await gateway.record(({ method }) => method === 'BACKGROUND')).toMatchObject({ errorCode: 'draining' });
    await (await upstream.request(0)).aborted;
  });
});
