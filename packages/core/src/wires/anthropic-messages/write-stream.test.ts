import { anthropicViolations } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import { parseSse } from '../../stream/sse-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import type { ReplyContext } from '../wire.ts';
import { anthropicMessagesClient } from './index.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader } from './read-stream.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], stream: true };
const request: ChatRequest = readRequest(body);
const context: ReplyContext = { request, replyId: '0a1b2c', created: 1_700_000_000 };
const usage = { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3, source: 'upstream' } as const;
const signed = (fields: object) => ({ 'anthropic-messages': { ...fields } });

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'upstream-model');
  write(writer);
  return list;
}

const stream = (list: readonly ChatEvent[], about: ReplyContext = context) =>
  runStage(createStreamWriter(about), list).join('');
const framesOf = (text: string) =>
  runStage(parseSse({ fail: (error) => expect.unreachable(error.message) }), [text]).map(({ data }) =>
    JSON.parse(data),
  );
const typesOf = (text: string) => framesOf(text).map(({ type }) => type);
/** A finished reply, or one whose stop reason alone is off. */
const checked = (list: readonly ChatEvent[], about?: ReplyContext) => {
  const text = stream(list, about);
  expect(anthropicViolations(text)).toEqual([]);
  return framesOf(text);
};

describe('createStreamWriter', () => {
  it('writes thinking, text and calls as clients need them', () => {
    const frames = checked(
      events((writer) => {
        writer.usage({ ...usage, outputTokens: 1 });
        writer.reasoning('hm');
        writer.reasoningEnd(signed({ signature: 'sig' }));
        writer.text('Hello ');
        writer.text('there');
        writer.callStart('call_read-0', 'read');
        writer.callDelta('{"path":');
        writer.callDelta('"a"}');
        writer.callEnd();
        writer.usage(usage);
        writer.end('tool-calls');
      }),
    );
    expect(frames).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_0a1b2c',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 3, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello ' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'there' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'call_read-0', name: 'read', input: {} },
      },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"a"}' } },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 3, output_tokens: 4 },
      },
      { type: 'message_stop' },
    ]);
  });

  it('says nothing before there is something to see', () => {
    const list = events((writer) => writer.usage(usage));
    const out: string[] = [];
    const writer = createStreamWriter(context)((text) => out.push(text));
    for (const event of list) writer.push(event);
    expect(out).toEqual([]);
    writer.push({ type: 'text-start', block: 0 });
    expect(out).toEqual([]);
  });

  it('writes an empty reply, and thinking that is only a signature or a secret', () => {
    expect(typesOf(stream(events((writer) => writer.end('stop'))))).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
    const frames = checked(
      events((writer) => {
        writer.reasoningEnd(signed({ signature: 'sig' }));
        writer.reasoningEnd(signed({ redacted: 'xyz' }));
        writer.end('stop');
      }),
    );
    expect(frames).toMatchObject([
      {},
      { content_block: { type: 'thinking' } },
      { delta: { signature: 'sig' } },
      {},
      { index: 1, content_block: { type: 'redacted_thinking', data: 'xyz' } },
      {},
      {},
      {},
    ]);
  });

  it.each([
    ['stop', undefined, 'end_turn', null],
    ['stop', 'weird', 'end_turn', null],
    ['stop', 'stop_sequence', 'stop_sequence', 'END'],
    ['stop', 'pause_turn', 'pause_turn', null],
    ['length', undefined, 'max_tokens', null],
    ['length', 'model_context_window_exceeded', 'model_context_window_exceeded', null],
    ['content-filter', 'content_filter', 'refusal', null],
    ['tool-calls', 'tool_calls', 'end_turn', null],
  ] as const)('ends %s (%s) with %s', (reason, raw, word, sequence) => {
    const about = { ...context, request: { ...request, sampling: { stop: ['END'] } } };
    const list = events((writer) => {
      writer.text('x');
      writer.end(reason, raw);
    });
    const delta = { stop_reason: word, stop_sequence: sequence };
    expect(checked(list, about).at(-2)).toMatchObject({ delta });
    expect(JSON.parse(writeMessage(list, about))).toMatchObject(delta);
  });

  it('A-172 ends a reply that failed with an error event and nothing after it', () => {
    const list = events((writer) => {
      writer.callStart('a', 'write');
      writer.callDelta('{"content":"half');
      writer.fail(new DragomanError('upstream-overloaded', 'Too much.'));
    });
    const text = stream(list);
    expect(anthropicViolations(text)).toEqual([]);
    expect(typesOf(text)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'error']);
    expect(framesOf(text).at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Too much.' } });
    const cut = runStage(createStreamWriter(context), list.slice(0, 2), new DragomanError('upstream-cut', 'gone')).join(
      '',
    );
    expect(typesOf(cut)).toEqual(['message_start', 'error']);
    expect(typesOf(runStage(createStreamWriter(context), []).join(''))).toEqual(['message_start', 'error']);
  });

  it.each(['{', '{"a":"b', '{"a":"b\\', '{"a":"b\\u00', '{"a":[1,2', '{"a":1,', '{"a":tru', '{"a":"b"'])(
    'makes a call that broke off after %s something that no client takes for one',
    (half) => {
      const list = events((writer) => {
        writer.callStart('a', 'write');
        writer.callDelta(half);
        writer.callCut();
        writer.text('It broke off.');
        writer.callStart('b', 'read');
        writer.callDelta('{}');
        writer.callEnd();
        writer.end('tool-calls');
      });
      const frames = checked(list);
      const json = frames.filter(({ index }) => index === 0).map(({ delta }) => delta?.partial_json ?? '');
      expect(json.join('').startsWith(half)).toBe(true);
      for (const completed of ['', '"', '}', '"}', ']}', '"]}'])
        expect(() => JSON.parse(json.join('') + completed)).toThrow();
      expect(collect(list).calls).toHaveLength(1);
    },
  );

  it('A-172 lets a reply that fails in a call end inside its block', () => {
    const list = events((writer) => {
      writer.callStart('a', 'write');
      writer.callDelta('{"content":"half');
      writer.callCut();
      writer.text('{"content":"half');
      writer.fail(new DragomanError('upstream-cut', 'gone'));
    });
    const text = stream(list);
    expect(anthropicViolations(text)).toEqual([]);
    expect(typesOf(text)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'error']);
  });

  it('streams text after a cut call from its second piece on', () => {
    const out: string[] = [];
    const writer = createStreamWriter(context)((frames) => out.push(frames));
    const list = events((events) => {
      events.callStart('a', 'write');
      events.callDelta('{');
      events.callCut();
      events.text('one ');
      events.text('two');
    });
    for (const event of list.slice(0, -1)) writer.push(event);
    expect(out.join('')).not.toContain('one ');
    for (const event of list.slice(-1)) writer.push(event);
    expect(out.join('')).toMatch(/one .*two/s);
  });

  it('shows nothing of a call that was cut before its first arguments', () => {
    const list = events((writer) => {
      writer.callStart('a', 'write');
      writer.callCut();
      writer.end('stop');
    });
    expect(stream(list)).not.toContain('tool_use');
  });

  it('keeps characters whole that deltas cut', () => {
    const frames = checked(
      events((writer) => {
        for (const half of ['🦜'.slice(0, 1), '🦜'.slice(1)]) writer.text(half);
        writer.end('stop');
      }),
    );
    expect(frames[2]).toMatchObject({ delta: { text: '🦜' } });
  });

  it('keeps a silent stream alive with a ping', () => {
    const { keepAlive } = anthropicMessagesClient;
    expect(keepAlive).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});

const prose = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const part = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: prose }),
  fc.record({ type: fc.constant('reasoning' as const), text: prose, signature: fc.option(prose) }),
  fc.record({ type: fc.constant('redacted' as const), text: prose }),
  fc.record({
    type: fc.constant('call' as const),
    name: prose,
    value: fc.dictionary(prose, fc.jsonValue({ maxDepth: 3 })),
  }),
);
type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

function write(parts: readonly Part[], size: number): ChatEvent[] {
  const pieces = (all: string) => all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return events((writer) => {
    parts.forEach((one, index) => {
      writer.closeBlock();
      if (one.type === 'text') for (const piece of pieces(one.text)) writer.text(piece);
      else if (one.type === 'redacted') writer.reasoningEnd(signed({ redacted: one.text }));
      else if (one.type === 'reasoning') {
        for (const piece of pieces(one.text)) writer.reasoning(piece);
        if (one.signature !== null) writer.reasoningEnd(signed({ signature: one.signature }));
      } else {
        writer.callStart(`call_${index}`, one.name);
        for (const piece of pieces(JSON.stringify(one.value))) writer.callDelta(piece);
        writer.callEnd();
      }
    });
    writer.usage(usage);
    writer.end(parts.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop');
  });
}

it('keeps the grammar, streams what it writes whole, and reads back what it wrote', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const list = write(parts, size);
      const text = stream(list);
      expect(anthropicViolations(text)).toEqual([]);
      const reader = through(
        parseSse({ fail: (error) => expect.unreachable(error.message) }),
        createStreamReader(request),
      );
      const { content, calls, usage: read, complete } = collect(runStage(reader, [text]));
      expect({ content, calls, complete }).toEqual({
        content: collect(list).content,
        calls: collect(list).calls,
        complete: true,
      });
      expect(read).toMatchObject({ inputTokens: 10, outputTokens: 4, cachedInputTokens: 3 });
      const whole = JSON.parse(writeMessage(list, context));
      const last = framesOf(text).findLast(({ type }) => type === 'message_delta');
      expect(whole).toMatchObject({ ...last.delta, usage: last.usage, id: 'msg_0a1b2c', role: 'assistant' });
      expect(whole.content).toHaveLength(parts.length);
    }),
  );
});

it('writes numbers into a whole answer as the model wrote them', () => {
  const list = events((writer) => {
    writer.callStart('a', 'n');
    writer.callDelta('{"id": 12345678901234567890, "x": 1.0}');
    writer.callEnd();
    writer.end('tool-calls');
  });
  expect(writeMessage(list, context)).toContain('"input":{"id": 12345678901234567890, "x": 1.0}');
});
