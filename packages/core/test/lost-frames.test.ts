import { sample, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../src/chat/collect.ts';
import type { ChatEvent } from '../src/chat/event.ts';
import { decodeNdjson } from '../src/stream/ndjson-decoder.ts';
import { decodeSse } from '../src/stream/sse-decoder.ts';
import { runStage } from '../src/stream/stage.ts';
import { clientWires, upstreamWires } from '../src/wires/registry.ts';
import type { ClientWire, ReplyContext, UpstreamWire } from '../src/wires/wire.ts';
import { asEvent, inPieces } from './corpus-events.ts';
import { streamSituations } from './read-corpus.ts';
import { startAnswer } from './start-answer.ts';

const request = {
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
} as const;
const context: ReplyContext = { request, replyId: 'r1', created: 1_700_000_000 };

/** What may become of one frame on its way. `lost`: a piece of the reply may have gone with it. */
const faults: readonly { readonly name: string; readonly lost: boolean; readonly hit: (frame: string) => string }[] = [
  { name: 'breaks off', lost: true, hit: (frame) => `${frame.trimEnd().slice(0, -3)}${endOf(frame)}` },
  { name: 'has lost its beginning', lost: true, hit: (frame) => frame.replace('{"', '') },
  {
    name: 'has lost its field',
    lost: true,
    hit: (frame) => frame.replace('data: {', 'dta: {').replace(/^\{/, 'dta: {'),
  },
  {
    name: 'follows half a frame',
    lost: true,
    hit: (frame) => `${opening(frame)}{"choices":[{"de${endOf(frame)}${frame}`,
  },
  { name: 'follows a word', lost: false, hit: (frame) => `${opening(frame)}oops${endOf(frame)}${frame}` },
  { name: 'follows JSON that is no object', lost: false, hit: (frame) => `${opening(frame)}17${endOf(frame)}${frame}` },
];

const endOf = (frame: string) => (frame.endsWith('\n\n') ? '\n\n' : '\n');
const opening = (frame: string) => (frame.endsWith('\n\n') ? 'data: ' : '');

/** The frames of a stream, each with its end. */
function framesOf(stream: string, { framing }: UpstreamWire): string[] {
  const end = framing === 'sse' ? '\n\n' : '\n';
  return stream.split(end).flatMap((frame) => (frame.trim() === '' ? [] : [frame + end]));
}

function read(wire: UpstreamWire, stream: string): ChatEvent[] {
  const fail = (error: Error): never => expect.fail(error.message);
  const frames = runStage((wire.framing === 'sse' ? decodeSse : decodeNdjson)({ fail }), [
    new TextEncoder().encode(stream),
  ]);
  return runStage(wire.createStreamReader(request), frames);
}

function written(wire: ClientWire, events: readonly ChatEvent[]): string {
  return runStage(wire.createStreamWriter(context), events).join('');
}

const saidOf = (events: readonly ChatEvent[]) => {
  const { text, reasoning, calls, finishReason } = collect(events);
  return { text, reasoning, calls, finishReason };
};

const upstreamOf = (id: string): UpstreamWire => upstreamWires.get(id) ?? expect.fail(`no upstream speaks ${id}`);

/** Replies as each wire writes them, call arguments in single characters: every frame of them is needed. */
const situations = streamSituations.filter(({ canonical }) => canonical.every(({ type }) => type !== 'error'));
const streams = situations.flatMap(({ name, canonical, read: fileOf }) => [
  ...[...clientWires].map(([id, wire]) => {
    const events = inPieces(canonical.map(asEvent));
    return { name, id, wire: upstreamOf(id), stream: written(wire, events) };
  }),
  { name, id: 'qwen-chat', wire: upstreamOf('qwen-chat'), stream: fileOf('qwen-chat.sse') },
]);

describe.each(faults)('a frame that $name', ({ lost, hit }) => {
  it.each(sample(streams, 3))('never makes another success of "$name" in $id', ({ wire, stream }) => {
    const whole = saidOf(read(wire, stream));
    const frames = framesOf(stream, wire);
    frames.forEach((frame, at) => {
      if (frame.includes('[DONE]')) return;
      const events = read(wire, [...frames.slice(0, at), hit(frame), ...frames.slice(at + 1)].join(''));
      expect(violationsOf(events)).toEqual([]);
      const message = collect(events);
      const told = message.warnings.map(({ code }) => code);
      if (message.complete) {
        expect(saidOf(events), `frame ${at}`).toEqual(whole);
        expect(told, `frame ${at}`).toContain('event-unreadable');
        return;
      }
      expect(message.error?.code, `frame ${at}`).toBe('upstream-cut');
      // What had come whole before stays; nothing else is a call.
      expect(whole.calls.slice(0, message.calls.length)).toEqual(message.calls);
      expect(whole.text.startsWith(message.text)).toBe(true);
      for (const [id, client] of clientWires) {
        const back = collect(read(upstreamOf(id), written(client, events)));
        expect(back.complete, id).toBe(false);
        expect(message.calls.slice(0, back.calls.length), id).toEqual(back.calls);
      }
    });
  });

  it('is a cut where it may have held something, and else only within a call', () => {
    const chunk = (delta: object, reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const call = (text: string, more = {}) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: text, ...more }, ...(more && { id: 'a' }) }] });
    const wire = upstreamOf('openai-chat');
    const end = chunk({}, 'stop');
    const complete = (stream: string) => collect(read(wire, stream)).complete;
    expect(complete(chunk({ content: 'a' }) + hit(chunk({ content: 'b' })) + end)).toBe(!lost);
    const begun = call('{"path":"/home/me', { name: 'read_file' });
    expect(complete(begun + hit(call('/project/tmp')) + call('"}') + end)).toBe(false);
  });
});

describe('a stream without a reply', () => {
  const empty = ['', 'data: [DONE]\n\n', 'data: oops\n\ndata: 7\n\n', 'data: oops\n\ndata: [DONE]\n\n', ': wait\n\n'];

  it.each([...upstreamWires])('is an error in %s', (_, wire) => {
    for (const stream of wire.framing === 'sse' ? empty : ['', '\n\n', 'oops\n7\n', '[DONE]\n']) {
      expect(collect(read(wire, stream)), stream).toMatchObject({ complete: false, error: { code: 'upstream-cut' } });
    }
  });
});

describe('an end that says nothing of why', () => {
  const chat = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
  const call = (text: string) => ({ tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: text } }] });
  const text = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n';

  it.each([
    ['openai-chat', `${chat({ delta: { content: 'a' } })}data: [DONE]\n\n`],
    ['openai-chat', `${chat({ delta: call('{"a":1}') })}data: [DONE]\n\n`],
    ['openai-completions', `${chat({ text: 'a' })}data: [DONE]\n\n`],
    ['anthropic-messages', `${text}data: {"type":"message_stop"}\n\n`],
  ])('is told in %s: %s', (id, stream) => {
    const message = collect(read(upstreamOf(id), stream));
    expect(message).toMatchObject({ complete: true, warnings: [{ code: 'end-unmarked' }] });
  });

  it('is none for a call that is open', () => {
    const message = collect(read(upstreamOf('openai-chat'), `${chat({ delta: call('{"a":1') })}data: [DONE]\n\n`));
    expect(message).toMatchObject({ complete: false, calls: [], error: { code: 'upstream-cut' } });
  });
});

it('an error event in plain words is an error with these words', () => {
  const message = collect(read(upstreamOf('openai-chat'), 'event: error\ndata: Out of memory\n\n'));
  expect(message.error?.message).toContain('Out of memory');
});

describe('bytes that are not UTF-8', () => {
  const path = '{"path":"/home/§me"}';
  const opened = [
    { type: 'message-start', id: 'r1', model: 'm' },
    { type: 'tool-call-start', block: 0, callId: 'call_a', name: 'read' },
  ] as const;
  const withCall: ChatEvent[] = [
    ...opened,
    { type: 'tool-call-delta', block: 0, text: path },
    { type: 'tool-call-end', block: 0, arguments: path },
    { type: 'message-end', finishReason: 'tool-calls' },
  ];
  const withText = (text: string): ChatEvent[] => [
    { type: 'message-start', id: 'r1', model: 'm' },
    { type: 'text-start', block: 0 },
    { type: 'text-delta', block: 0, text },
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  const inHermes = `<tool_call>{"name":"read","arguments":${path}}</tool_call>`;
  const hermes = { rule: { toolCalling: { dialect: 'hermes' } } } as const;

  /** With a byte that begins no character in place of each `§`. */
  function damaged(text: string): Uint8Array {
    const bytes = [...new TextEncoder().encode(text)];
    return Uint8Array.from(
      bytes.flatMap((byte, at) => {
        if (byte === 0xc2 && bytes[at + 1] === 0xa7) return [0xff];
        return byte === 0xa7 && bytes[at - 1] === 0xc2 ? [] : [byte];
      }),
    );
  }

  interface Sending {
    readonly id: string;
    readonly events: readonly ChatEvent[];
    readonly whole: boolean;
    readonly options?: object;
  }

  function answered({ id, events, whole, options = {} }: Sending) {
    const client = clientWires.get(id) ?? expect.fail(id);
    const answer = startAnswer({ wire: id, ...options });
    const body = client.writeMessage(events, context);
    if (whole) answer.to().start(200, 'application/json');
    else answer.to().start(200, client.framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson');
    const text = whole ? (typeof body === 'string' ? body : JSON.stringify(body)) : written(client, events);
    answer.to().data(damaged(text));
    answer.to().end();
    return answer.message();
  }

  const callers = [...clientWires.keys()].filter((id) => id !== 'openai-completions');
  const ways = (ids: readonly string[]) =>
    ids.flatMap((id) => [true, false].map((whole) => ({ id, whole, way: whole ? 'whole' : 'streamed' })));

  it.each(ways(callers))('cut a native call that holds them ($id, $way)', ({ id, whole }) => {
    for (const events of [withCall, inPieces(withCall)]) {
      const message = answered({ id, whole, events });
      expect(message).toMatchObject({ complete: false, calls: [], error: { code: 'upstream-cut' } });
    }
  });

  it.each(ways([...clientWires.keys()]))('cut a call in text that holds them ($id, $way)', ({ id, whole }) => {
    for (const events of [withText(inHermes), inPieces(withText(inHermes))]) {
      const message = answered({ id, whole, events, options: hermes });
      expect(message).toMatchObject({ complete: false, calls: [], error: { code: 'upstream-cut' } });
    }
  });

  it.each(ways([...clientWires.keys()]))(
    'are told in text, and a call after it counts ($id, $way)',
    ({ id, whole }) => {
      const events = withText(`a§b ${inHermes.replace('§', '')}`);
      const message = answered({ id, whole, events, options: hermes });
      expect(message).toMatchObject({ complete: true, text: expect.stringContaining('a\ufffdb') });
      expect(message.calls).toMatchObject([{ arguments: '{"path":"/home/me"}' }]);
      expect(message.warnings.map(({ code }) => code)).toContain('bytes-replaced');
    },
  );
});
