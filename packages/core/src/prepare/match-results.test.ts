import { sized } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { errorKindOf } from '../error-kinds.ts';
import { DragomanError } from '../errors.ts';
import { defaultModelRule, type ResultRule } from '../plan/rules.ts';
import { matchResults, validateToolResults } from './match-results.ts';

const lenient = defaultModelRule.results;
const strict: ResultRule = { ...lenient, mode: 'strict' };

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => {
    const [callId = '', name = 'read'] = id.split(':');
    return { type: 'tool-call', callId, name, arguments: `{"of":"${callId}"}` };
  }),
});
const result = (callId: string, text: string, more: object = {}): Message => ({
  role: 'tool',
  callId,
  content: [{ type: 'text', text }],
  ...more,
});

/** `callId=text` or `callId!status` for each call of each round. */
function pairs(messages: readonly Message[], rule = lenient): string[] {
  return [...matchResults(messages, rule).rounds.values()].map((round) =>
    round
      .map(({ call, status, text }) => (status === 'ok' ? `${call.callId}=${text}` : `${call.callId}!${status}`))
      .join(' '),
  );
}

const codes = (messages: readonly Message[]) => matchResults(messages, lenient).warnings.map((warning) => warning.code);

function refusal(messages: readonly Message[], rule: ResultRule): DragomanError {
  try {
    matchResults(messages, rule);
  } catch (error) {
    if (error instanceof DragomanError) return error;
  }
  throw new Error('it was accepted');
}

describe('matchResults', () => {
  it('A-191 pairs swapped results by id', () => {
    expect(pairs([user('x'), calls('a', 'b'), result('b', 'B'), result('a', 'A')])).toEqual(['a=A b=B']);
  });

  it('A-192 A-193 E-016 pairs every round with its own results and counts calls over the conversation', () => {
    const messages = [calls('a', 'b'), result('b', 'B'), result('a', 'A'), calls('c'), result('c', 'C')];
    expect(pairs(messages)).toEqual(['a=A b=B', 'c=C']);
    const ordinals = [...matchResults(messages, lenient).rounds.values()].flat().map((call) => call.ordinal);
    expect(ordinals).toEqual([0, 1, 2]);
  });

  it('A-201 E-070 gives a call without a result a placeholder and keeps its arguments', () => {
    const messages = [calls('a', 'b'), result('b', 'B')];
    expect(pairs(messages)).toEqual(['a!missing b=B']);
    expect(codes(messages)).toEqual(['result-missing']);
    const [first] = matchResults(messages, lenient).rounds.get(0) ?? [];
    expect(first?.call.arguments).toBe('{"of":"a"}');
    expect(first?.text).toContain('No result arrived');
  });

  it('A-202 leaves out an extra result when others found their calls, and says how many', () => {
    const messages = [calls('a'), result('a', 'A'), result('zz', 'stale'), result('yy', 'stale')];
    const matched = matchResults(messages, lenient);
    expect(pairs(messages)).toEqual(['a=A']);
    expect(matched.orphans.size).toBe(0);
    expect(matched.warnings).toHaveLength(1);
    expect(matched.warnings[0]?.message).toContain('2 tool result(s)');
  });

  it('A-204 A-206 E-071 keeps the text of an orphan as context when there is nothing else', () => {
    const matched = matchResults([user('x'), result('gone', 'important')], lenient);
    expect(matched.orphans.get(1)).toContain('important');
    expect(matched.orphans.get(1)).toContain('unknown_tool');
    expect(matched.warnings.map((warning) => warning.code)).toEqual(['result-orphan']);
    expect(matchResults([result('gone', 'x', { name: 'list' })], lenient).orphans.get(0)).toContain('list');
  });

  it('A-203 E-073 lets the last of several results count', () => {
    const messages = [calls('a'), result('a', 'one'), result('a', 'two')];
    expect(pairs(messages)).toEqual(['a=two']);
    expect(codes(messages)).toEqual(['result-repeated']);
  });

  it('A-205 pairs results without an id by name or order when there is one way only', () => {
    expect(pairs([calls('a'), result('', 'A')])).toEqual(['a=A']);
    expect(pairs([calls('a', 'b'), result('', 'A'), result('', 'B')])).toEqual(['a=A b=B']);
    expect(pairs([calls('a:read', 'b:list'), result('', 'L', { name: 'list' }), result('a', 'A')])).toEqual([
      'a=A b=L',
    ]);
    expect(pairs([calls('a', 'b'), result('b', 'B'), result('', 'A')])).toEqual(['a=A b=B']);
    expect(pairs([calls('a:read', 'b:list'), result('', 'A'), result('', 'L', { name: 'list' })])).toEqual(['a=A b=L']);
  });

  it('A-205 refuses a result without an id that could belong to several calls, in both modes', () => {
    const messages = [calls('a', 'b'), result('', 'which?')];
    for (const rule of [lenient, strict]) expect(refusal(messages, rule).code).toBe('invalid-tool-results');
    expect(refusal(messages, lenient).param).toBe('messages[1]');
    expect(errorKindOf(refusal(messages, lenient)).status).toBe(400);
  });

  it('pairs each round with its own result when an id is used again', () => {
    const messages = [calls('call_0'), result('call_0', 'one'), calls('call_0'), result('call_0', 'two')];
    expect(pairs(messages)).toEqual(['call_0=one', 'call_0=two']);
    expect(codes(messages)).toEqual([]);
    expect(pairs([calls('x', 'x'), result('x', 'one'), result('x', 'two')])).toEqual(['x=one x=two']);
  });

  it('E-072 finds a result that came before its call or after a user note', () => {
    expect(pairs([result('a', 'A'), calls('a')])).toEqual(['a=A']);
    expect(pairs([calls('a'), user('note'), result('a', 'A')])).toEqual(['a=A']);
  });

  it('E-052 passes over calls without a tool name; their results count as orphans', () => {
    const messages = [calls('a: ', 'b'), result('a', 'A'), result('b', 'B')];
    expect(pairs(messages)).toEqual(['b=B']);
    expect(codes(messages)).toEqual(['tool-dropped', 'result-orphan']);
  });

  it('A-194 A-195 B-118 joins text parts by newline and notes images', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'image', url: 'https://example.org/x.png' },
    ] as const;
    const messages: Message[] = [calls('a'), { role: 'tool', callId: 'a', content }];
    expect(pairs(messages)).toEqual(['a=a\nb\n[image]\n[image: https://example.org/x.png]']);
    expect(matchResults(messages, lenient).rounds.get(0)?.[0]?.images).toHaveLength(2);
  });

  it('A-211 B-115 B-116 E-075 says that an empty result is empty', () => {
    for (const text of ['', ' \n\t ']) {
      expect(pairs([calls('a'), result('a', text)])[0]).toBe('a=The tool ran successfully and returned no output.');
    }
    const failed = matchResults([calls('a'), result('a', '', { status: 'error' })], lenient).rounds.get(0)?.[0];
    expect(failed?.text).toContain('failed');
  });

  it('A-210 caps a long result with a note and never cuts a surrogate pair', () => {
    const rule = { ...lenient, maxLength: 1000 };
    const [capped] = pairs([calls('a'), result('a', 'x'.repeat(5000))], rule);
    expect(capped).toBe(`a=${'x'.repeat(500)}\n[… 4000 more characters were left out …]\n${'x'.repeat(500)}`);
    const [pair] = pairs([calls('a'), result('a', `${'x'.repeat(499)}😀${'y'.repeat(500)}😀${'x'.repeat(499)}`)], rule);
    expect(pair).toBe(`a=${'x'.repeat(499)}\n[… 504 more characters were left out …]\n${'x'.repeat(499)}`);
    expect(pairs([calls('a'), result('a', 'x'.repeat(1000))], rule)[0]).toBe(`a=${'x'.repeat(1000)}`);
    const told = (length: number) => matchResults([calls('a'), result('a', 'x'.repeat(length))], rule).warnings;
    expect(told(1001).map((warning) => warning.code)).toEqual(['result-capped']);
    expect(told(1000)).toEqual([]);
  });

  it('A-197 lets flags win over JSON and JSON over the prefix', () => {
    const status = (text: string, more: object = {}, rule = lenient) =>
      matchResults([calls('a'), result('a', text, more)], rule).rounds.get(0)?.[0]?.status;
    expect(status('error: x')).toBe('error');
    expect(status('ERROR: x')).toBe('error');
    expect(status('Error handling guide')).toBe('ok');
    expect(status('Error: x', { status: 'ok' })).toBe('ok');
    expect(status('all good', { status: 'error' })).toBe('error');
    expect(status('Error: x', {}, { ...lenient, errorPrefix: false })).toBe('ok');
    expect(status('{"error":"no such file"}')).toBe('error');
    expect(status('{"error":null}')).toBe('ok');
    expect(status('{"error":"label","ok":"label"}')).toBe('ok');
    expect(status('{"is_error":true,"text":"x"}')).toBe('error');
    expect(status('{"isError":false,"error":"x"}')).toBe('ok');
    expect(status('{broken')).toBe('ok');
  });

  it('pairs tens of thousands of results by their tools alone in linear time, and keeps a refusal of as many short', () => {
    const count = sized(40_000);
    const names = Array.from({ length: count }, (_, at) => `tool_${at}`);
    const nameless = names.map((name) => result('', name, { name })).reverse();
    const found = pairs([user('x'), calls(...names.map((name) => `${name}:${name}`)), ...nameless]);
    expect(found).toEqual([names.map((name) => `${name}=${name}`).join(' ')]);
    const same = [user('x'), calls(...names), ...names.slice(1).map((text) => result('', text))];
    expect(refusal(same, lenient).message).toMatch(new RegExp(` And ${count - 101} more of the kind\\.$`));
    expect(refusal(same, lenient).message.length).toBeLessThan(10_000);
  });

  it('B-114 names every fault at once in strict mode', () => {
    const messages: Message[] = [
      calls('a', 'b'),
      { role: 'tool', callId: 'a', content: [] },
      result('zz', 'x'),
      result('', 'y', { name: 'other' }),
    ];
    const error = refusal(messages, strict);
    expect(error.code).toBe('invalid-tool-results');
    expect(error.message).toContain('"b" of read has no result');
    expect(error.message).toContain('messages[1]: the tool result has no content');
    expect(error.message).toContain('"zz" belongs to no call');
    expect(error.message).toContain('no tool_call_id belongs to no call');
    expect(refusal([user('x'), result('a', 'x')], strict).message).toContain('no assistant message');
    expect(validateToolResults(messages)).toHaveLength(4);
    expect(validateToolResults([calls('a'), result('a', 'A')])).toEqual([]);
  });

  it('E-074 never changes its input and gives each call one outcome, each result at most one call (property)', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const message = fc.oneof(
      fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => calls(...ids)),
      fc.tuple(id, fc.nat(999)).map(([callId, text]) => result(callId, `r${text}`)),
      fc.constant(user('note')),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const before = JSON.stringify(messages);
        const matched = matchResults(deepFreeze(messages), lenient);
        expect(JSON.stringify(messages)).toBe(before);
        const made = messages.flatMap((one) => (one.role === 'assistant' ? one.content : []));
        const outcomes = [...matched.rounds.values()].flat();
        expect(outcomes.map(({ call }) => call)).toEqual(made);
        const sent = messages.filter((one) => one.role === 'tool');
        for (const { call, status, text } of outcomes) {
          if (status === 'missing') continue;
          expect(sent.some((one) => one.callId === call.callId && JSON.stringify(one.content).includes(text))).toBe(
            true,
          );
        }
      }),
    );
  });
});

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
