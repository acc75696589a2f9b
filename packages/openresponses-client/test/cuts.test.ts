import { readdirSync, readFileSync } from 'node:fs';
import { randomInteger, runs, seededRandom } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient, type ReplyPart, type ResponseEvent, ResponsesError } from '../src/index.ts';
import { eventTypes } from '../src/read-event.ts';
import { call, joined, message } from './responses.ts';

// The streams of the corpus in other pieces, and broken off everywhere.

const corpus = new URL('../../../corpus/streams/', import.meta.url);
const streams = readdirSync(corpus, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }): [string, Uint8Array] => [
    name,
    new Uint8Array(readFileSync(new URL(`${name}/openai-responses.sse`, corpus))),
  ]);

interface Reading {
  readonly parts: readonly ReplyPart[];
  readonly events: readonly ResponseEvent[];
  readonly error: string;
}

async function read(chunks: readonly Uint8Array[]): Promise<Reading> {
  const fetch = () => Promise.resolve(new Response(streamOf(chunks)));
  const client = createClient({ baseUrl: 'http://server.example', fetch });
  const parts = await listed(client.reply({ model: 'm', input: 'Hi' }));
  const events = await listed(client.stream({ model: 'm', input: 'Hi' }));
  expect(events.error).toBe(parts.error);
  return { parts: joined(parts.items), events: events.items, error: parts.error };
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<{ readonly items: Item[]; readonly error: string }> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
  } catch (thrown) {
    if (!(thrown instanceof ResponsesError)) throw thrown;
    return { items: all, error: thrown.code };
  }
  return { items: all, error: '' };
}

function cut(bytes: Uint8Array, random: () => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + randomInteger(random, 1, 200);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

describe.each(streams)('the stream %s', (_, bytes) => {
  it('says the same in every cut', async () => {
    const whole = await read([bytes]);
    for (let seed = 1; seed <= runs(20); seed += 1) {
      expect(await read(cut(bytes, seededRandom(seed))), `seed ${seed}`).toEqual(whole);
    }
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('is an error wherever it breaks off, with a beginning of what it says, and never a call that was not whole', async () => {
    const whole = await read([bytes]);
    const calls = whole.parts.filter(({ type }) => type === 'call').map((part) => JSON.stringify(part));
    const random = seededRandom(7);
    for (let round = 0; round < runs(40); round += 1) {
      const length = randomInteger(random, 0, bytes.length - 1);
      const broken = await read([bytes.subarray(0, length)]);
      if (broken.error === '') expect(broken, `${length} bytes`).toEqual(whole);
      for (const part of broken.parts) {
        if (part.type === 'call') expect(calls, `${length} bytes`).toContain(JSON.stringify(part));
      }
    }
  });
});

describe('any stream of events', () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, 0, 1, '', 'a', '{"path":"a"}', [], {}, [null], { type: 'message' }),
    fc.constantFrom<unknown>(
      call(1, '{}'),
      message('Hi'),
      { status: 'failed' },
      { output: [call(1, '{'), 5, message('Hi')] },
    ),
  );
  const names = ['type', 'response', 'item', 'part', 'delta', 'text', 'arguments', 'error', 'usage', 'annotation'];
  const places = ['output_index', 'content_index', 'item_id', 'sequence_number', 'call_id', 'name', 'logprobs'];
  const fields = fc.dictionary(fc.constantFrom(...names, ...places), value, { maxKeys: 6 });
  const one = fc.oneof(
    fc.record({ type: fc.constantFrom(...eventTypes, 'response.done', 'acme:x'), fields }),
    fc.record({
      type: fc.constant('junk'),
      text: fc.constantFrom(
        'data: {\n\n',
        'data: [DONE]\n\n',
        'x: {"a":1}\n',
        '<html>\n\n',
        'event: error\ndata: no\n\n',
      ),
    }),
  );

  it('ends with one end or one error, and with nothing after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 12 }), async (list) => {
        const texts = list.map((each) =>
          'text' in each
            ? each.text
            : `event: ${each.type}\ndata: ${JSON.stringify({ type: each.type, ...each.fields })}\n\n`,
        );
        const fetch = () => Promise.resolve(new Response(texts.join('')));
        const client = createClient({ baseUrl: 'http://server.example', fetch });
        const { items, error } = await listed(client.reply({ model: 'm', input: 'Hi' }));
        const ends = items.filter(({ type }) => type === 'end').length;
        expect(ends).toBe(error === '' ? 1 : 0);
        if (ends === 1) expect(items.at(-1)?.type).toBe('end');
        const events = await listed(client.stream({ model: 'm', input: 'Hi' }));
        expect(events.error).toBe(error);
        for (const { type } of events.items) expect(eventTypes).toContain(type);
      }),
      { numRuns: runs(500) },
    );
  });
});
