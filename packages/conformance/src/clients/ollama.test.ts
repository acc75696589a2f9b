import { describe, expect, it } from 'vitest';
import { ollamaChatViolations } from '../grammars/ollama-chat-grammar.ts';
import { collectAsOllama } from './ollama-collector.ts';

const head = { model: 'm', created_at: '2026-11-20T10:00:00.000Z' };
const part = (fields: object) => ({ ...head, message: { role: 'assistant', content: '', ...fields }, done: false });
const metrics = {
  total_duration: 3,
  load_duration: 0,
  prompt_eval_count: 1,
  prompt_eval_duration: 1,
  eval_count: 1,
  eval_duration: 2,
};
const last = { ...part({}), done: true, done_reason: 'stop', ...metrics };
const call = (id: string, index: number, args: unknown = { path: 'a' }) =>
  part({ tool_calls: [{ id, function: { index, name: 'read', arguments: args } }] });
const stream = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const good = stream(part({ thinking: 'Hm.' }), part({ content: 'a' }), call('x', 0), call('y', 1), last);

describe('the grammar of an Ollama stream', () => {
  it('finds nothing in good streams, keep-alive lines and errors included', () => {
    expect(ollamaChatViolations(good)).toEqual([]);
    expect(ollamaChatViolations(stream(part({}), last))).toEqual([]);
    expect(ollamaChatViolations(stream(part({ content: 'a' }), { error: 'broken' }))).toEqual([]);
    const { message: _, ...tail } = last;
    const generated = stream({ ...head, response: 'a', done: false }, { ...tail, response: '' });
    expect(ollamaChatViolations(generated, { surface: 'generate' })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['CR', 'ends in CR', good.replaceAll('\n', '\r\n')],
    ['no end', 'neither done nor error', stream(part({ content: 'a' }))],
    ['a last line without its end', 'has no end', good.slice(0, -1)],
    ['a blank line', 'is blank', `\n${good}`],
    ['a comment', 'not JSON', `: ping\n${good}`],
    ['a line after the last', 'after the last', stream(last, last)],
    ['an error that says nothing', 'says something', stream({ error: '' })],
    ['an error object', 'says something', stream({ error: { message: 'x' } })],
    ['done beside an error', 'at once', stream({ ...last, error: 'x' })],
    ['another model', 'differs', stream({ ...part({}), model: 'n' }, last)],
    ['a number as time', 'not a time', stream({ ...last, created_at: 1 })],
    ['the other endpoint', 'other endpoint', stream({ ...last, response: '' })],
    ['no role', 'role', stream({ ...last, message: { content: '' } })],
    ['content that is null', 'not a string', stream(part({ content: null }), last)],
    ['half a character', 'half a character', stream(part({ content: '\ud83d' }), last)],
    ['argument text', 'not an object', stream(call('x', 0, '{}'), last)],
    ['a repeated id', 'used before', stream(call('x', 0), call('x', 1), last)],
    ['a hole in the indices', 'index 1', stream(call('x', 1), last)],
    ['no calls', 'list with calls', stream(part({ tool_calls: [] }), last)],
    ['an early ending', 'not done', stream({ ...part({}), done_reason: 'stop' }, last)],
    ['text in the last line', 'shows something', stream({ ...last, message: { role: 'assistant', content: 'a' } })],
    ['an odd reason', 'not known', stream({ ...last, done_reason: 'tool_calls' })],
    ['half a nanosecond', 'total_duration', stream({ ...last, total_duration: 0.5 })],
    ['an answer in no time', 'zero', stream({ ...last, eval_duration: 0 })],
  ])('finds %s', (_, words, text) => {
    expect(ollamaChatViolations(text).join('\n')).toContain(words);
  });

  it('misses counts unless they are not wanted', () => {
    const uncounted = stream({ ...part({}), done: true, done_reason: 'stop' });
    expect(ollamaChatViolations(uncounted)).toHaveLength(6);
    expect(ollamaChatViolations(uncounted, { uncounted: true })).toEqual([]);
  });
});

describe('the model of the Ollama client', () => {
  it('reads a good stream in any pieces', () => {
    const turn = collectAsOllama([good]);
    expect(turn).toMatchObject({ text: 'a', thinking: 'Hm.', doneReason: 'stop' });
    expect(turn.calls.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(collectAsOllama(good)).toEqual(turn);
  });

  it('throws on errors, and on streams that just end', () => {
    expect(() => collectAsOllama([stream({ error: 'broken' })])).toThrow('broken');
    expect(() => collectAsOllama([stream(part({}))])).toThrow('Did not receive done');
  });
});
