import { checkEvents, numberMintedIds, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { replayMessage } from '../../chat/replay.ts';
import { DragomanError } from '../../errors.ts';
import { parseSse } from '../../stream/sse-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

const request = readRequest({ model: 'asked', input: 'Hi' });
type Event = { readonly type: string; readonly [field: string]: unknown };

/** What a stream of events reads as; the grammar of chat events is checked on the way. */
function readAll(events: readonly (Event | string)[], cut?: DragomanError): ChatEvent[] {
  const violations: string[] = [];
  const stage = through(
    createStreamReader(request),
    checkEvents((violation) => violations.push(violation)),
  );
  const frames = events.map((event) => ({
    event: '',
    data: typeof event === 'string' ? event : JSON.stringify(event),
  }));
  const read = numberMintedIds(runStage(stage, frames, cut));
  expect(violations).toEqual([]);
  return read;
}

const reading = (events: readonly (Event | string)[], cut?: DragomanError): CollectedMessage =>
  collect(readAll(events, cut));
const codes = ({ warnings }: CollectedMessage) => warnings.map(({ code }) => code);

const event = (type: string, fields: object = {}): Event => ({ type: `response.${type}`, ...fields });
const created = event('created', { response: { id: 'resp_9', model: 'real', status: 'in_progress' } });
const completed = (output: readonly object[] = [], more: object = {}) =>
  event('completed', { response: { id: 'resp_9', status: 'completed', output, ...more } });
const message = (words: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: words }],
  ...more,
});
const call = (json: string, more: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read',
  arguments: json,
  ...more,
});
const added = (item: object, index?: number) => event('output_item.added', { output_index: index, item });
const done = (item: object, index?: number) => event('output_item.done', { output_index: index, item });
const delta = (words: string, more: object = {}) =>
  event('output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: words, ...more });
const args = (json: string, more: object = {}) =>
  event('function_call_arguments.delta', { item_id: 'fc_1', output_index: 0, delta: json, ...more });
const usage = {
  input_tokens: 5,
  output_tokens: 3,
  total_tokens: 8,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens_details: { reasoning_tokens: 1 },
};

describe('what is said twice', () => {
  const argsDone = (json: string) =>
    event('function_call_arguments.done', { item_id: 'fc_1', output_index: 0, arguments: json });
  const textDone = (words: string) => event('output_text.done', { item_id: 'msg_1', output_index: 0, text: words });
  const failed = { complete: false, error: { code: 'upstream-cut' } };

  it('is the same also in other white space', () => {
    const read = reading([
      created,
      added(call(''), 0),
      args('{"path": '),
      args('"a"}'),
      argsDone('{"path":"a"}'),
      done(call('{ "path": "a" }'), 0),
      completed([call('{"path":"a"}')]),
    ]);
    expect(read).toMatchObject({ complete: true, warnings: [], calls: [{ arguments: '{"path": "a"}' }] });
    expect(reading([created, delta(' Hi'), textDone('Hi'), completed([message('Hi\n')])])).toMatchObject({
      complete: true,
      warnings: [],
    });
  });

  it.each([
    ['where its pieces end', [argsDone('{"path":"ab"}'), completed()]],
    ['where its item ends', [done(call('{"path":"ab"}'), 0), completed()]],
    ['at the end', [completed([call('{"path":"ab"}')])]],
    [
      'at the end, after its own',
      [argsDone('{"path":"a"}'), done(call('{"path":"a"}'), 0), completed([call('{"path":"ab"}')])],
    ],
  ])('cuts a call that says something else as a whole, %s', (_, events) => {
    const read = reading([created, added(call(''), 0), args('{"path":'), args('"a"}'), ...events]);
    expect(read).toMatchObject(failed);
    expect(read.calls.map((each) => each.arguments)).not.toContain('{"path":"ab"}');
  });

  it('cuts a text that says something else as a whole', () => {
    for (const events of [
      [textDone('Hello'), completed()],
      [done(message('Hello'), 0)],
      [completed([message('Hello')])],
    ]) {
      expect(reading([created, delta('Hel'), delta('o'), ...events])).toMatchObject({ ...failed, text: 'Helo' });
    }
  });

  it('counts as a whole while nothing has left', () => {
    const other = { ...call('', { id: 'fc_2', call_id: 'call_2' }) };
    const read = reading([
      created,
      added(call(''), 0),
      added(other, 1),
      event('function_call_arguments.delta', { item_id: 'fc_2', output_index: 1, delta: '{"path":"' }),
      event('function_call_arguments.delta', { item_id: 'fc_2', output_index: 1, delta: '"}' }),
      done({ ...other, arguments: '{"path":"b"}' }, 1),
      args('{"path":"a"}'),
      done(call('{"path":"a"}'), 0),
      completed(),
    ]);
    expect(read).toMatchObject({
      complete: true,
      calls: [{ arguments: '{"path":"a"}' }, { arguments: '{"path":"b"}' }],
    });
  });

  it('is not a second reply in the first', () => {
    expect(reading([created, added(call(''), 0), args('{"path":"a'), created, args('"}'), completed()])).toMatchObject({
      ...failed,
      calls: [],
    });
  });

  it('tells that the reply was cut at the limit, where only its numbers say so', () => {
    const limited = readRequest({ model: 'asked', input: 'Hi', max_output_tokens: 16 });
    const end = (tokens: number) => ({
      status: 'completed',
      output: [message('Hi')],
      usage: { ...usage, output_tokens: tokens },
    });
    const reasonOf = (tokens: number) => collect(readMessage({ id: 'r', ...end(tokens) }, limited)).finishReason;
    expect([15, 16, 17].map(reasonOf)).toEqual(['stop', 'length', 'length']);
    expect(collect(readMessage({ id: 'r', ...end(99) }, request)).finishReason).toBe('stop');
  });
});

describe('a whole choreography', () => {
  it('C-050 C-051 C-055 C-070 reads text, a call and text in their order, once each, with ids and usage', () => {
    const text = message('Hello');
    const events = [
      created,
      event('queued', { response: {} }),
      event('in_progress', { response: {} }),
      added(message('', { content: [] }), 0),
      event('content_part.added', { item_id: 'msg_1', output_index: 0, part: { type: 'output_text', text: '' } }),
      delta('Hel'),
      delta('lo'),
      event('output_text.done', { item_id: 'msg_1', output_index: 0, text: 'Hello' }),
      event('content_part.done', { item_id: 'msg_1', output_index: 0, part: { type: 'output_text', text: 'Hello' } }),
      done(text, 0),
      added(call(''), 1),
      args('{"pa', { output_index: 1 }),
      args('th":1}', { output_index: 1 }),
      event('function_call_arguments.done', { item_id: 'fc_1', output_index: 1, arguments: '{"path":1}' }),
      done(call('{"path":1}'), 1),
      completed([text, call('{"path":1}')], { usage }),
    ];
    const read = reading(events);
    expect(read).toMatchObject({
      id: 'resp_9',
      model: 'real',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', callId: 'call_1', name: 'read', arguments: '{"path":1}' },
      ],
      usage: { inputTokens: 5, outputTokens: 3, cachedInputTokens: 2, reasoningTokens: 1, source: 'upstream' },
      finishReason: 'tool-calls',
      warnings: [],
    });
  });

  it('C-051 C-066 lets each piece leave before the next event is read, white space included', () => {
    const seen: ChatEvent[] = [];
    const stage = createStreamReader(request)((one) => seen.push(one));
    for (const words of ['a', '\n', ' ']) {
      stage.push({ event: '', data: JSON.stringify(delta(words)) });
      expect(seen.at(-1)).toMatchObject({ type: 'text-delta', text: words });
    }
  });

  it('takes the type from the event line when the JSON has none', () => {
    const stage = createStreamReader(request);
    const frames = [
      { event: 'response.output_text.delta', data: '{"delta":"a"}' },
      { event: 'response.completed', data: '{"response":{}}' },
    ];
    expect(collect(runStage(stage, frames))).toMatchObject({ text: 'a', complete: true });
  });

  it('C-060 reads reasoning under every name, paragraphs apart, with what was sealed', () => {
    const names = [
      'reasoning.delta',
      'reasoning_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary.delta',
    ];
    for (const name of names) {
      expect(reading([event(name, { delta: 'hm' }), completed()]).reasoning).toBe('hm');
    }
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      encrypted_content: 'xyz',
      summary: [
        { type: 'summary_text', text: 'one' },
        { type: 'summary_text', text: 'two' },
      ],
    };
    const summary = (index: number, words: string) =>
      event('reasoning_summary_text.delta', { item_id: 'rs_1', output_index: 0, summary_index: index, delta: words });
    const start = added({ ...item, summary: [], encrypted_content: undefined }, 0);
    const streamed = reading([start, summary(0, 'one'), summary(1, 'tw'), summary(1, 'o'), done(item, 0), completed()]);
    expect(streamed.content).toEqual([
      { type: 'reasoning', text: 'one\n\ntwo', extra: { 'openai-responses': { encrypted_content: 'xyz' } } },
    ]);
    expect(reading([completed([item])]).content).toEqual(streamed.content);
    expect(reading([completed([{ ...item, summary: [] }])]).content).toMatchObject([{ type: 'reasoning', text: '' }]);
  });

  it('C-059 a refusal is a text of its own kind, once', () => {
    const refusal = (words: string) => event('refusal.delta', { item_id: 'msg_1', output_index: 0, delta: words });
    const whole = event('refusal.done', { item_id: 'msg_1', output_index: 0, refusal: 'I will not.' });
    const item = message('', { content: [{ type: 'refusal', refusal: 'I will not.' }] });
    const events = [refusal('I will'), refusal(' not'), refusal('.'), whole, done(item, 0), completed([item])];
    expect(reading(events).content).toEqual([{ type: 'text', text: 'I will not.', refusal: true }]);
    expect(reading([completed([item])]).content).toEqual(reading(events).content);
  });
});

describe('what servers leave out or say twice', () => {
  it('tells once that probabilities were left out', () => {
    const logprobs = [{ token: 'Hi', logprob: -0.1 }];
    const about = { output_index: 0, content_index: 0, item_id: 'msg_1' };
    const told = reading([
      created,
      event('output_text.delta', { ...about, delta: 'H', logprobs }),
      event('output_text.delta', { ...about, delta: 'i', logprobs }),
      completed([]),
    ]);
    expect(told).toMatchObject({ text: 'Hi' });
    expect(codes(told)).toEqual(['field-ignored']);
    const part = { type: 'output_text', text: 'Hi', annotations: [], logprobs };
    const whole = readMessage({ status: 'completed', output: [{ type: 'message', content: [part] }] }, request);
    expect(codes(collect(whole))).toEqual(['field-ignored']);
  });

  it('C-052 text that comes only at the end of a part, of the item, or of the response', () => {
    const whole = event('output_text.done', { item_id: 'msg_1', output_index: 0, text: 'Hello' });
    for (const events of [[whole], [done(message('Hello'), 0)], []]) {
      expect(reading([...events, completed([message('Hello')])]).text).toBe('Hello');
      expect(reading([delta('Hel'), ...events, completed([message('Hello')])]).text).toBe('Hello');
    }
  });

  it('C-053 a call that comes whole in three places, or in any one of them, is one call', () => {
    const whole = event('function_call_arguments.done', { item_id: 'fc_1', output_index: 0, arguments: '{"a":1}' });
    const item = call('{"a":1}');
    for (const events of [
      [added(call(''), 0), whole, done(item, 0), completed([item])],
      [added(call(''), 0), whole, completed()],
      [added(call(''), 0), args('{"a"'), args(':1}'), completed()],
      [done(item, 0), completed()],
      [completed([item])],
      [added(call(''), 0), done(item, 0), '[DONE]'],
    ]) {
      expect(reading(events).calls).toEqual([{ callId: 'call_1', name: 'read', arguments: '{"a":1}' }]);
    }
  });

  it('C-054 the call id in the place of the item id, items that come twice, and ids that are numbered anew', () => {
    const swapped = [
      added(call('', { id: 'fc_1' }), 0),
      event('function_call_arguments.delta', { item_id: 'call_1', delta: '{}' }),
      completed([call('{}', { id: 'other' })]),
    ];
    expect(reading(swapped).calls).toHaveLength(1);
    const twice = [added(call(''), 0), added(call(''), 0), args('{}'), done(call('{}'), 0), done(call('{}'), 1)];
    expect(reading([...twice, completed([call('{}'), call('{}', { id: 'fc_2' })])]).calls).toHaveLength(1);
    const anew = [added(message('', { content: [] }), 3), delta('Hi', { output_index: 3 }), done(message('Hi'), 3)];
    expect(reading([...anew, completed([message('Hi', { id: 'msg_other' })])]).text).toBe('Hi');
  });

  it('keeps the only id that a call has, mints one where there is none, and for another call with the same id', () => {
    const bare = reading([completed([call('{}', { call_id: undefined })])]);
    expect(bare.calls[0]?.callId).toBe('fc_1');
    const none = reading([completed([call('{}', { id: undefined, call_id: undefined })])]);
    expect(none.calls[0]?.callId).toBe('minted_1');
    expect(codes(none)).toEqual(['id-repaired']);
    const two = [done(call('{"a":1}'), 0), done(call('{"a":2}', { id: 'fc_2' }), 1)];
    const read = reading([...two, completed()]);
    expect(read.calls.map(({ callId, arguments: json }) => [callId, json])).toEqual([
      ['call_1', '{"a":1}'],
      ['minted_1', '{"a":2}'],
    ]);
    expect(codes(read)).toEqual(['id-repaired']);
  });

  it('C-057 puts interleaved calls in order', () => {
    const second = { id: 'fc_2', call_id: 'call_2', name: 'list' };
    const events = [
      added(call(''), 0),
      added(call('', second), 1),
      args('{"a":', { output_index: 0 }),
      args('{"b":', { output_index: 1, item_id: 'fc_2' }),
      args('1}', { output_index: 0 }),
      args('2}', { output_index: 1, item_id: 'fc_2' }),
      done(call('{"b":2}', second), 1),
      done(call('{"a":1}'), 0),
      completed(),
    ];
    expect(reading(events).calls).toEqual([
      { callId: 'call_1', name: 'read', arguments: '{"a":1}' },
      { callId: 'call_2', name: 'list', arguments: '{"b":2}' },
    ]);
  });

  it('reads empty arguments as none, and an object as its JSON', () => {
    expect(reading([completed([call('')])]).calls[0]?.arguments).toBe('{}');
    expect(reading([completed([call('', { arguments: { a: 1 } })])]).calls[0]?.arguments).toBe('{"a":1}');
  });

  it('C-056 C-058 reports a call that breaks off or has no name, and calls nothing', () => {
    const broken = reading([added(call(''), 0), args('{"a":1'), completed()]);
    expect(broken.calls).toEqual([]);
    expect(codes(broken)).toEqual(['call-cut']);
    expect(broken.finishReason).toBe('stop');
    expect(codes(reading([completed([call('{}', { name: '' })])]))).toEqual(['call-cut']);
  });

  it('C-050 C-068 passes over events, items and frames that it does not know, and says so', () => {
    const read = reading([
      { ...created, sequence_number: 0 },
      { type: 'acme:tick', sequence_number: 1 },
      'no JSON',
      '',
      { ...delta('Hi'), sequence_number: 4 },
      event('output_text.annotation.added', { annotation: {} }),
      done({ type: 'web_search_call', id: 'ws' }, 1),
      completed(),
    ]);
    expect(read.text).toBe('Hi');
    expect(codes(read)).toEqual([
      'event-unreadable',
      'event-unreadable',
      'event-unreadable',
      'field-dropped',
      'field-dropped',
    ]);
  });

  it('reads a free tool as a call with one string', () => {
    const item = { type: 'custom_tool_call', id: 'ctc', call_id: 'c', name: 'patch', input: 'a "b"' };
    const events = [
      added({ ...item, input: '' }, 0),
      event('custom_tool_call_input.delta', { item_id: 'ctc', delta: 'a' }),
      done(item, 0),
      completed([item]),
    ];
    expect(reading(events).calls).toEqual([{ callId: 'c', name: 'patch', arguments: '{"input":"a \\"b\\""}' }]);
  });
});

describe('the end', () => {
  it('C-062 tells why a reply is not complete', () => {
    const incomplete = (reason: string) =>
      reading([
        delta('half'),
        event('incomplete', { response: { status: 'incomplete', incomplete_details: { reason } } }),
      ]);
    expect(incomplete('max_output_tokens')).toMatchObject({ finishReason: 'length', text: 'half', complete: true });
    expect(incomplete('content_filter').finishReason).toBe('content-filter');
  });

  it('C-063 tells failures apart by their own codes', () => {
    const failed = (error: object) => reading([delta('half'), event('failed', { response: { error } })]).error?.code;
    expect(failed({ code: 'server_error', message: 'x' })).toBe('upstream-failed');
    expect(failed({ code: 'rate_limit_exceeded', message: 'x' })).toBe('upstream-rate-limited');
    expect(failed({ code: 'context_length_exceeded', message: 'x' })).toBe('context-too-long');
    expect(failed({ message: 'who knows' })).toBe('upstream-failed');
    const nested = reading([{ type: 'error', error: { type: 'server_error', message: 'nested' } }]);
    expect(nested.error?.message).toContain('nested');
    const flat = reading([{ type: 'error', code: 'x', message: 'flat' }]);
    expect(flat.error?.message).toContain('flat');
  });

  it('C-067 needs no [DONE], and takes [DONE] for the end only after whole items', () => {
    const events = [delta('Hi'), done(message('Hi'), 0)];
    expect(reading([...events, completed()])).toEqual(reading([...events, completed(), '[DONE]']));
    expect(reading([...events, '[DONE]'])).toMatchObject({ complete: true, text: 'Hi' });
    expect(reading([delta('Hi'), '[DONE]']).error?.code).toBe('upstream-cut');
  });

  it('C-058 a stream that ends early is a failure, and its open call never runs', () => {
    expect(reading([created, delta('Hi')])).toMatchObject({
      text: 'Hi',
      complete: false,
      error: { code: 'upstream-cut' },
    });
    const cut = new DragomanError('idle-timeout', 'silent');
    const read = reading([added(call(''), 0), args('{"a":1}')], cut);
    expect(read).toMatchObject({ calls: [], error: { code: 'idle-timeout' } });
    expect(reading([]).error?.code).toBe('upstream-cut');
  });

  it('C-064 a reply without output is empty and good', () => {
    expect(reading([created, completed()])).toMatchObject({ content: [], finishReason: 'stop', complete: true });
  });
});

describe('a whole body', () => {
  it('reads as the stream of the same reply', () => {
    const body = { id: 'resp_9', model: 'real', status: 'completed', error: null, output: [message('Hi'), call('{}')] };
    const events = readMessage(body, request);
    expect(violationsOf(events)).toEqual([]);
    expect(collect(events)).toMatchObject({ id: 'resp_9', text: 'Hi', calls: [{ callId: 'call_1' }] });
  });

  it('is an error where it says so, and unreadable where it is something else', () => {
    const failed = readMessage({ error: { message: 'no', code: 'rate_limit_exceeded' } }, request);
    expect(failed.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream-rate-limited' } });
    const running = readMessage({ status: 'in_progress', output: [] }, request);
    expect(running.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream-cut' } });
    expect(() => readMessage({ choices: [] }, request)).toThrow(/not a response/);
    expect(() => readMessage('<html>', request)).toThrow(/web page/);
  });
});

const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({
    type: fc.constant('tool-call' as const),
    name: fc.constantFrom('read', 'list'),
    value: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
);

it('C-137 what the writer writes, streamed or whole, the reader reads as the same reply', () => {
  const context = { request, replyId: 'r', created: 1 };
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const content = parts.map((one, at) =>
        one.type === 'tool-call'
          ? { type: one.type, callId: `c${at}`, name: one.name, arguments: JSON.stringify(one.value) }
          : one,
      );
      const calls = content.flatMap((one) => (one.type === 'tool-call' ? [one] : []));
      const events = replayMessage({
        id: 'resp_r',
        model: 'asked',
        text: '',
        reasoning: '',
        content,
        calls,
        warnings: [],
        finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
        complete: true,
      });
      const stream = runStage(createStreamWriter(context), events).join('');
      const again = collect(
        runStage(through(parseSse({ fail: (error) => expect(error).toBeUndefined() }), createStreamReader(request)), [
          stream,
        ]),
      );
      expect(again.content).toEqual(content);
      const body = JSON.parse(JSON.stringify(writeMessage(events, context)));
      expect(collect(readMessage(body, request)).content).toEqual(content);
      expect(again).toMatchObject({ id: 'resp_r', model: 'asked', warnings: [], complete: true });
    }),
  );
});

it('E-066 reads two calls under one id as two, also when the whole output comes once more', () => {
  const item = (at: number) => call(`{"path":"${at}"}`, { id: `fc_${at}`, call_id: 'call_0' });
  const done = (at: number) => event('output_item.done', { output_index: at, item: item(at) });
  const read = reading([created, done(0), done(1), completed([item(0), item(1)])]);
  expect(read.calls).toEqual([
    { callId: 'call_0', name: 'read', arguments: '{"path":"0"}' },
    { callId: 'minted_1', name: 'read', arguments: '{"path":"1"}' },
  ]);
  expect(codes(read)).toEqual(['id-repaired']);
});
