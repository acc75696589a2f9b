import { describe, expect, it } from 'vitest';
import { completionsViolations } from './openai-completions-grammar.ts';

const head = { id: 'cmpl-1', object: 'text_completion', created: 5, model: 'm' };
const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (text: string, reason: string | null = null, rest: object = {}) =>
  frame({ ...head, choices: [{ text, index: 0, logprobs: null, finish_reason: reason, ...rest }] });
const usage = frame({ ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
const done = 'data: [DONE]\n\n';
const error = frame({ error: { message: 'x', type: 't', param: '', code: 'c' } });

describe('completionsViolations', () => {
  it('has nothing to say of a good stream, nor of one that fails as it should', () => {
    expect(completionsViolations(chunk('a') + chunk('', 'stop') + done)).toEqual([]);
    expect(completionsViolations(chunk('a', 'length') + usage + done, { includeUsage: true })).toEqual([]);
    expect(completionsViolations(`: keepalive\n\n${chunk('a')}${error}${chunk('', 'length')}${done}`)).toEqual([]);
  });

  it.each([
    [chunk('a') + done, 'no finish reason came'],
    [chunk('a', 'stop'), '[DONE] is missing'],
    [chunk('a', 'tool_calls') + done, 'the finish reason is not known'],
    [chunk('', 'stop') + chunk('a') + done, 'a choice comes after the final chunk'],
    [chunk('a', 'stop', { text: undefined }) + done, 'text is not a string'],
    [chunk('\ud83d', 'stop') + done, 'a text holds half a character'],
    [chunk('') + chunk('a', 'stop') + done, 'a chunk says nothing'],
    [chunk('a', 'stop', { delta: {} }) + done, 'the choice is one of Chat Completions'],
    [chunk('a', 'stop', { matched_stop: 1 }) + done, 'the choice has other fields'],
    [chunk('a', 'stop').replace('text_completion', 'chat.completion.chunk') + done, 'object is not text_completion'],
    [chunk('a') + chunk('', 'stop').replace('cmpl-1', 'cmpl-2') + done, 'differ from the chunks before'],
    [chunk('a', 'stop') + usage + done, 'usage was not asked for'],
    [chunk('a') + error + chunk('', 'stop') + done, 'a failed reply finished with stop'],
  ])('finds what is wrong in %j', (stream, what) => {
    expect(completionsViolations(stream).join()).toContain(what);
  });

  it('misses usage that was asked for', () => {
    expect(completionsViolations(chunk('a', 'stop') + done, { includeUsage: true }).join()).toContain(
      'usage is missing',
    );
  });
});
