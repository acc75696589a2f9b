import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunk, done, startAnswer } from '../../test/start-answer.ts';
import type { Message } from '../chat/message.ts';
import { defaultCallPolicy, type FinalAnswerRule } from '../plan/rules.ts';
import { readMarks } from './final-answer.ts';

const call = '<function_calls><invoke name="read"><parameter name="path">a</parameter></invoke></function_calls>';
const answer = '<final_answer>Done!</final_answer>';

function replied(written: string, rule: Partial<FinalAnswerRule>, cuts: readonly number[] = []) {
  let random = 0;
  const randomHex = (length: number) => {
    random += 1;
    return random.toString(16).padStart(length, '0');
  };
  const reply = startAnswer({
    setup: { randomHex },
    rule: {
      toolCalling: { dialect: 'anthropic-xml' },
      finalAnswer: { marks: 'auto', withTools: 'run-tools', ...rule },
    },
  });
  reply.stream();
  const places = [...new Set([0, ...cuts.filter((at) => at < written.length), written.length])].sort((a, b) => a - b);
  const pieces = places.slice(1).map((to, at) => written.slice(places[at], to));
  for (const content of pieces) reply.data(chunk({ content }));
  reply.data(chunk({}, 'stop') + done);
  const { text, calls, finishReason, warnings } = reply.message();
  return {
    text: text.trim(),
    calls: calls.map(({ name }) => name),
    finishReason,
    codes: warnings.map((each) => each.code),
  };
}

describe('conflict 7: a final answer and a call in one reply', () => {
  const orders = [`${call}\n${answer}`, `${answer}\n${call}`, `${call}${answer}${call}`] as const;

  it.each(orders)('A-143: %s runs the calls', (written) => {
    expect(replied(written, {})).toMatchObject({ text: 'Done!', finishReason: 'tool-calls', codes: [] });
  });

  it.each(orders)('A-143: %s delivers both and ends with stop, where that is set', (written) => {
    const { text, calls, finishReason } = replied(written, { withTools: 'stop' });
    expect({ text, finishReason }).toEqual({ text: 'Done!', finishReason: 'stop' });
    expect(calls.length).toBeGreaterThan(0);
  });

  it.each(orders)('A-143: %s is the answer alone, where that is set, and the log holds the calls', (written) => {
    const { text, calls, finishReason, codes } = replied(written, { withTools: 'drop-tools' });
    expect({ text, calls, finishReason }).toEqual({ text: 'Done!', calls: [], finishReason: 'stop' });
    expect(new Set(codes)).toEqual(new Set(['call-surplus']));
  });

  it.each(['stop', 'drop-tools'] as const)('without an answer, %s changes nothing', (withTools) => {
    const written = `I look.\n${call}\nand wait.`;
    expect(replied(written, { withTools })).toEqual(replied(written, {}));
    expect(replied('Plain.', { withTools })).toEqual(replied('Plain.', {}));
  });

  it('A-143: wherever the reply is cut', () => {
    const written = fc.array(fc.constantFrom(call, answer, 'said ', '\n'), { maxLength: 5 }).map((all) => all.join(''));
    const withTools = fc.constantFrom('run-tools', 'stop', 'drop-tools');
    fc.assert(
      fc.property(written, withTools, fc.array(fc.nat(300), { maxLength: 8 }), (text, rule, cuts) => {
        expect(replied(text, { withTools: rule }, cuts)).toEqual(replied(text, { withTools: rule }));
      }),
      { numRuns: runs(60) },
    );
  });
});

it('what a model marks in its reasoning is no answer', () => {
  const reply = startAnswer({
    rule: {
      toolCalling: { dialect: 'anthropic-xml' },
      policy: { ...defaultCallPolicy, reasoning: 'fire' },
      finalAnswer: { marks: 'auto', withTools: 'drop-tools' },
    },
  });
  reply.stream();
  reply.data(chunk({ content: `<think>${answer} ${call}</think>` }) + chunk({}, 'stop') + done);
  const { calls, finishReason } = reply.message();
  expect({ calls: calls.length, finishReason }).toEqual({ calls: 1, finishReason: 'tool-calls' });
});

describe('marks of an answer', () => {
  const message = (role: 'system' | 'user' | 'assistant', text: string): Message => ({
    role,
    content: [{ type: 'text', text }],
  });
  const rule = { marks: 'auto', withTools: 'run-tools' } as const;

  it('A-129: are read where the prompt names them, or the rule says so', () => {
    expect(readMarks(rule, () => [message('system', 'Close with <final_answer>.')])).toBe('read');
    expect(readMarks(rule, () => [message('user', 'Use FINAL_ANSWER')])).toBe('read');
    expect(readMarks({ ...rule, marks: 'text' }, () => [message('user', 'final_answer')])).toBe('text');
    expect(readMarks({ ...rule, marks: 'read' }, () => [])).toBe('read');
  });

  it('are for the dialect to decide where only the model has named them', () => {
    expect(readMarks(rule, () => [message('user', 'Go'), message('assistant', '<final_answer>')])).toBe('auto');
  });

  it('A-130: stay text where the rule says so', () => {
    expect(replied(answer, { marks: 'text' }).text).toBe(answer);
    expect(replied('<final_answer>Done!', {}).text).toBe('Done!');
  });
});
