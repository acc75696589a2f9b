import { describe, expect, it } from 'vitest';
import { openaiChatViolations } from '../grammars/openai-chat-grammar.ts';
import { collectAsAiSdk } from './ai-sdk-collector.ts';
import { collectAsCopilot } from './copilot-collector.ts';

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', system_fingerprint: null };
const chunk = (delta: object, reason: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
});
const role = chunk({ role: 'assistant', content: '' });
const open = (index: number, id: string, name = 'read') =>
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
const more = (index: number, text: string) => chunk({ tool_calls: [{ index, function: { arguments: text } }] });
const finish = (reason = 'tool_calls') => chunk({}, reason);
const failure = { error: { message: 'broken', type: 'upstream_error', param: '', code: 'upstream_cut' } };
const stream = (...frames: object[]) =>
  `${frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`;

const good = stream(
  role,
  chunk({ content: 'a' }),
  open(0, 'x'),
  more(0, '{"p":'),
  more(0, '1}'),
  open(1, 'y'),
  more(1, '{}'),
  finish(),
);

describe('the model of Copilot', () => {
  it('reads a good stream in any pieces', () => {
    const turn = collectAsCopilot([good]);
    expect(turn).toMatchObject({ text: 'a', outcome: 'success', problems: [], begin: { name: 'read', spaced: true } });
    expect(turn.calls.map((call) => call.arguments)).toEqual(['{"p":1}', '{}']);
    expect(collectAsCopilot(good)).toEqual(turn);
  });

  it('loses interleaved calls, as it groups by id', () => {
    const turn = collectAsCopilot([
      stream(
        role,
        open(0, 'x'),
        open(1, 'y'),
        more(0, '{"a":'),
        more(1, '{"b":'),
        more(0, '1}'),
        more(1, '2}'),
        finish(),
      ),
    ]);
    expect(turn.calls).toEqual([{ id: 'x', name: 'read', arguments: '{}' }]);
    expect(turn.problems).toHaveLength(1);
  });

  it('loses text beside a tool_calls key and text after the final chunk', () => {
    const turn = collectAsCopilot([
      stream(role, chunk({ content: 'lost', tool_calls: [] }), finish('stop'), chunk({ content: 'late' })),
    ]);
    expect(turn.text).toBe('');
    expect(turn.problems).toHaveLength(2);
  });

  it.each([
    ['stop', 'success'],
    ['length', 'too-long'],
    ['content_filter', 'filtered'],
    ['end_turn', 'no-choices'],
  ])('takes the finish reason %s for %s', (reason, outcome) => {
    expect(collectAsCopilot([stream(role, finish(reason))]).outcome).toBe(outcome);
  });

  it('A-172 shows an error only when it is the last result', () => {
    const outcome = (...frames: object[]) => collectAsCopilot([stream(...frames)]).outcome;
    expect(outcome(failure)).toBe('error');
    expect(outcome(role, finish('stop'), failure)).toBe('error');
    expect(outcome(role, failure)).toBe('no-choices');
    expect(outcome(role, failure, finish('stop'))).toBe('success');
  });

  it('takes usage without a total for the end', () => {
    const usage = { ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    expect(collectAsCopilot([stream(role, finish('stop'), usage)]).outcome).toBe('no-choices');
  });
});

describe('the model of the AI SDK', () => {
  it('reads a good stream, interleaved ones too', () => {
    expect(collectAsAiSdk(good).calls).toHaveLength(2);
    const turn = collectAsAiSdk(
      stream(
        role,
        open(0, 'x'),
        open(1, 'y'),
        more(0, '{"a":'),
        more(1, '{"b":'),
        more(0, '1}'),
        more(1, '2}'),
        finish(),
      ),
    );
    expect(turn.calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('B-193 refuses a call that opens without id or name, and null in later fragments', () => {
    expect(() => collectAsAiSdk(stream(more(0, '{}'), finish()))).toThrow("Expected 'id' to be a string");
    const nameless = chunk({ tool_calls: [{ index: 0, id: 'x', function: { arguments: '' } }] });
    expect(() => collectAsAiSdk(stream(nameless, finish()))).toThrow("Expected 'function.name' to be a string");
    const nulls = chunk({ tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{}' } }] });
    expect(() => collectAsAiSdk(stream(open(0, 'x'), nulls, finish()))).toThrow('left out instead of null');
  });

  it('B-194 loses what comes after the arguments have parsed', () => {
    expect(collectAsAiSdk(stream(open(0, 'x'), more(0, '{}'), more(0, '{"a":1}'), finish())).lost).toEqual(['{"a":1}']);
  });

  it('refuses objects without choices, empty data and a missing finish reason; understands errors', () => {
    expect(() => collectAsAiSdk('data: {}\n\n')).toThrow();
    expect(() => collectAsAiSdk('data:\n\n')).toThrow();
    expect(() => collectAsAiSdk(stream(role))).toThrow('finish reason');
    expect(collectAsAiSdk(stream(role, failure, finish('length'))).errors).toEqual(['broken']);
  });
});

describe('the grammar of a stream', () => {
  it('finds nothing in a good stream, comments and errors included', () => {
    expect(openaiChatViolations(`: keepalive\n\n${good}`)).toEqual([]);
    expect(openaiChatViolations(stream(failure, finish('length')))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['CR', 'ends in CR', good.replaceAll('\n', '\r\n')],
    ['no [DONE]', '[DONE] is missing', good.replace('data: [DONE]\n\n', '')],
    ['an event line', 'not one "data: " line', `event: x\n${good}`],
    ['a ping', ': ping', `: ping\n\n${good}`],
    ['loose JSON', 'compact', stream(role, finish('stop')).replace('"m"', ' "m"')],
    ['an empty object', 'neither choices', stream(role, {}, finish('stop'))],
    ['no role', 'no role', stream(chunk({ content: 'a' }), finish('stop'))],
    ['two roles', 'role comes again', stream(role, role, finish('stop'))],
    ['no final chunk', 'no finish reason', stream(role)],
    ['two final chunks', 'after the final chunk', stream(role, finish('stop'), finish('stop'))],
    ['an odd finish', 'not known', stream(role, finish('end_turn'))],
    ['another id', 'differ', stream(role, { ...finish('stop'), id: 'chatcmpl-2' })],
    ['text after a call', 'after a call', stream(role, open(0, 'x'), more(0, '{}'), chunk({ content: 'a' }), finish())],
    [
      'interleaved calls',
      'not the open call',
      stream(role, open(0, 'x'), open(1, 'y'), more(0, '{}'), more(1, '{}'), finish()),
    ],
    ['a repeated id', 'used before', stream(role, open(0, 'x'), more(0, '{}'), open(1, 'x'), more(1, '{}'), finish())],
    ['a hole in the indices', 'opens with index 1', stream(role, open(1, 'x'), finish())],
    ['an id that is empty', 'empty or missing', stream(role, open(0, ''), more(0, '{}'), finish())],
    ['broken arguments', 'is broken', stream(role, open(0, 'x'), more(0, '{'), finish())],
    ['a whole prefix', 'prefix', stream(role, open(0, 'x'), more(0, '{}'), more(0, ' '), finish())],
    ['unasked usage', 'not asked', stream(role, finish('stop'), { ...head, choices: [], usage: {} })],
    ['stop with calls', 'in spite of calls', stream(role, open(0, 'x'), more(0, '{}'), finish('stop'))],
    ['calls without calls', 'without calls', stream(role, finish())],
    ['a success that failed', 'finished with stop', stream(role, failure, finish('stop'))],
    ['null in an error', 'error.param', stream({ error: { ...failure.error, param: null } }, finish('length'))],
    ['nulls in a delta', 'is null', stream(role, chunk({ content: 'a', tool_calls: null }), finish('stop'))],
    ['half a character', 'half a character', stream(role, chunk({ content: '\ud83d' }), finish('stop'))],
  ])('finds %s', (_, words, text) => {
    expect(openaiChatViolations(text).join('\n')).toContain(words);
  });

  it('A-166 misses usage that was asked for', () => {
    expect(openaiChatViolations(good, { includeUsage: true }).join()).toContain('usage is missing');
  });
});
