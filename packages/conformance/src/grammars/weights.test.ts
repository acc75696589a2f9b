import { describe, expect, it } from 'vitest';
import type { Departure } from '../departures.ts';
import { checkAnthropic } from './anthropic-grammar.ts';
import { checkOllamaChat } from './ollama-chat-grammar.ts';
import { checkOpenaiChat } from './openai-chat-grammar.ts';
import { checkOpenresponses } from './openresponses-grammar.ts';

// How much a departure weighs decides whether a server fails for it.

const weightOf = (departures: readonly Departure[], what: string) =>
  departures.find((departure) => departure.what.includes(what))?.level ?? 'absent';

const sse = (...frames: readonly object[]) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
const named = (...events: readonly { readonly type: string; readonly sequence_number?: number }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

describe('of Chat Completions', () => {
  const chunk = (delta: object, reason: string | null = null, more: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  });
  const call = (fields: object, about: object) => chunk({ tool_calls: [{ ...fields, function: about }] });
  const done = 'data: [DONE]\n\n';
  const open = call({ index: 0, id: 'a', type: 'function' }, { name: 'read', arguments: '{}' });
  const stopped = sse(chunk({ role: 'assistant', content: 'a' }), chunk({}, 'stop')) + done;

  it.each([
    ['a fingerprint', 'system_fingerprint', 'form', stopped.replaceAll('"m"', '"m","system_fingerprint":"fp_1"')],
    ['arguments in the first fragment', 'opens with arguments', 'form', sse(open, chunk({}, 'tool_calls')) + done],
    ['an id of Kimi', 'long or odd', 'note', sse(open).replace('"a"', '"functions.read:0"') + done],
    ['no index', 'has no index', 'violation', sse(open).replace('"index":0,"id"', '"id"') + done],
    ['CRLF', 'ends in CR', 'note', stopped.replaceAll('\n', '\r\n')],
    ['no space', 'no space', 'note', stopped.replaceAll('data: ', 'data:')],
    ['a bare JSON line', 'not a field', 'violation', `{"error":"x"}\n\n${stopped}`],
    ['usage on the last choice', 'usage is on', 'note', sse(chunk({}, 'stop', { usage: { total_tokens: 1 } })) + done],
    ['null usage', 'usage is on', 'form', sse(chunk({}, 'stop', { usage: null })) + done],
    ['another model', 'id, created or model', 'note', stopped.replace('"model":"m"', '"model":"n"')],
    ['another id', 'id, created or model', 'violation', stopped.replace('chatcmpl-1', 'chatcmpl-2')],
    ['stop in spite of calls', 'in spite of', 'violation', sse(open, chunk({}, 'stop')) + done],
    ['a last [DONE] without its blank line', 'blank line', 'note', stopped.trimEnd()],
    [
      'an end without its blank line',
      'blank line',
      'violation',
      stopped.slice(0, stopped.indexOf('data: [DONE]')).trimEnd(),
    ],
  ])('%s', (_, what, level, stream) => {
    expect(weightOf(checkOpenaiChat(stream), what)).toBe(level);
  });

  it('a tool that was demanded may end with stop, as with OpenAI itself', () => {
    const found = checkOpenaiChat(sse(open, chunk({}, 'stop')) + done, { namedTool: true });
    expect(weightOf(found, 'in spite of')).toBe('form');
  });

  it('interleaved calls are allowed, and told', () => {
    const second = call({ index: 1, id: 'b', type: 'function' }, { name: 'read', arguments: '{"a"' });
    const pieces = [call({ index: 0 }, { arguments: '' }), call({ index: 1 }, { arguments: ':1}' })];
    const found = checkOpenaiChat(sse(open, second, ...pieces, chunk({}, 'tool_calls')) + done);
    expect(weightOf(found, 'not the open call')).toBe('note');
    expect(found.filter(({ level }) => level === 'violation')).toEqual([]);
  });
});

describe('of the others', () => {
  const start = {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
  };

  it.each([
    ['fields that are left out at the start', 'stop_reason is missing', 'note', named(start)],
    ['an event of tomorrow', 'not known', 'note', named(start, { type: 'shine' })],
    ['no event line', 'one "event: " line', 'violation', sse(start)],
  ])('Messages: %s', (_, what, level, stream) => {
    expect(weightOf(checkAnthropic(stream), what)).toBe(level);
  });

  const created = {
    type: 'response.created',
    sequence_number: 0,
    response: { id: 'r', created_at: 1, model: 'm', status: 'in_progress', output: [] },
  };

  it.each([
    ['no event line', 'is not an "event: " line', 'note', sse(created)],
    ['an id of another form', 'resp_', 'form', named(created)],
    ['numbers from one', 'the first event', 'note', named({ ...created, sequence_number: 1 })],
    ['numbers from five', 'has number 5', 'violation', named({ ...created, sequence_number: 5 })],
    ['an event of tomorrow', 'is not known', 'note', named({ type: 'response.shine' })],
    ['another start', 'instead of response.created', 'violation', named({ type: 'response.output_item.added' })],
  ])('Responses: %s', (_, what, level, stream) => {
    expect(weightOf(checkOpenresponses(stream), what)).toBe(level);
  });

  const line = {
    model: 'm',
    created_at: '2026-01-01T00:00:00.123456789Z',
    message: { role: 'assistant', content: 'a' },
  };

  it.each([
    ['no counts at the end', 'eval_count', 'note', { ...line, done: true }],
    ['counts that are none', 'prompt_eval_count', 'violation', { ...line, done: true, prompt_eval_count: 'many' }],
    ['text in the last line', 'shows something', 'note', { ...line, done: true }],
    ['no time', 'created_at', 'violation', { ...line, created_at: undefined, done: false }],
  ])('Ollama: %s', (_, what, level, part) => {
    expect(weightOf(checkOllamaChat(`${JSON.stringify(part)}\n`), what)).toBe(level);
  });
});
