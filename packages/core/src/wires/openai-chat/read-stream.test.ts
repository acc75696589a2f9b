import { numberMintedIds, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import { decodeSse } from '../../stream/sse-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import { mintCallId } from '../reply-calls.ts';
import type { Quirks } from '../wire.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';

const request = readRequest({ model: 'asked', messages: [{ role: 'user', content: 'hi' }] });

interface Setup {
  readonly quirks?: Quirks;
  readonly cut?: DragomanError;
}

/** The events of a list of frames, which always keep the grammar. Minted ids are counted. */
function read(frames: readonly (object | string)[], { quirks = {}, cut }: Setup = {}): ChatEvent[] {
  const reader = createStreamReader(request, quirks);
  const inputs = frames.map((frame) => ({
    event: '',
    data: typeof frame === 'string' ? frame : JSON.stringify(frame),
  }));
  const events = numberMintedIds(runStage(reader, inputs, cut));
  expect(violationsOf(events)).toEqual([]);
  return events;
}

const collected = (frames: readonly (object | string)[], setup?: Setup): CollectedMessage =>
  collect(read(frames, setup));
const delta = (fields: object) => ({
  id: 'c1',
  model: 'm',
  choices: [{ index: 0, delta: fields, finish_reason: null }],
});
const calls = (...fragments: object[]) => delta({ tool_calls: fragments });
const finish = (word: string) => ({ choices: [{ index: 0, delta: {}, finish_reason: word }] });
const done = '[DONE]';
const about = (name: string | undefined, text?: unknown) => ({
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
});
const codes = (message: CollectedMessage) => message.warnings.map((warning) => warning.code);

describe('text, reasoning, usage', () => {
  it('reads the parts of models that think in them, streamed and whole, and tells what it cannot read', () => {
    const thinking = (...words: string[]) => ({
      type: 'thinking',
      thinking: words.map((text) => ({ type: 'text', text })),
    });
    const reference = { type: 'reference', reference_ids: [1] };
    const content = [thinking('Let me ', 'see.'), { type: 'text', text: 'It is 4.' }, reference, reference];
    const pieces = [[thinking('Let me ')], [thinking('see.')], [{ type: 'text', text: 'It is ' }], [reference]];
    const streamed = collected([
      ...pieces.map((each) => delta({ content: each })),
      delta({ content: '4.' }),
      delta({ content: [reference] }),
      finish('stop'),
    ]);
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    for (const message of [streamed, collect(readMessage({ choices }, request))]) {
      expect(message).toMatchObject({ reasoning: 'Let me see.', text: 'It is 4.', complete: true });
      expect(codes(message)).toEqual(['field-ignored']);
    }
  });

  it('tells once that probabilities were left out', () => {
    const logprobs = { content: [{ token: 'x', logprob: -0.1 }] };
    const likely = { choices: [{ index: 0, delta: { content: 'x' }, logprobs, finish_reason: null }] };
    const message = collected([likely, likely, finish('stop'), done]);
    expect(message.text).toBe('xx');
    expect(codes(message)).toEqual(['field-ignored']);
  });

  it('reads text, refusals and reasoning under each of its names', () => {
    const message = collected([
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'a', reasoning: 'a' }),
      delta({ reasoning: 'b' }),
      delta({ reasoning_text: 'c' }),
      delta({ content: 'x' }),
      delta({ content: [{ type: 'text', text: 'y' }] }),
      delta({ refusal: 'z', content: null }),
      finish('stop'),
      done,
    ]);
    expect(message).toMatchObject({ id: 'c1', model: 'm', reasoning: 'abc', text: 'xyz', finishReason: 'stop' });
    expect(message.content.slice(1)).toEqual([
      { type: 'text', text: 'xy' },
      { type: 'text', text: 'z', refusal: true },
    ]);
  });

  it('B-092 takes usage from any chunk, the last one counts, and derives what is missing', () => {
    const usage = (fields: object) => ({ choices: [], usage: fields });
    const message = collected([
      { ...delta({ content: 'a' }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
      finish('stop'),
      usage({
        prompt_tokens: 10,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      }),
      { choices: [], usage: null },
      done,
    ]);
    expect(message.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 4,
      reasoningTokens: 2,
      source: 'upstream',
    });
  });

  it('reads only the first choice', () => {
    const message = collected([
      { choices: [{ index: 1, delta: { content: 'no' } }] },
      delta({ content: 'yes' }),
      finish('stop'),
    ]);
    expect(message.text).toBe('yes');
  });
});

describe('how a stream ends', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['end_turn', 'stop'],
    ['tool_calls', 'stop'],
  ])('E-077 maps %s to %s without calls, and keeps the word', (word, reason) => {
    expect(collected([delta({ content: 'a' }), finish(word)])).toMatchObject({
      finishReason: reason,
      rawFinishReason: word,
    });
  });

  it('E-077 says tool-calls when calls came with stop, and length when it was length', () => {
    const call = calls({ index: 0, id: 'a', ...about('read', '{}') });
    expect(collected([call, finish('stop')]).finishReason).toBe('tool-calls');
    expect(collected([call, finish('length')]).finishReason).toBe('length');
  });

  it('B-095 takes [DONE] without a finish reason for a good end, and a mere end for a cut that keeps the text', () => {
    expect(collected([delta({ content: 'a' }), done])).toMatchObject({ finishReason: 'stop', complete: true });
    const cut = collected([delta({ content: 'a' })]);
    expect(cut).toMatchObject({ text: 'a', complete: false });
    expect(cut.error?.code).toBe('upstream-cut');
  });

  it('passes a cut on, unless the reply had ended before it', () => {
    const cut = new DragomanError('idle-timeout', 'x');
    expect(collected([delta({ content: 'a' })], { cut }).error).toBe(cut);
    expect(collected([], { cut }).error).toBe(cut);
    expect(collected([delta({ content: 'a' }), finish('stop')], { cut }).complete).toBe(true);
    expect(collected([delta({ content: 'a' }), done], { cut }).complete).toBe(true);
  });

  it.each(['error', 'abort', 'insufficient_system_resource'])('takes the finish reason %s for a failure', (word) => {
    expect(collected([delta({ content: 'a' }), finish(word), done]).error?.code).toBe('upstream-failed');
  });

  it.each([
    [{ error: { message: 'too many', code: 429 } }, 'upstream-rate-limited'],
    [{ error: { message: 'long', code: 'context_length_exceeded' } }, 'context-too-long'],
    [{ error: 'plain words' }, 'upstream-failed'],
    [{ object: 'error', message: 'vllm', code: 400 }, 'upstream-refused'],
    [
      { error: { message: 'late' }, choices: [{ index: 0, delta: { content: '!' }, finish_reason: 'error' }] },
      'upstream-failed',
    ],
  ])('B-100 takes an error object for a failure and reads nothing after it: %j', (frame, code) => {
    const message = collected([delta({ content: 'a' }), frame, delta({ content: 'late' }), finish('stop'), done]);
    expect(message.error?.code).toBe(code);
    expect(message.text).toMatch(/^a!?$/);
  });

  it('B-099 passes over what is plainly no frame and tells it, also before the first good one', () => {
    const message = collected([
      '<html>',
      '7',
      delta({ content: 'a' }),
      'oops',
      delta({ content: 'b' }),
      '',
      finish('stop'),
    ]);
    expect(message.text).toBe('ab');
    expect(codes(message)).toEqual(['event-unreadable', 'event-unreadable', 'event-unreadable']);
  });

  it('is cut where a piece of the reply may have been lost', () => {
    const endless = `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"a","arguments":${'{"a":'.repeat(20_000)}1`;
    for (const lost of ['{"cho', 'content":"a"}}]}', `${endless}${'}'.repeat(20_000)}}}]}}]}`]) {
      const message = collected([delta({ content: 'a' }), lost, delta({ content: 'b' }), finish('stop'), done]);
      expect(message).toMatchObject({ text: 'a', complete: false, error: { code: 'upstream-cut' } });
    }
    expect(collected([delta({ content: 'a' }), finish('stop'), '{"usage":', done]).complete).toBe(true);
  });
});

describe('calls', () => {
  const readA = { callId: 'a', name: 'read', arguments: '{"x":1}' };

  it('E-002 E-003 E-030 joins fragments by index and keeps the id of the first one', () => {
    const message = collected([
      calls({ index: 0, id: 'call_abc123', type: 'function', ...about('read', '') }),
      calls({ index: 0, ...about(undefined, '{"x"') }),
      calls({ index: 0, id: '', ...about('', ':1}') }),
      calls({ index: 1, id: 'b', ...about('list', '{}') }),
      finish('tool_calls'),
      done,
    ]);
    expect(message.calls).toEqual([
      { ...readA, callId: 'call_abc123' },
      { callId: 'b', name: 'list', arguments: '{}' },
    ]);
    expect(message).toMatchObject({ finishReason: 'tool-calls', warnings: [] });
  });

  it('streams arguments as they come', () => {
    const events = read([
      calls({ index: 0, id: 'a', ...about('read', '') }),
      calls({ index: 0, ...about(undefined, '{"x') }),
      calls({ index: 0, ...about(undefined, '":1}') }),
      finish('tool_calls'),
    ]);
    expect(events.map((event) => (event.type === 'tool-call-delta' ? event.text : event.type))).toEqual([
      'message-start',
      'tool-call-start',
      '{"x',
      '":1}',
      'tool-call-end',
      'message-end',
    ]);
  });

  it('E-004 waits for a late id', () => {
    const frames = [
      calls({ index: 0, ...about('read', '{"x"') }),
      calls({ index: 0, id: 'a', ...about(undefined, ':1}') }),
      finish('stop'),
    ];
    expect(collected(frames)).toMatchObject({ calls: [readA], warnings: [] });
  });

  it('E-005 opens a new call for a second id with a name on one index, and keeps the first id without a name', () => {
    const reused = collected([
      calls({ index: 0, id: 'a', ...about('read', '{"x":1}') }),
      calls({ index: 0, id: 'b', ...about('list', '') }),
      calls({ index: 0, id: 'b', ...about(undefined, '{}') }),
      finish('tool_calls'),
    ]);
    expect(reused.calls).toEqual([readA, { callId: 'b', name: 'list', arguments: '{}' }]);
    const noisy = collected([
      calls({ index: 0, id: 'a', ...about('read', '{"x"') }),
      calls({ index: 0, id: 'zzz', ...about(undefined, ':1}') }),
      finish('tool_calls'),
    ]);
    expect(noisy.calls).toEqual([readA]);
    expect(codes(noisy)).toEqual(['id-repaired']);
  });

  it('E-008 E-066 A-244 mints an id for a call without one and for a repeated one, and says so', () => {
    const message = collected([
      calls({ index: 0, ...about('read', '{"x":1}') }),
      calls({ index: 1, id: 'a', ...about('read', '{}') }),
      calls({ index: 2, id: 'a', ...about('list', '{}') }),
      finish('tool_calls'),
    ]);
    expect(message.calls.map((call) => call.callId)).toEqual(['minted_1', 'a', 'minted_2']);
    expect(codes(message)).toEqual(['id-repaired', 'id-repaired']);
  });

  it('A-243 A-245 mints ids of 24 hexadecimal digits that do not repeat', () => {
    const ids = Array.from({ length: 10_000 }, mintCallId);
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('E-011 attaches fragments without index by id, else to the last call, and separates calls by name', () => {
    const message = collected([
      calls({ id: 'a', ...about('read', '{"x"') }),
      calls({ id: 'b', ...about('list', '{') }),
      calls({ id: 'a', ...about(undefined, ':1}') }),
      calls(about(undefined, '}')),
      finish('tool_calls'),
    ]);
    expect(message.calls).toEqual([readA, { callId: 'b', name: 'list', arguments: '{}' }]);
    const nameless = collected([
      calls(about('read', '{}')),
      calls(about('read', '{"x":1}')),
      calls(about('list')),
      done,
    ]);
    expect(nameless.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['read', '{}'],
      ['read', '{"x":1}'],
      ['list', '{}'],
    ]);
    expect(codes(nameless)).toContain('id-repaired');
  });

  it('E-032 does not double a repeated name, and keeps the arguments and the id beside it', () => {
    const message = collected([
      calls({ index: 0, ...about('read', '{"x"') }),
      calls({ index: 0, id: 'a', ...about('read', ':1}') }),
      finish('tool_calls'),
    ]);
    expect(message).toMatchObject({ calls: [readA], warnings: [] });
  });

  it('E-033 joins a split name where the quirk says so', () => {
    const frames = [
      calls({ index: 0, id: 'a', ...about('read') }),
      calls({ index: 0, ...about('_file') }),
      calls({ index: 0, ...about('read_file', '{}') }),
      finish('tool_calls'),
    ];
    expect(collected(frames, { quirks: { splitNames: true } }).calls[0]?.name).toBe('read_file');
    expect(collected(frames).calls[0]?.name).toBe('read');
  });

  it('E-034 E-042 reports a call that is broken at the end, and says nothing before', () => {
    const frames = [calls({ index: 0, id: 'a', ...about('read', '{"a":') }), finish('tool_calls'), done];
    expect(read(frames.slice(0, 1)).filter((event) => event.type === 'warning')).toHaveLength(1);
    const message = collected(frames);
    expect(message).toMatchObject({ calls: [], finishReason: 'stop', complete: true });
    expect(codes(message)).toEqual(['call-cut']);
    expect(message.warnings[0]?.message).toContain('{\\"a\\":');
  });

  it.each([
    ['', '{}'],
    [undefined, '{}'],
    ['null', '{}'],
    ['""', '{}'],
    ['  ', '{}'],
    [' {"x":1} ', ' {"x":1}'],
    [{ x: 1 }, '{"x":1}'],
  ])('E-035 E-036 reads the arguments %j as %s', (text, expected) => {
    const message = collected([calls({ index: 0, id: 'a', ...about('read', text) }), finish('stop')]);
    expect(message).toMatchObject({ calls: [{ arguments: expected }], warnings: [] });
  });

  it.each(['[1]', '5', 'read it', '{"a": 1', '"text"'])('reports the arguments %s, which are no object', (text) => {
    const message = collected([calls({ index: 0, id: 'a', ...about('read', text) }), finish('stop')]);
    expect(message.calls).toEqual([]);
    expect(codes(message)).toEqual(['call-cut']);
  });

  it.each([
    [['{"deep":True}'], '{"deep":True}'],
    [["{'a':", ' 1,}', ' '], "{'a': 1,}"],
    [['{"a" 1}', '}'], '{"a" 1}'],
  ])('E-054 passes a closed object on as it was written, for whoever knows its schema: %j', (slices, expected) => {
    const [first, ...others] = slices;
    const reader = createStreamReader(request);
    const frames = [
      calls({ index: 0, id: 'a', ...about('read', first) }),
      ...others.map((text) => calls({ index: 0, ...about(undefined, text) })),
      finish('tool_calls'),
    ];
    const events = runStage(
      reader,
      frames.map((frame) => ({ event: '', data: JSON.stringify(frame) })),
    );
    expect(violationsOf(events)).toEqual([expect.stringContaining('has arguments that are not a JSON object')]);
    expect(collect(events)).toMatchObject({
      calls: [{ callId: 'a', name: 'read', arguments: expected }],
      finishReason: 'tool-calls',
    });
  });

  it('E-053 unwraps arguments that were escaped twice, and drops what follows a whole object', () => {
    const end = finish('tool_calls');
    const twice = collected([calls({ index: 0, id: 'a', ...about('read', JSON.stringify('{"x":1}')) }), end]);
    expect(twice.calls).toEqual([readA]);
    const surplus = collected([calls({ index: 0, id: 'a', ...about('read', '{"x":1}{"y":2}') }), end]);
    expect(surplus.calls).toEqual([readA]);
    expect([...codes(twice), ...codes(surplus)]).toEqual(['json-repaired', 'json-repaired']);
  });

  it('E-037 reads cumulative arguments where the quirk says so', () => {
    const frames = [
      calls({ index: 0, id: 'a', ...about('read', '{"x"') }),
      calls({ index: 0, ...about(undefined, '{"x":1') }),
      calls({ index: 0, ...about(undefined, '{"x":1}') }),
      finish('tool_calls'),
    ];
    expect(collected(frames, { quirks: { cumulativeArguments: true } }).calls).toEqual([readA]);
  });

  it('E-038 E-031 puts interleaved calls in order', () => {
    const message = collected([
      calls({ index: 0, id: 'a', ...about('read') }, { index: 1, id: 'b', ...about('list') }),
      calls({ index: 1, ...about(undefined, '{"d"') }, { index: 0, ...about(undefined, '{"x"') }),
      delta({ content: 'between' }),
      calls({ index: 1, ...about(undefined, ':2}') }, { index: 0, ...about(undefined, ':1}') }),
      finish('tool_calls'),
    ]);
    expect(message.content).toEqual([
      { type: 'tool-call', ...readA },
      { type: 'tool-call', callId: 'b', name: 'list', arguments: '{"d":2}' },
      { type: 'text', text: 'between' },
    ]);
  });

  it('streams the second call as soon as the first is whole', () => {
    const events = read([
      calls({ index: 0, id: 'a', ...about('read', '{"x":1}') }),
      calls({ index: 1, id: 'b', ...about('list', '{"d"') }),
    ]);
    expect(events.map((event) => event.type)).toContain('tool-call-end');
    expect(events.filter((event) => event.type === 'tool-call-delta')).toHaveLength(2);
  });

  it('E-039 reports a call without a name and does not deliver it', () => {
    const message = collected([calls({ index: 0, id: 'a', ...about(undefined, '{"x":1}') }), finish('tool_calls')]);
    expect(message).toMatchObject({ calls: [], finishReason: 'stop' });
    expect(codes(message)).toEqual(['call-cut']);
  });

  it('E-041 delivers no half call when the reply breaks off, and keeps the text', () => {
    const events = read([
      calls({ index: 0, id: 'a', ...about('read', '{"x"') }),
      calls({ index: 1, id: 'b', ...about('list', '{}') }),
      delta({ content: 'text' }),
    ]);
    expect(events.some((event) => event.type === 'tool-call-end')).toBe(false);
    expect(collect(events)).toMatchObject({ text: 'text', calls: [], complete: false });
    expect(codes(collect(events))).toEqual(['call-cut', 'call-cut']);
  });

  it('keeps text before and after calls, and reads the older function_call', () => {
    const message = collected([
      delta({ content: 'one ' }),
      calls({ index: 0, id: 'a', ...about('read', '{"x":1}') }),
      delta({ content: 'two' }),
      delta({ function_call: { name: 'list', arguments: '{}' } }),
      finish('function_call'),
    ]);
    expect(message).toMatchObject({ text: 'one two', finishReason: 'tool-calls' });
    expect(message.calls.map((call) => call.name)).toEqual(['read', 'list']);
  });
});

describe('cuts', () => {
  it('B-093 E-010 gives the same events at every cut of the bytes', () => {
    const frames = [
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'grüße 🦜' }),
      calls({ index: 0, id: 'a', ...about('read', '') }),
      calls({ index: 0, ...about(undefined, '{"x":"é"}') }),
      finish('tool_calls'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ];
    const text = `${frames.map((frame) => `data: ${JSON.stringify(frame)}\r\n\r\n`).join(': x\r\n')}data: [DONE]\n\n`;
    const bytes = new TextEncoder().encode(text);
    const reader = through(decodeSse({ fail: () => {} }), createStreamReader(request));
    const whole = runStage(reader, [bytes]);
    expect(collect(whole)).toMatchObject({ text: 'grüße 🦜', calls: [{ arguments: '{"x":"é"}' }], complete: true });
    for (let at = 1; at < bytes.length; at += 1) {
      expect(runStage(reader, [bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
      const broken = collect(runStage(reader, [bytes.slice(0, at)], new DragomanError('upstream-cut', 'gone')));
      expect(broken.complete || broken.error !== undefined).toBe(true);
    }
  });
});

describe('readMessage', () => {
  const message = {
    role: 'assistant',
    content: 'hello',
    reasoning_content: 'hm',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"x":1}' } },
      { id: '', type: 'function', function: { name: 'list', arguments: '' } },
      { type: 'function', function: { name: 'other', arguments: {} } },
    ],
  };

  it('E-014 reads a whole answer like a stream of it', () => {
    const events = readMessage(
      {
        id: 'c9',
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      },
      request,
    );
    expect(violationsOf(events)).toEqual([]);
    const answer = collect(events);
    expect(answer).toMatchObject({ id: 'c9', text: 'hello', reasoning: 'hm', finishReason: 'tool-calls' });
    expect(answer.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['read', '{"x":1}'],
      ['list', '{}'],
      ['other', '{}'],
    ]);
    expect(answer.calls[0]?.callId).toBe('a');
    expect(answer.usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });

  it('B-076 reads missing, null and empty content as an empty answer', () => {
    for (const content of [undefined, null, '']) {
      const events = readMessage(
        { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] },
        request,
      );
      expect(collect(events)).toMatchObject({ model: 'asked', text: '', complete: true });
    }
  });

  it('reads an error body as an error event', () => {
    expect(collect(readMessage({ error: { message: 'no' } }, request)).error?.message).toContain('no');
  });

  it('B-094 refuses what is not an answer, and hints at credentials for a web page without quoting it', () => {
    for (const body of [
      '<html>secret</html>',
      null,
      7,
      [],
      {},
      { choices: [] },
      { choices: ['a', { message: 'b' }] },
    ]) {
      expect(() => readMessage(body, request)).toThrow(expect.objectContaining({ code: 'upstream-unreadable' }));
    }
    expect(() => readMessage('<html>secret</html>', request)).toThrow(/credentials/);
    expect(() => readMessage('<html>secret</html>', request)).not.toThrow(/secret/);
  });
});

it('knows Ollama by its fingerprint: it leaves out of a prompt what does not fit', () => {
  const usages = (fingerprint: string) => {
    const body = {
      id: 'c',
      model: 'm',
      system_fingerprint: fingerprint,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
    };
    const events = readMessage(body, request);
    return events.flatMap((event) => (event.type === 'usage' ? [event.usage.truncates] : []));
  };
  expect(usages('fp_ollama')).toEqual([true]);
  expect(usages('fp_other')).toEqual([undefined]);
});
