import { numberMintedIds, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import { decodeNdjson } from '../../stream/ndjson-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import { readError } from '../read-upstream-error.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';

const request = readRequest({ model: 'asked', messages: [{ role: 'user', content: 'hi' }] });

/** The events of a list of lines, which always keep the grammar. */
function read(lines: readonly (object | string)[], cut?: DragomanError): ChatEvent[] {
  const inputs = lines.map((line) => ({ event: '', data: typeof line === 'string' ? line : JSON.stringify(line) }));
  const events = numberMintedIds(runStage(createStreamReader(request), inputs, cut));
  expect(violationsOf(events)).toEqual([]);
  return events;
}

const collected = (lines: readonly (object | string)[], cut?: DragomanError): CollectedMessage =>
  collect(read(lines, cut));
const part = (fields: object) => ({ model: 'm', message: { role: 'assistant', content: '', ...fields }, done: false });
const calls = (...list: object[]) => part({ tool_calls: list });
const call = (name: unknown, args?: unknown, id?: unknown) => ({ id, function: { name, arguments: args } });
const last = (fields: object = {}) => ({ ...part({}), done: true, done_reason: 'stop', ...fields });
const codes = (message: CollectedMessage) => message.warnings.map((warning) => warning.code);

describe('text, reasoning, usage', () => {
  it('tells once that probabilities were left out', () => {
    const likely = { ...part({ content: 'x' }), logprobs: [{ token: 'x', logprob: -0.1 }] };
    const { text, warnings } = collected([likely, likely, last()]);
    expect([text, warnings.map(({ code }) => code)]).toEqual(['xx', ['field-ignored']]);
  });

  it('reads thinking, content and counts', () => {
    const counts = { prompt_eval_count: 10, eval_count: 5, prompt_eval_cached_count: 4, total_duration: 9 };
    const message = collected([part({ thinking: 'a' }), part({ thinking: 'b' }), part({ content: 'x' }), last(counts)]);
    expect(message).toMatchObject({
      model: 'm',
      reasoning: 'ab',
      text: 'x',
      finishReason: 'stop',
      rawFinishReason: 'stop',
    });
    expect(message.usage).toEqual({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, source: 'upstream' });
  });

  it('claims no usage where the prompt was not counted', () => {
    expect(collected([last({ eval_count: 5 })])).not.toHaveProperty('usage');
    expect(collected([last({ prompt_eval_count: 5 })]).usage).toMatchObject({ inputTokens: 5, outputTokens: 0 });
  });

  it('reads what the last line still says', () => {
    expect(collected([last({ message: { role: 'assistant', content: 'all' } })]).text).toBe('all');
  });
});

describe('calls', () => {
  it('E-036 writes object arguments as JSON text once, and keeps the ids that came', () => {
    const message = collected([calls(call('a', { p: [1, { q: 'é' }] }, 'x')), calls(call('b', {}, 'y')), last()]);
    expect(message.calls).toEqual([
      { callId: 'x', name: 'a', arguments: '{"p":[1,{"q":"é"}]}' },
      { callId: 'y', name: 'b', arguments: '{}' },
    ]);
    expect(message).toMatchObject({ finishReason: 'tool-calls', warnings: [] });
  });

  it('mints ids for calls without one or with that of another call, and says so', () => {
    const message = collected([calls(call('a'), call('a', {}, 'x'), call('b', {}, 'x'), call('b', null, '')), last()]);
    expect(message.calls.map(({ callId }) => callId)).toEqual(['minted_1', 'x', 'minted_2', 'minted_3']);
    expect(codes(message)).toEqual(['id-repaired', 'id-repaired', 'id-repaired']);
  });

  it('reads argument text, and reports a call that has no name or no object', () => {
    const message = collected([
      calls(call('a', ' {"p": 1}\n'), call('b', '{"p":'), call('', {}), call('c', [1]), call('d', 7), {}),
      part({ tool_calls: ['x', null] }),
      last(),
    ]);
    expect(message.calls.map((one) => [one.name, one.arguments])).toEqual([['a', '{"p": 1}']]);
    expect(codes(message).filter((code) => code === 'call-cut')).toHaveLength(7);
    expect(message.warnings.at(-1)?.message).toContain('null');
  });

  it('keeps text, reasoning and calls in the order in which they came', () => {
    const { content } = collected([
      part({ content: 'a' }),
      calls(call('x')),
      part({ thinking: 'b', content: 'c' }),
      last(),
    ]);
    expect(content.map((one) => one.type)).toEqual(['text', 'tool-call', 'reasoning', 'text']);
  });
});

describe('how a stream ends', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'stop'],
    ['something', 'stop'],
  ])('maps %s to %s and keeps the word', (word, reason) => {
    expect(collected([last({ done_reason: word })])).toMatchObject({ finishReason: reason, rawFinishReason: word });
  });

  it('says length also after calls, and takes a last line without a reason for a good end', () => {
    expect(collected([calls(call('a')), last({ done_reason: 'length' })]).finishReason).toBe('length');
    expect(collected([last({ done_reason: undefined })])).toMatchObject({ finishReason: 'stop', complete: true });
  });

  it('never takes a mere end for success: what came stays, then the error', () => {
    const cut = collected([part({ content: 'a' })]);
    expect(cut).toMatchObject({ text: 'a', complete: false });
    expect(cut.error?.code).toBe('upstream-cut');
    expect(collected([]).error?.code).toBe('upstream-cut');
    const reason = new DragomanError('idle-timeout', 'x');
    expect(collected([part({ content: 'a' })], reason).error).toBe(reason);
    expect(collected([last()], reason).complete).toBe(true);
  });

  it('reads an error line at any place, with its status where it has one', () => {
    const failed = collected([part({ content: 'a' }), { error: 'model runner has stopped' }, last()]);
    expect(failed).toMatchObject({ text: 'a', complete: false, error: { code: 'upstream-failed' } });
    expect(failed.error?.message).toContain('runner has stopped');
    expect(collected([{ error: 'slow down', status_code: 429 }]).error?.code).toBe('upstream-rate-limited');
  });

  it('reports what is plainly no line and goes on', () => {
    const message = collected(['oops', '[]', '', '['.repeat(600), part({ content: 'a' }), '7', last()]);
    expect(message).toMatchObject({ text: 'a', complete: true });
    expect(codes(message)).toEqual(['event-unreadable', 'event-unreadable', 'event-unreadable', 'event-unreadable']);
  });
});

describe('a whole answer', () => {
  it('says what its stream says', () => {
    const whole = {
      model: 'm',
      message: { role: 'assistant', content: 'x', thinking: 'h', tool_calls: [call('a', { p: 1 })] },
    };
    const end = { done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 2 };
    const events = numberMintedIds(readMessage({ ...whole, ...end }, request));
    expect(violationsOf(events)).toEqual([]);
    const streamed = collected([
      part({ thinking: 'h' }),
      part({ content: 'x' }),
      calls(call('a', { p: 1 })),
      last(end),
    ]);
    expect(collect(events)).toEqual(streamed);
  });

  it('is an error when it broke off, says so itself or is none', () => {
    expect(collect(readMessage({ message: { content: 'a' } }, request)).error?.code).toBe('upstream-cut');
    expect(collect(readMessage({ error: 'no' }, request)).error?.code).toBe('upstream-failed');
    for (const body of [{}, [], null, 'text']) expect(() => readMessage(body, request)).toThrow('/api/chat');
  });
});

describe('readError', () => {
  it.each([
    [400, 'upstream-refused'],
    [404, 'upstream-refused'],
    [429, 'upstream-rate-limited'],
    [500, 'upstream-failed'],
    [503, 'upstream-overloaded'],
  ])('tells %i as %s, with the words of the server', (status, code) => {
    const error = readError(status, { error: 'model "x" not found' });
    expect(error).toMatchObject({ code, upstreamStatus: status });
    expect(error.message).toContain('model "x" not found');
  });

  it('knows a prompt that is too long by the words of the server', () => {
    const words = { error: 'the input length exceeds the context length' };
    expect(readError(400, words).code).toBe('context-too-long');
    expect(readError(404, words).code).toBe('upstream-refused');
  });

  it('does not pass on what was said of a key that was refused', () => {
    const error = readError(401, { error: 'invalid key sk-secret' });
    expect(error.code).toBe('upstream-unauthorized');
    expect(error.message).not.toContain('secret');
  });

  it('bounds foreign words and passes no page on', () => {
    expect(readError(500, { error: 'x'.repeat(5000) }).message.length).toBeLessThan(1100);
    expect(readError(500, '<html>secret</html>').message).not.toContain('secret');
    expect(readError(500, { error: { message: 'nested' } }).message).toContain('nested');
    expect(readError(500, '').message).toContain('no message');
  });
});

describe('cuts', () => {
  const lines = [part({ thinking: 'Grüße' }), part({ content: '🦜' }), calls(call('a', { p: '🦜\n' }, 'x')), last()];
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const reader = () =>
    through(
      decodeNdjson({
        fail: (error) => {
          throw error;
        },
      }),
      createStreamReader(request),
    );

  it('do not change the events, wherever they fall', () => {
    const whole = numberMintedIds(runStage(reader(), [bytes]));
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(runStage(reader(), [bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
    }
    expect(
      runStage(
        reader(),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });

  it('any lines keep the grammar and never throw', () => {
    const some = fc.record(
      { message: fc.jsonValue(), done: fc.boolean(), error: fc.option(fc.jsonValue()) },
      { requiredKeys: [] },
    );
    const tools = fc
      .array(fc.record({ id: fc.constantFrom('a', '', 'b'), function: fc.jsonValue() }))
      .map((list) => calls(...list));
    fc.assert(fc.property(fc.array(fc.oneof(some, tools, fc.string())), (list) => void read(list)));
  });
});
