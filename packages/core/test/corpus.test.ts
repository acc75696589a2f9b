import {
  anthropicViolations,
  completionsViolations,
  ollamaChatViolations,
  openaiChatViolations,
  openresponsesViolations,
  sample,
  violationsOf,
} from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import type { ChatRequest } from '../src/chat/request.ts';
import { decodeNdjson } from '../src/stream/ndjson-decoder.ts';
import { decodeSse } from '../src/stream/sse-decoder.ts';
import { runStage } from '../src/stream/stage.ts';
import { createQwenChatUpstream } from '../src/wires/qwen-chat/index.ts';
import { clientWires, upstreamWires as registered } from '../src/wires/registry.ts';
import type { ClientWire, Frame, ReplyContext, UpstreamWire } from '../src/wires/wire.ts';
import { asEvent, comparable, inPieces } from './corpus-events.ts';
import { asSaidBy, frozen, requestSituations, streamSituations } from './read-corpus.ts';

/** As they are registered; one that stamps its messages has a clock that stands still. */
const upstreamWires: ReadonlyMap<string, UpstreamWire> = new Map([
  ...registered,
  ['qwen-chat', createQwenChatUpstream({}, { now: () => 1_767_225_600_000, newId: () => 'f1' })],
]);

const framings = new Map([...clientWires, ...upstreamWires].map(([id, { framing }]) => [id, framing]));
const streamFile = (id: string) => `${id}.${framings.get(id)}`;

/** Each wire's own checker of streams, from the side of its clients. */
const checkers: ReadonlyMap<string, (stream: string, counted: boolean) => readonly string[]> = new Map([
  ['openai-chat', (stream: string, counted: boolean) => openaiChatViolations(stream, { includeUsage: counted })],
  [
    'openai-completions',
    (stream: string, counted: boolean) => completionsViolations(stream, { includeUsage: counted }),
  ],
  ['openai-responses', (stream: string) => openresponsesViolations(stream)],
  ['anthropic-messages', (stream: string) => anthropicViolations(stream)],
  ['ollama-chat', (stream: string, counted: boolean) => ollamaChatViolations(stream, { uncounted: !counted })],
]);

describe('the corpus', () => {
  const known = ['README.md', 'canonical.json', 'losses.json'];

  it.each([
    ['requests', requestSituations, (id: string) => `${id}.json`],
    ['streams', streamSituations, streamFile],
  ] as const)('spells every situation of %s in every wire, and in no other', (kind, situations, fileOf) => {
    const wanted = ['README.md', 'canonical.json', ...[...framings.keys()].map(fileOf)];
    const missing = situations.flatMap(({ name, files }) =>
      wanted.filter((file) => !files.includes(file)).map((file) => `corpus/${kind}/${name}/${file}`),
    );
    const unknown = situations.flatMap(({ name, files }) =>
      files.filter((file) => !wanted.includes(file) && !known.includes(file)).map((file) => `${kind}/${name}/${file}`),
    );
    expect(missing, 'missing files').toEqual([]);
    expect(unknown, 'files of no wire').toEqual([]);
  });

  it('has a checker of streams for every client wire', () => {
    expect([...clientWires.keys()].filter((id) => !checkers.has(id))).toEqual([]);
  });

  it('gives a reason for every loss', () => {
    const losses = [...requestSituations, ...streamSituations].flatMap((situation) =>
      [...framings.keys()].flatMap((id) => situation.lossesOf(id)),
    );
    expect(losses.filter(({ why }) => !why.endsWith('.'))).toEqual([]);
  });
});

/** What a wire asks of every upstream, and no client says. */
const ownWords: Readonly<Record<string, object>> = { 'ollama-chat': { truncate: false, shift: false } };

describe.each(sample(requestSituations, 3).map((situation) => [situation.name, situation] as const))(
  'the request "%s"',
  (_, situation) => {
    it.each([...clientWires])('is read from %s', (id, wire) => {
      const read = wire.readRequest(frozen(JSON.parse(situation.read(`${id}.json`))));
      expect(read).toEqual(asSaidBy(id, situation.canonical, situation.lossesOf(id)));
    });

    it.each([...upstreamWires])('is written to %s, which tells what it cannot say', (id, wire) => {
      const { canonical } = situation;
      const written = wire.writeRequest(canonical, canonical.model, {});
      expect(written.body).toEqual({ ...ownWords[id], ...JSON.parse(situation.read(`${id}.json`)) });
      const foreign = Object.keys(canonical.extra).filter((other) => other !== id);
      const told = situation.lossesOf(id).flatMap((loss) => (loss.told === undefined ? [] : [loss.told]));
      const expected = [...foreign.map(() => 'field-dropped'), ...told].sort();
      expect(written.warnings.map(({ code }) => code).sort(), JSON.stringify(written.warnings)).toEqual(expected);
    });
  },
);

const request: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  tools: ['read_file', 'now'].map((name) => ({ name, inputSchema: { type: 'object', properties: {} } })),
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: true,
  includeUsage: true,
  sampling: {},
  extra: {},
  warnings: [],
};

describe.each(sample(streamSituations, 3).map((situation) => [situation.name, situation] as const))(
  'the stream "%s"',
  (_, situation) => {
    const { canonical } = situation;
    const events = canonical.map(asEvent);
    const said = (id: string) => asSaidBy(id, canonical, situation.lossesOf(id));

    it('keeps the grammar in its canonical form', () => {
      expect(violationsOf(events)).toEqual([]);
    });

    it.each([...upstreamWires])('is read from %s, wherever it is cut', (id, wire) => {
      const bytes = new TextEncoder().encode(situation.read(streamFile(id)));
      const whole = readBytes(wire, [bytes]);
      expect(violationsOf(whole)).toEqual([]);
      expect(comparable(whole, said(id))).toEqual(said(id));
      // Readers see frames alone, so the same frames are the same events.
      const frames = JSON.stringify(decode(wire, [bytes]));
      for (let at = 1; at < bytes.length; at += 1) {
        const cut = JSON.stringify(decode(wire, [bytes.subarray(0, at), bytes.subarray(at)]));
        if (cut !== frames) expect(cut, `cut at ${at}`).toBe(frames);
      }
      const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
      expect(readBytes(wire, single), 'one byte at a time').toEqual(whole);
    });

    it.each([...upstreamWires])('is never a success when %s breaks off', (id, wire) => {
      const frames = decode(wire, [new TextEncoder().encode(situation.read(streamFile(id)))]);
      const uncounted = said(id).filter(({ type }) => type !== 'usage');
      for (let count = 0; count < frames.length; count += 1) {
        const events = runStage(wire.createStreamReader(request), frames.slice(0, count));
        expect(violationsOf(events), `after ${count} frames`).toEqual([]);
        if (events.at(-1)?.type === 'error') continue;
        // A success of which is said that it may be half.
        if (events.some((event) => event.type === 'warning' && event.warning.code === 'end-unmarked')) continue;
        const read = comparable(events, said(id)).filter(({ type }) => type !== 'usage');
        expect(read, `a success after ${count} frames`).toEqual(uncounted);
      }
    });

    it.each([...clientWires])('is written to %s so that its clients and readers find the same again', (id, wire) => {
      const counted = events.some(({ type }) => type === 'usage');
      for (const pieces of [events, inPieces(events)]) {
        const stream = writeStream(wire, pieces);
        expect(checkers.get(id)?.(stream, counted), stream).toEqual([]);
        const back = readBytes(upstreamOf(id), [new TextEncoder().encode(stream)]);
        expect(violationsOf(back)).toEqual([]);
        expect(comparable(back, said(id)), stream).toEqual(said(id));
      }
    });
  },
);

// A whole answer that failed is an error answer, which has no events.
const goodStreams = streamSituations.filter(({ canonical }) => canonical.every(({ type }) => type !== 'error'));

describe.each(sample(goodStreams, 3).map((situation) => [situation.name, situation] as const))(
  'the whole answer "%s"',
  (_, situation) => {
    it.each([...clientWires])('of %s says the same as the stream', (id, wire) => {
      const said = asSaidBy(id, situation.canonical, situation.lossesOf(id));
      const written = wire.writeMessage(situation.canonical.map(asEvent), context);
      const body: unknown = typeof written === 'string' ? JSON.parse(written) : written;
      const back = upstreamOf(id).readMessage(body, request);
      expect(violationsOf(back)).toEqual([]);
      expect(comparable(back, said), JSON.stringify(body)).toEqual(said);
    });
  },
);

const context: ReplyContext = { request, replyId: 'r1', created: 1_700_000_000, elapsed: () => 5 };

function upstreamOf(id: string): UpstreamWire {
  return upstreamWires.get(id) ?? expect.fail(`${id} has no upstream half to read back with`);
}

function decode(wire: UpstreamWire, chunks: readonly Uint8Array[]): Frame[] {
  const decoder = wire.framing === 'sse' ? decodeSse : decodeNdjson;
  return runStage(decoder({ fail: (error) => expect.fail(error.message) }), chunks);
}

function readBytes(wire: UpstreamWire, chunks: readonly Uint8Array[]): ChatEvent[] {
  return runStage(wire.createStreamReader(request), decode(wire, chunks));
}

function writeStream(wire: ClientWire, events: readonly ChatEvent[]): string {
  return runStage(wire.createStreamWriter(context), events).join('');
}
