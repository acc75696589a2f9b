import { numberMintedIds, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { replayMessage } from '../../chat/replay.ts';
import { DragomanError } from '../../errors.ts';
import { decodeSse } from '../../stream/sse-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

const request = readRequest({ model: 'asked', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude',
    content: [],
    usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 },
  },
};
const open = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const text = (index: number, words: string) => delta(index, { type: 'text_delta', text: words });
const thinking = (index: number, words: string) => delta(index, { type: 'thinking_delta', thinking: words });
const json = (index: number, words: string) => delta(index, { type: 'input_json_delta', partial_json: words });
const call = (index: number, id: string, name = 'read') => open(index, { type: 'tool_use', id, name, input: {} });
const ended = (reason = 'end_turn') => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

function events(frames: readonly object[], cut?: DragomanError): ChatEvent[] {
  const data = frames.map((frame) => ({
    event: 'type' in frame ? String(frame.type) : '',
    data: JSON.stringify(frame),
  }));
  const out = numberMintedIds(runStage(createStreamReader(request), data, cut));
  expect(violationsOf(out)).toEqual([]);
  return out;
}

const read = (...frames: readonly object[]): CollectedMessage => collect(events(frames));
const callsOf = (message: CollectedMessage) =>
  message.calls.map(({ callId, name, arguments: json }) => [callId, name, json]);
const codesOf = (message: CollectedMessage) => message.warnings.map(({ code }) => code);

describe('what only this wire knows', () => {
  const citation = { type: 'char_location', cited_text: 'x', document_index: 0 };
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 's',
    content: [{ type: 'web_search_result', url: 'u' }],
  };
  const frames = [
    start,
    ...[open(0, search), json(0, '{"query":'), json(0, '"x"}'), stop(0)],
    ...[open(1, found), stop(1)],
    ...[
      open(2, { type: 'text', text: '' }),
      text(2, 'Found.'),
      delta(2, { type: 'citations_delta', citation }),
      stop(2),
    ],
    { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'B' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
  const asked = readRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    stop_sequences: ['A', 'B'],
  });
  const content = [
    { ...search, input: { query: 'x' } },
    found,
    { type: 'text', text: 'Found.', citations: [citation] },
  ];

  it('reaches its clients as it was, in a stream and whole, and is told for all others', () => {
    const list = events(frames);
    const { text: words, calls, warnings } = collect(list);
    expect([words, calls]).toEqual(['Found.', []]);
    expect(warnings.map(({ code }) => code)).toEqual(['field-ignored', 'field-ignored', 'field-ignored']);
    const context = { request: asked, replyId: 'r', created: 1 };
    const whole: unknown = JSON.parse(writeMessage(list, context));
    expect(whole).toMatchObject({ content, stop_reason: 'stop_sequence', stop_sequence: 'B' });
    const written = runStage(createStreamWriter(context), list).join('');
    const again = runStage(through(decodeSse({ fail: () => expect.fail() }), createStreamReader(request)), [
      new TextEncoder().encode(written),
    ]);
    expect(JSON.parse(writeMessage(again, context))).toEqual(whole);
    const read = readMessage({ ...start.message, content, stop_reason: 'stop_sequence', stop_sequence: 'B' }, asked);
    expect(JSON.parse(writeMessage(read, context))).toMatchObject({ content, stop_sequence: 'B' });
  });

  it('opens an input empty and sends it in pieces, also where it is empty or was cut', () => {
    const context = { request: asked, replyId: 'r', created: 1 };
    const pieces = [[], [''], ['{}'], ['{"query":', '"x"}'], ['{"que']];
    const sent = pieces.map((each) => {
      const list = events([start, open(0, search), ...each.map((piece) => json(0, piece)), stop(0), ...ended()]);
      const frames = runStage(createStreamWriter(context), list).join('');
      expect(frames).toContain('"name":"web_search","input":{}}');
      return frames.split('"partial_json":').length - 1;
    });
    expect(sent).toEqual([0, 0, 0, 1, 1]);
  });

  it('survives being collected and replayed', () => {
    const message = collect(events(frames));
    expect(collect(replayMessage(message))).toEqual(message);
  });

  it('is not a call when its input breaks off', () => {
    const message = read(start, open(0, search), json(0, '{"que'), ...ended());
    expect(message.calls).toEqual([]);
    expect(codesOf(message)).toEqual(['field-ignored']);
  });
});

describe('usage', () => {
  it('is what the last numbers say, as some servers begin with a guess', () => {
    const guess = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 15_001, output_tokens: 0 } } };
    const [delta, end] = ended();
    const last = { ...delta, usage: { input_tokens: 2050, output_tokens: 7 } };
    expect(read(guess, last, end ?? {}).usage).toMatchObject({ inputTokens: 2050, outputTokens: 7 });
    expect(read(start, { ...delta, usage: { input_tokens: 0, output_tokens: 7 } }, end ?? {}).usage).toMatchObject({
      inputTokens: 7,
    });
  });

  const counted = (first: object, last: object) =>
    read(
      { ...start, message: { ...start.message, usage: first } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
      { type: 'message_stop' },
    ).usage;

  it('of nothing but zeros was counted by nobody', () => {
    expect(counted({ input_tokens: 0, output_tokens: 0 }, { output_tokens: 0 })).toBeUndefined();
    expect(counted({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 3, output_tokens: 0 })).toMatchObject({
      inputTokens: 3,
    });
  });
});

it.each([
  ['invalid_request_error', 'upstream-refused'],
  ['request_too_large', 'context-too-long'],
  ['not_found_error', 'upstream-refused'],
  ['billing_error', 'upstream-refused'],
  ['authentication_error', 'upstream-unauthorized'],
  ['permission_error', 'upstream-unauthorized'],
  ['rate_limit_error', 'upstream-rate-limited'],
  ['overloaded_error', 'upstream-overloaded'],
  ['timeout_error', 'upstream-failed'],
  ['api_error', 'upstream-failed'],
])('an error of type %s inside a stream is %s', (type, code) => {
  expect(read(start, { type: 'error', error: { type, message: 'words' } }).error?.code).toBe(code);
});

describe('a native stream', () => {
  it('E-001 reads thinking with its signature, text, calls, usage and the stop reason', () => {
    const message = read(
      start,
      { type: 'ping' },
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      thinking(0, 'hm '),
      thinking(0, 'so'),
      delta(0, { type: 'signature_delta', signature: 'sig==' }),
      stop(0),
      open(1, { type: 'redacted_thinking', data: 'xyz' }),
      stop(1),
      open(2, { type: 'text', text: '' }),
      text(2, 'Read'),
      text(2, 'ing'),
      stop(2),
      call(3, 'toolu_1'),
      json(3, ''),
      json(3, '{"path": "a'),
      json(3, '"}'),
      stop(3),
      call(4, 'toolu_2', 'list'),
      stop(4),
      ...ended('tool_use'),
    );
    expect(message).toMatchObject({
      id: 'msg_1',
      model: 'claude',
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_use',
    });
    expect(message.content).toEqual([
      { type: 'reasoning', text: 'hm so', extra: { 'anthropic-messages': { signature: 'sig==' } } },
      { type: 'reasoning', text: '', extra: { 'anthropic-messages': { redacted: 'xyz' } } },
      { type: 'text', text: 'Reading' },
      { type: 'tool-call', callId: 'toolu_1', name: 'read', arguments: '{"path": "a"}' },
      { type: 'tool-call', callId: 'toolu_2', name: 'list', arguments: '{}' },
    ]);
    expect(message.usage).toEqual({ inputTokens: 7, cachedInputTokens: 2, outputTokens: 7, source: 'upstream' });
    expect(message.warnings).toEqual([]);
  });

  it('tells input tokens early, before the first text', () => {
    const list = events([start, open(0, { type: 'text', text: '' }), text(0, 'a'), stop(0), ...ended()]);
    expect(list.slice(0, 2)).toMatchObject([{ type: 'message-start' }, { type: 'usage', usage: { inputTokens: 7 } }]);
  });

  it('lets text and arguments out with the frame that brought them', () => {
    const out: ChatEvent[] = [];
    const reader = createStreamReader(request)((event) => out.push(event));
    const push = (frame: object) => reader.push({ event: '', data: JSON.stringify(frame) });
    for (const frame of [start, call(0, 'a')]) push(frame);
    expect(out.at(-1)).toMatchObject({ type: 'tool-call-start' });
    push(json(0, '{"a'));
    expect(out.at(-1)).toMatchObject({ type: 'tool-call-delta', text: '{"a' });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['something_new', 'stop'],
    ['tool_use', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ])('E-077 reads the stop reason %s', (word, finishReason) => {
    expect(read(start, ...ended(word))).toMatchObject({ finishReason, rawFinishReason: word });
  });
});

describe('departures', () => {
  it('E-031 E-066 mints ids for calls without one and with a used one', () => {
    const message = read(
      start,
      call(0, ''),
      stop(0),
      call(1, 'a'),
      stop(1),
      call(2, 'a'),
      stop(2),
      ...ended('tool_use'),
    );
    expect(callsOf(message).map(([id]) => id)).toEqual(['minted_1', 'a', 'minted_2']);
    expect(codesOf(message)).toEqual(['id-repaired', 'id-repaired']);
  });

  it('E-035 puts interleaved blocks in order', () => {
    const message = read(
      start,
      call(0, 'a'),
      call(1, 'b', 'list'),
      json(1, '{"y":'),
      json(0, '{"x":'),
      open(2, { type: 'text', text: 'after' }),
      json(1, '2}'),
      json(0, '1}'),
      stop(1),
      stop(2),
      stop(0),
      ...ended('tool_use'),
    );
    expect(message.content).toMatchObject([
      { callId: 'a', arguments: '{"x":1}' },
      { callId: 'b', arguments: '{"y":2}' },
      { type: 'text', text: 'after' },
    ]);
  });

  it('copes without stops, without starts, with whole inputs, and with a word of another API at the end', () => {
    const message = read(
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      call(1, 'x'),
      json(1, '{"p":1}'),
      open(2, { type: 'tool_use', id: 'y', name: 'list', input: { q: [2] } }),
      open(3, { type: 'text', text: 'b' }),
      text(0, 'late'),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    );
    expect(message).toMatchObject({ id: '', model: 'asked', complete: true });
    expect(message.content.map((part) => ('text' in part ? part.text : part.arguments))).toEqual([
      'a',
      '{"p":1}',
      '{"q":[2]}',
      'b',
      'late',
    ]);
    const done = runStage(createStreamReader(request), [
      { event: 'message_start', data: JSON.stringify({ message: start.message }) },
      { event: 'message_stop', data: '{}' },
      { event: '', data: '[DONE]' },
    ]);
    expect(collect(done)).toMatchObject({ id: 'msg_1', complete: true, warnings: [{ code: 'end-unmarked' }] });
  });

  it('B-194 reports calls that are none, and delivers the rest', () => {
    const message = read(
      start,
      open(0, { type: 'tool_use', id: 'a', input: {} }),
      json(0, '{"lost":1}'),
      stop(0),
      call(1, 'b'),
      json(1, '{"half":'),
      stop(1),
      call(2, 'c'),
      json(2, '[1]'),
      stop(2),
      json(9, '{"nobody'),
      open(3, { type: 'text', text: 'rest' }),
      stop(3),
      ...ended('max_tokens'),
    );
    expect(message).toMatchObject({ text: 'rest', calls: [], finishReason: 'length' });
    expect(codesOf(message)).toEqual(['call-cut', 'call-cut', 'call-cut', 'call-cut']);
    expect(message.warnings.map(({ message }) => message).join()).toMatch(/lost.*half.*nobody/);
  });

  it('leaves out what only tools of Anthropic write, and says so once for each kind', () => {
    const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const message = read(
      start,
      open(0, server),
      json(0, ' '),
      stop(0),
      open(1, server),
      stop(1),
      open(2, { type: 'text', text: '' }),
      delta(2, { type: 'citations_delta', citation: {} }),
      text(2, 'cited'),
      stop(2),
      { type: 'brand_new_event' },
      ...ended(),
    );
    expect(message).toMatchObject({ text: 'cited', complete: true });
    expect(codesOf(message)).toEqual(['field-ignored', 'field-ignored']);
  });

  it('passes over what is plainly no frame', () => {
    const broken = ['oops', '5', `${'['.repeat(5000)}`].map((data) => ({ event: '', data }));
    const good = [start, ...ended()].map((frame) => ({ event: frame.type, data: JSON.stringify(frame) }));
    const message = collect(runStage(createStreamReader(request), [...broken, ...good]));
    expect(message).toMatchObject({ complete: true });
    expect(codesOf(message)).toEqual(Array(3).fill('event-unreadable'));
  });
});

describe('ends', () => {
  it('is cut where another message begins in the middle, and not where the first is begun once more', () => {
    const inCall = read(
      start,
      call(0, 'a'),
      json(0, '{"path":"/home/me'),
      start,
      call(0, 'b'),
      json(0, '"}'),
      ...ended(),
    );
    expect(inCall).toMatchObject({ complete: false, calls: [], error: { code: 'upstream-cut' } });
    const after = read(start, call(0, 'a'), json(0, '{}'), stop(0), start, call(0, 'b'), json(0, '{}'), ...ended());
    expect(after).toMatchObject({ complete: false, calls: [{ callId: 'a' }], error: { code: 'upstream-cut' } });
    expect(read(start, start, open(0, { type: 'text', text: '' }), text(0, 'a'), ...ended())).toMatchObject({
      complete: true,
      text: 'a',
    });
  });

  it('is cut where a call opens with other arguments than its pieces say', () => {
    const opened = (input: object) => open(0, { type: 'tool_use', id: 'a', name: 'read', input });
    const pieces = [json(0, '{"x": '), json(0, '1}'), stop(0)];
    expect(read(start, opened({ x: 1 }), ...pieces, ...ended('tool_use'))).toMatchObject({
      complete: true,
      warnings: [],
    });
    const other = read(start, opened({ x: 2 }), ...pieces, ...ended('tool_use'));
    expect(other).toMatchObject({ complete: false, calls: [], error: { code: 'upstream-cut' } });
  });

  it('E-018 never takes a cut stream for a success', () => {
    const message = read(start, open(0, { type: 'text', text: '' }), text(0, 'half'));
    expect(message).toMatchObject({ text: 'half', complete: false, error: { code: 'upstream-cut' } });
    const cut = collect(events([start, call(0, 'a'), json(0, '{"x":1}')], new DragomanError('idle-timeout', 'x')));
    expect(cut).toMatchObject({ calls: [], error: { code: 'idle-timeout' } });
    expect(read()).toMatchObject({ error: { code: 'upstream-cut' } });
  });

  it('takes a stream for good once the stop reason has come', () => {
    expect(read(start, open(0, { type: 'text', text: 'a' }), stop(0), ...ended().slice(0, 1))).toMatchObject({
      complete: true,
    });
  });

  it.each([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'upstream-overloaded'],
    [{ type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }, 'upstream-rate-limited'],
    [{ error: { message: 'no type' } }, 'upstream-failed'],
  ])('reads the error event %j', (frame, code) => {
    const message = read(start, open(0, { type: 'text', text: 'a' }), frame, ...ended());
    expect(message).toMatchObject({ text: 'a', complete: false, error: { code } });
  });
});

const prose = fc.string({ unit: 'grapheme', maxLength: 20 });
const block = fc.oneof(
  prose.map((words) => ({ type: 'text', text: words })),
  fc.tuple(prose, prose).map(([words, signature]) => ({ type: 'thinking', thinking: words, signature })),
  prose.map((data) => ({ type: 'redacted_thinking', data })),
  fc
    .tuple(fc.string({ minLength: 1 }), prose, fc.dictionary(prose, fc.jsonValue({ maxDepth: 2 })))
    .map(([id, name, input]) => ({ type: 'tool_use', id, name, input })),
);
type Block = typeof block extends fc.Arbitrary<infer Value> ? Value : never;

/** The frames in which a block would be streamed in pieces. */
function framesOf(one: Block, index: number): object[] {
  const pieces = (all: string) => [all.slice(0, 3), all.slice(3)];
  if ('input' in one) {
    const { input, ...head } = one;
    return [
      open(index, { ...head, input: {} }),
      ...pieces(JSON.stringify(input)).map((piece) => json(index, piece)),
      stop(index),
    ];
  }
  if ('thinking' in one) {
    const signature = delta(index, { type: 'signature_delta', signature: one.signature });
    return [
      open(index, { type: 'thinking', thinking: '' }),
      ...pieces(one.thinking).map((piece) => thinking(index, piece)),
      signature,
      stop(index),
    ];
  }
  if ('text' in one)
    return [
      open(index, { type: 'text', text: '' }),
      ...pieces(one.text).map((piece) => text(index, piece)),
      stop(index),
    ];
  return [open(index, one), stop(index)];
}

it('E-014 reads a whole answer like a stream of it', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
      const reason = { stop_reason: 'end_turn' };
      const usage = { input_tokens: 5, output_tokens: 7 };
      const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' };
      const frames = [
        { type: 'message_start', message: { ...head, content: [], usage: { ...usage, output_tokens: 0 } } },
        ...blocks.flatMap(framesOf),
        { type: 'message_delta', delta: reason, usage },
      ];
      const streamed = collect(events(frames));
      const list = numberMintedIds(readMessage({ ...head, ...reason, usage, content: blocks }, request));
      expect(violationsOf(list)).toEqual([]);
      expect(collect(list)).toEqual(streamed);
    }),
  );
});

it('B-093 E-010 gives the same events at every cut of the bytes', () => {
  const frames = [
    start,
    open(0, { type: 'text', text: '' }),
    text(0, 'grüße 🦜'),
    stop(0),
    call(1, 'a'),
    json(1, '{"x":"é"}'),
    stop(1),
    ...ended(),
  ];
  const bytes = new TextEncoder().encode(
    frames.map((frame) => `event: ${frame.type}\r\ndata: ${JSON.stringify(frame)}\r\n\r\n`).join(': x\r\n'),
  );
  const reader = through(decodeSse({ fail: () => {} }), createStreamReader(request));
  const whole = runStage(reader, [bytes]);
  expect(collect(whole)).toMatchObject({ text: 'grüße 🦜', calls: [{ arguments: '{"x":"é"}' }], complete: true });
  for (let at = 1; at < bytes.length; at += 1) {
    expect(runStage(reader, [bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
    const broken = collect(runStage(reader, [bytes.slice(0, at)], new DragomanError('upstream-cut', 'gone')));
    expect(broken.complete || broken.error !== undefined).toBe(true);
  }
});

it('reads an error body as an error event, and refuses what is not an answer', () => {
  expect(
    collect(readMessage({ type: 'error', error: { type: 'api_error', message: 'no' } }, request)).error?.message,
  ).toContain('no');
  for (const body of ['<html>secret</html>', null, 7, [], {}, { content: 'text' }]) {
    expect(() => readMessage(body, request)).toThrow(expect.objectContaining({ code: 'upstream-unreadable' }));
  }
  expect(() => readMessage('<html>secret</html>', request)).toThrow(/credentials/);
});
