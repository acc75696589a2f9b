import { collectAsAiSdk, collectAsCopilot, openaiChatViolations, violationsOf } from '@dragoman/testkit';
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
import { readRequest } from './read-request.ts';
import { createStreamReader } from './read-stream.ts';
import { createStreamWriter, type StreamWriterOptions } from './write-stream.ts';

const request: ChatRequest = readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true });
const context: ReplyContext = { request, replyId: '0a1b2c', created: 1_700_000_000 };
const withUsage: ReplyContext = { ...context, request: { ...request, includeUsage: true } };
const roleDelta = { role: 'assistant', content: '' };

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  return list;
}

function stream(list: readonly ChatEvent[], about: ReplyContext = context, options: StreamWriterOptions = {}): string {
  return runStage(createStreamWriter(about, options), list).join('');
}

interface Chunk {
  readonly choices?: { delta: unknown; finish_reason: string | null }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

function chunks(text: string): Chunk[] {
  const frames = runStage(
    parseSse({
      fail: (error) => {
        throw error;
      },
    }),
    [text],
  );
  return frames.filter((frame) => frame.data !== '[DONE]').map((frame): Chunk => JSON.parse(frame.data));
}

const deltas = (text: string) => chunks(text).map((chunk) => chunk.choices?.[0]?.delta);

function twoCalls(writer: EventWriter): void {
  writer.reasoning('Let me look.');
  writer.text('I read ');
  writer.text('both.');
  writer.callStart('call_a', 'read');
  writer.callDelta('{"path":');
  writer.callDelta('"a"}');
  writer.callEnd();
  writer.callStart('call_b', 'list');
  writer.callEnd();
  writer.usage({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 1, source: 'upstream' });
  writer.end('tool-calls');
}

describe('createStreamWriter', () => {
  it('A-152 A-154 A-157 A-158 A-160 A-162 B-085 B-086 B-087 B-088 writes text first, then calls one after another', () => {
    const text = stream(events(twoCalls));
    expect(deltas(text)).toEqual([
      roleDelta,
      { reasoning_content: 'Let me look.', reasoning_text: 'Let me look.' },
      { content: 'I read ' },
      { content: 'both.' },
      { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'read', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'list', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ]);
    expect(openaiChatViolations(text)).toEqual([]);
  });

  it('A-168 B-193 gives Copilot and the AI SDK the same text and calls', () => {
    const text = stream(events(twoCalls), withUsage);
    const calls = [
      { id: 'call_a', name: 'read', arguments: '{"path":"a"}' },
      { id: 'call_b', name: 'list', arguments: '{}' },
    ];
    expect(collectAsCopilot([text])).toEqual({
      text: 'I read both.',
      reasoning: 'Let me look.',
      begin: { name: 'read', spaced: true },
      calls,
      usage: { prompt: 10, completion: 5, total: 15 },
      problems: [],
      outcome: 'success',
    });
    expect(collectAsAiSdk(text)).toEqual({
      text: 'I read both.',
      reasoning: 'Let me look.',
      calls,
      usage: { prompt: 10, completion: 5 },
      finishReason: 'tool_calls',
      errors: [],
      lost: [],
    });
  });

  it('A-166 B-091 writes usage with all three numbers after the final chunk, only when asked', () => {
    expect(stream(events(twoCalls))).not.toContain('usage');
    const text = stream(events(twoCalls), withUsage);
    expect(chunks(text).at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    });
    expect(openaiChatViolations(text, { includeUsage: true })).toEqual([]);
  });

  it('A-153 puts the same id, created and model on all chunks', () => {
    for (const chunk of chunks(stream(events(twoCalls)))) {
      expect(chunk).toMatchObject({
        id: 'chatcmpl-0a1b2c',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'm',
        system_fingerprint: null,
      });
    }
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'content_filter'],
  ] as const)('A-163 A-164 A-165 finishes %s with one final chunk and [DONE]', (reason, word) => {
    const text = stream(
      events((writer) => {
        writer.text('a');
        writer.end(reason);
      }),
    );
    expect(chunks(text).map((chunk) => chunk.choices?.[0]?.finish_reason)).toEqual([null, null, word]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(openaiChatViolations(text)).toEqual([]);
  });

  it('A-165 writes an empty reply as role, final chunk and [DONE]', () => {
    expect(deltas(stream(events((writer) => writer.end('stop'))))).toEqual([roleDelta, {}]);
  });

  it('A-173 holds the role chunk back until something shows', () => {
    const out: string[] = [];
    const writer = createStreamWriter(withUsage)((text) => out.push(text));
    writer.push({ type: 'message-start', id: 'r', model: 'm' });
    writer.push({ type: 'warning', warning: { code: 'event-unreadable', message: 'x' } });
    writer.push({ type: 'usage', usage: { inputTokens: 1, outputTokens: 1, source: 'upstream' } });
    writer.push({ type: 'text-start', block: 0 });
    expect(out).toEqual([]);
    writer.push({ type: 'text-delta', block: 0, text: 'a' });
    expect(out).toHaveLength(2);
  });

  it('A-167 writes beginToolCalls once and only when asked to', () => {
    const text = stream(events(twoCalls), context, { emitBeginToolCalls: true });
    expect(text.split('beginToolCalls')).toHaveLength(2);
    expect(deltas(text)[4]).toEqual({ beginToolCalls: { toolCallIds: ['call_a'] } });
    expect(openaiChatViolations(text, { beginToolCalls: true })).toEqual([]);
    expect(stream(events(twoCalls))).not.toContain('beginToolCalls');
  });

  it('A-171 A-172 B-100 writes final chunk, error and [DONE] when the reply fails, and nobody takes it for a success', () => {
    const failed = events((writer) => {
      writer.text('half');
      writer.fail(new DragomanError('upstream-cut', 'The upstream went away.'));
    });
    const text = stream(failed);
    expect(chunks(text).slice(-2)).toMatchObject([
      { choices: [{ delta: {}, finish_reason: 'length' }] },
      { error: { message: 'The upstream went away.', type: 'upstream_error', param: '', code: 'upstream_cut' } },
    ]);
    expect(chunks(text).at(-1)).not.toHaveProperty('choices');
    expect(openaiChatViolations(text)).toEqual([]);
    expect(collectAsAiSdk(text)).toMatchObject({ text: 'half', errors: ['The upstream went away.'] });
    expect(collectAsCopilot([text])).toMatchObject({
      text: 'half',
      outcome: 'error',
      message: 'The upstream went away.',
      calls: [],
    });
  });

  it('promise 5: a call that is cut before its first arguments does not show, one without arguments does', () => {
    const list = events((writer) => {
      writer.callStart('call_a', 'remove_all');
      writer.callCut();
      writer.callStart('call_b', 'list');
      writer.callDelta('{}');
      writer.callEnd();
      writer.end('tool-calls');
    });
    const text = stream(list);
    expect(text).not.toContain('remove_all');
    expect(openaiChatViolations(text)).toEqual([]);
    expect(collectAsAiSdk(text).calls).toEqual([expect.objectContaining({ name: 'list' })]);
  });

  it('ends a stream that was cut or never finished as a failure, once', () => {
    const start = events((writer) => writer.text('a'));
    const cut = runStage(createStreamWriter(context), start, new DragomanError('idle-timeout', 'too slow')).join('');
    expect(chunks(cut).at(-1)).toMatchObject({ error: { code: 'idle_timeout', type: 'timeout_error' } });
    expect(chunks(stream(start)).at(-1)).toMatchObject({ error: { code: 'internal' } });
    expect(stream(events((writer) => writer.end('stop'))).split('[DONE]')).toHaveLength(2);
  });

  it('writes no tool_calls finish when no call was whole', () => {
    const text = stream(
      events((writer) => {
        writer.callStart('call_a', 'read');
        writer.callDelta('{"pa');
        writer.callCut();
        writer.end('tool-calls');
      }),
    );
    expect(chunks(text).at(-1)?.choices?.[0]?.finish_reason).toBe('stop');
  });

  it('A-054 writes the first whole call as function_call where functions were declared, and nothing of a cut one', () => {
    const functions = [{ name: 'read' }, { name: 'list' }];
    const older = readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], functions });
    const text = stream(
      events((writer) => {
        writer.callStart('call_0', 'list');
        writer.callDelta('{"a":');
        writer.callCut();
        twoCalls(writer);
      }),
      { ...context, request: older },
    );
    expect(deltas(text).slice(-3)).toEqual([
      { function_call: { name: 'read', arguments: '' } },
      { function_call: { arguments: '{"path":"a"}' } },
      {},
    ]);
    expect(text).not.toContain('list');
    expect(chunks(text).at(-1)?.choices?.[0]?.finish_reason).toBe('function_call');
    expect(openaiChatViolations(text)).toEqual([]);
  });

  it('B-089 writes text after calls as content', () => {
    const text = stream(
      events((writer) => {
        writer.callStart('call_a', 'read');
        writer.callEnd();
        writer.text('after');
        writer.end('tool-calls');
      }),
    );
    expect(collectAsCopilot([text])).toMatchObject({ text: 'after', calls: [{ id: 'call_a' }], outcome: 'success' });
    expect(openaiChatViolations(text, { textAfterCalls: true })).toEqual([]);
  });

  it('A-170 keeps surrogate pairs in one piece, and loses no half that stays alone', () => {
    const text = stream(
      events((writer) => {
        for (const unit of 'a🦜b'.split('')) writer.text(unit);
        writer.reasoning('🦜'.slice(0, 1));
        writer.reasoning('🦜'.slice(1));
        writer.text('x\ud83d');
        writer.end('stop');
      }),
    );
    expect(deltas(text).slice(1, 5)).toEqual([
      { content: 'a' },
      { content: '🦜' },
      { content: 'b' },
      { reasoning_content: '🦜', reasoning_text: '🦜' },
    ]);
    expect(collectAsAiSdk(text).text).toBe('a🦜bx\ud83d');
  });
});

/** Random replies: text and reasoning, then calls, all cut into random pieces. */
const pieces = fc.integer({ min: 1, max: 12 });
const prose = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 16 });
const reply = fc.record({
  reasoning: fc.option(prose),
  text: fc.option(prose),
  calls: fc.array(
    fc.record({ name: prose, value: fc.dictionary(prose, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }) }),
    {
      maxLength: 3,
    },
  ),
  size: pieces,
});

function cut(text: string, size: number): string[] {
  const parts: string[] = [];
  const characters = Array.from(text);
  for (let from = 0; from < characters.length; from += size) parts.push(characters.slice(from, from + size).join(''));
  return parts;
}

type Reply = typeof reply extends fc.Arbitrary<infer Value> ? Value : never;

function eventsOf({ reasoning, text, calls, size }: Reply): ChatEvent[] {
  return events((writer) => {
    for (const part of cut(reasoning ?? '', size)) writer.reasoning(part);
    for (const part of cut(text ?? '', size)) writer.text(part);
    calls.forEach((call, index) => {
      writer.callStart(`call_${index}`, call.name);
      for (const part of cut(JSON.stringify(call.value), size)) writer.callDelta(part);
      writer.callEnd();
    });
    writer.usage({ inputTokens: 3, outputTokens: 4, source: 'upstream' });
    writer.end(calls.length > 0 ? 'tool-calls' : 'stop');
  });
}

describe('any reply in any granularity', () => {
  it('A-155 A-156 A-159 A-161 B-193 B-194 suits the grammar and both collectors, and reads back as the same events', () => {
    fc.assert(
      fc.property(reply, (one) => {
        const list = eventsOf(one);
        expect(violationsOf(list)).toEqual([]);
        const text = stream(list, withUsage);
        expect(openaiChatViolations(text, { includeUsage: true })).toEqual([]);
        const collected = collect(list);
        const calls = collected.calls.map((call) => ({ id: call.callId, name: call.name, arguments: call.arguments }));
        const copilot = collectAsCopilot(cut(text, 7));
        expect(copilot).toMatchObject({ text: collected.text, calls, outcome: 'success', problems: [] });
        expect(collectAsAiSdk(text)).toMatchObject({ text: collected.text, calls, lost: [], errors: [] });

        const back = runStage(through(parseSse({ fail: () => {} }), createStreamReader(request)), cut(text, one.size));
        expect(violationsOf(back)).toEqual([]);
        const rawFinishReason = one.calls.length > 0 ? 'tool_calls' : 'stop';
        expect(back).toEqual(
          list.map((event): ChatEvent => {
            if (event.type === 'message-start') return { ...event, id: 'chatcmpl-0a1b2c' };
            return event.type === 'message-end' ? { ...event, rawFinishReason } : event;
          }),
        );
      }),
    );
  });

  it('A-169 B-082 one long argument keeps every byte', () => {
    const value = { content: ' \n\t  "{}\\'.repeat(120_000) };
    const list = eventsOf({ reasoning: null, text: null, calls: [{ name: 'write', value }], size: 100 });
    const text = stream(list);
    const back = runStage(through(parseSse({ fail: () => {} }), createStreamReader(request)), [text]);
    expect(JSON.parse(collect(back).calls[0]?.arguments ?? '')).toEqual(value);
  });
});
