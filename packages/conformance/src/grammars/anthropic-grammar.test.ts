import { expect, it } from 'vitest';
import { anthropicViolations } from './anthropic-grammar.ts';

const usage = { input_tokens: 1, output_tokens: 0 };
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
const start = { type: 'message_start', message: { ...message, stop_sequence: null, usage } };
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const text = (index: number) => open(index, { type: 'text', text: '' });
const call = (index: number, id: string, rest: object = {}) =>
  open(index, { type: 'tool_use', id, name: 'read', input: {}, ...rest });
const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields });
const said = (index: number, words = 'x') => delta(index, { type: 'text_delta', text: words });
const json = (index: number, words = '{}') => delta(index, { type: 'input_json_delta', partial_json: words });
const close = (index: number) => ({ type: 'content_block_stop', index });
const told = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
const stop = { type: 'message_stop' };
const failure = { type: 'error', error: { type: 'api_error', message: 'broken' } };

type Event = { readonly type: string };
const frame = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const violations = (...events: readonly Event[]) => anthropicViolations(events.map(frame).join(''));

it('finds nothing in good streams', () => {
  const thinking = [
    open(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'hm' }),
    delta(0, { type: 'signature_delta', signature: 's' }),
    close(0),
  ];
  const rest = [text(1), said(1), close(1), call(2, 'a'), json(2), close(2), told('tool_use'), stop];
  expect(violations({ type: 'ping' }, start, ...thinking, { type: 'ping' }, ...rest)).toEqual([]);
  expect(violations(start, text(0), said(0), failure)).toEqual([]);
  expect(
    violations(start, open(0, { type: 'redacted_thinking', data: 'x' }), close(0), told('end_turn'), stop),
  ).toEqual([]);
  expect(violations(start, call(0, 'a'), json(0, '{"half'), close(0), told('end_turn'), stop)).toEqual([]);
});

it.each<[string, readonly Event[]]>([
  ['comes before message_start', [text(0)]],
  ['message_start comes again', [start, start]],
  ['message_stop is missing', [start, told('end_turn')]],
  ['message_stop comes without message_delta', [start, stop]],
  ['comes after message_stop', [start, told('end_turn'), stop, { type: 'ping' }]],
  ['comes after an error', [start, failure, stop]],
  ['a block opens with index 1', [start, text(1)]],
  ['while another is open', [start, text(0), text(0)]],
  ['not of the open block', [start, text(0), said(1)]],
  ['the delta is not one of text', [start, text(0), json(0)]],
  ['a block is empty', [start, text(0), close(0)]],
  ['message_delta comes while a block is open', [start, text(0), said(0), told('end_turn')]],
  ['the stop reason is not known', [start, told('stop')]],
  ['tool_use without a whole call', [start, call(0, 'a'), json(0, '{'), close(0), told('tool_use'), stop]],
  ['end_turn in spite of calls', [start, call(0, 'a'), json(0), close(0), told('end_turn'), stop]],
  ['a call opens with input', [start, call(0, 'a', { input: { x: 1 } })]],
  ['a call has no name', [start, call(0, 'a', { name: '' })]],
  ['long or odd', [start, call(0, 'a.b')]],
  ['empty or missing', [start, call(0, '')]],
  ['used before', [start, call(0, 'a'), json(0), close(0), call(1, 'a')]],
  ['cuts a character', [start, text(0), said(0, '🦜'.slice(0, 1))]],
  ['its type is not known', [start, { type: 'keepalive' }]],
  ['message_delta comes again', [start, told('end_turn'), told('end_turn')]],
  ['message_delta is late', [told('end_turn')]],
])('finds: %s', (what, events) => {
  expect(violations(...events).join('\n')).toContain(what);
});

it('finds what breaks the framing', () => {
  const good = [start, told('end_turn'), stop].map(frame).join('');
  expect(anthropicViolations(`: comment\n\n${good}`)).toEqual([]);
  expect(anthropicViolations(good.replaceAll('\n', '\r\n'))).not.toEqual([]);
  expect(anthropicViolations(good.trimEnd())).not.toEqual([]);
  expect(anthropicViolations(good.replace('event: message_stop\n', ''))).not.toEqual([]);
  expect(anthropicViolations(good.replace('event: message_stop', 'event: stop'))).not.toEqual([]);
  expect(anthropicViolations(good.replace('"type":"message_stop"', '"type": "message_stop"'))).not.toEqual([]);
  expect(anthropicViolations(good.replace('{"type":"message_stop"}', '[DONE]'))).not.toEqual([]);
});

it('knows the ids of earlier calls', () => {
  const stream = [start, call(0, 'a'), json(0), close(0), told('tool_use'), stop].map(frame).join('');
  expect(anthropicViolations(stream, { usedIds: ['a'] })).toHaveLength(1);
});
