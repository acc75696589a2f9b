import { describe, expect, it } from 'vitest';
import { openresponsesViolations } from './openresponses-grammar.ts';

type Event = Readonly<Record<string, unknown>>;

const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  created_at: 1,
  model: 'm',
  status,
  output: [],
  error: null,
  incomplete_details: null,
  completed_at: status === 'completed' ? 2 : null,
  usage: null,
  ...more,
});
const about = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const part = (text: string) => ({ type: 'output_text', text });
const message = (status: string, text?: string) => ({
  type: 'message',
  id: 'msg_1',
  status,
  role: 'assistant',
  content: text === undefined ? [] : [part(text)],
});
const call = (json: string, status: string) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'read',
  arguments: json,
  status,
});

const good: readonly Event[] = [
  { type: 'response.created', response: response('in_progress') },
  { type: 'response.in_progress', response: response('in_progress') },
  { type: 'response.output_item.added', output_index: 0, item: message('in_progress') },
  { type: 'response.content_part.added', ...about, part: part('') },
  { type: 'response.output_text.delta', ...about, delta: 'a' },
  { type: 'response.output_text.delta', ...about, delta: 'b' },
  { type: 'response.output_text.done', ...about, text: 'ab' },
  { type: 'response.content_part.done', ...about, part: part('ab') },
  { type: 'response.output_item.done', output_index: 0, item: message('completed', 'ab') },
  { type: 'response.output_item.added', output_index: 1, item: call('', 'in_progress') },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{}' },
  { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: '{}' },
  { type: 'response.output_item.done', output_index: 1, item: call('{}', 'completed') },
  {
    type: 'response.completed',
    response: response('completed', { output: [message('completed', 'ab'), call('{}', 'completed')] }),
  },
];

const frame = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const stream = (events: readonly Event[]) =>
  events.map((event, at) => frame({ ...event, sequence_number: at })).join('');
const without = (at: number) => good.filter((_, index) => index !== at);
const changed = (at: number, fields: object) =>
  good.map((event, index) => (index === at ? { ...event, ...fields } : event));

describe('the grammar of Responses streams', () => {
  it('C-132 finds nothing in a good stream, comments included', () => {
    expect(openresponsesViolations(stream(good))).toEqual([]);
    expect(openresponsesViolations(`: keepalive\n\n${stream(good)}`)).toEqual([]);
    expect(openresponsesViolations(`${stream(good)}data: [DONE]\n\n`, { done: true })).toEqual([]);
  });

  it('C-132 knows what annotations belong to, and how they are numbered', () => {
    const cited = (fields: object) => ({
      type: 'response.output_text.annotation.added',
      ...about,
      annotation_index: 0,
      annotation: { type: 'url_citation' },
      ...fields,
    });
    const at = (index: number, event: Event) => stream([...good.slice(0, index), event, ...good.slice(index)]);
    expect(openresponsesViolations(at(6, cited({})))).toEqual(['event 8: a part lacks an annotation that came']);
    expect(openresponsesViolations(at(6, cited({ annotation: 'x' })))[0]).toContain('annotation is not an object');
    expect(openresponsesViolations(at(6, cited({ annotation_index: 1 })))[0]).toContain('has the wrong number');
    expect(openresponsesViolations(at(8, cited({})))[0]).toContain('comes without its part');
  });

  it('C-132 finds every event that is missing', () => {
    // A delta that is missing is found by the sum, everything else by the order.
    for (let at = 0; at < good.length; at += 1) {
      expect(openresponsesViolations(stream(without(at))), `without event ${at}`).not.toEqual([]);
    }
  });

  it.each([
    ['[DONE] that nobody asked for', `${stream(good)}data: [DONE]\n\n`, '[DONE]'],
    ['a name that is not the type', stream(good).replace('event: response.created', 'event: response.queued'), 'named'],
    ['an event without a name', stream(good).replace('event: response.created\n', ''), '"event: " line'],
    ['a gap in the numbers', stream(good).replace('"sequence_number":3', '"sequence_number":7'), 'has number 7'],
    ['another id', stream(changed(13, { response: response('completed', { id: 'resp_2' }) })), 'differ'],
    ['pieces that do not add up', stream(changed(5, { delta: 'x' })), 'add up'],
    ['an empty piece', stream(changed(5, { delta: '' })), 'empty'],
    ['half a character', stream(changed(5, { delta: '\ud83e' })), 'half'],
    ['a piece for another item', stream(changed(5, { item_id: 'msg_2' })), 'another item'],
    ['a hole in the places', stream(changed(9, { output_index: 2 })), 'added at 2'],
    [
      'an id that is used twice',
      stream(changed(9, { item: { ...call('', 'in_progress'), id: 'msg_1' } })),
      'used before',
    ],
    ['arguments at the start', stream(changed(9, { item: call('{}', 'in_progress') })), 'begins with arguments'],
    ['a call that is no object', stream(changed(12, { item: call('[]', 'completed') })), 'JSON object'],
    ['output that is not what was done', stream(changed(13, { response: response('completed') })), 'output'],
    ['an event after the end', stream([...good, good[1] ?? {}]), 'after the terminal'],
    [
      'a failure without an error',
      stream([...good.slice(0, 2), { type: 'response.failed', response: response('failed') }]),
      'error',
    ],
    [
      'usage that does not add up',
      stream(changed(13, { response: response('completed', { usage: { input_tokens: 1 } }) })),
      'usage',
    ],
    ['an event that is not known', stream([...good.slice(0, 2), { type: 'tick' }, ...good.slice(2)]), 'not known'],
  ])('finds %s', (_, text, words) => {
    expect(openresponsesViolations(text).join('\n')).toContain(words);
  });
});
