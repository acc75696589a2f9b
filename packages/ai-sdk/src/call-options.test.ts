import { DragomanError, findDialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { checkOptions } from './call-options.ts';

function refusal(options: unknown): DragomanError {
  try {
    checkOptions(options);
  } catch (thrown) {
    if (thrown instanceof DragomanError) return thrown;
    throw thrown;
  }
  throw new Error('The options were taken.');
}

describe('options that would not do what they say are refused, with their name and what is possible', () => {
  it.each<[options: unknown, param: string, words: string]>([
    [{ dialct: 'glm' }, 'dialct', 'There is no option "dialct". Known are dialect, callDeltas'],
    [{ toString: 1 }, 'toString', 'There is no option "toString"'],
    [{ dialect: 5 }, 'dialect', 'dialect is 5: give it the id of a dialect, such as "'],
    [{ dialect: {} }, 'dialect', 'or a Dialect.'],
    [
      { callDeltas: 'whole' },
      'callDeltas',
      'callDeltas is "whole": give it one of "eager", "complete", or leave it out.',
    ],
    [{ exampleCall: 'yes' }, 'exampleCall', 'give it one of true, false'],
    [{ policy: { names: 'near' } }, 'policy.names', 'give it one of "exact", "normalised", "nearest"'],
    [{ policy: { maxCall: 1 } }, 'policy.maxCall', 'There is no option "policy.maxCall". Known are fences,'],
    [{ policy: { maxCalls: 0 } }, 'policy.maxCalls', 'policy.maxCalls is 0: give it a whole number from 1 on'],
    [{ policy: { maxCalls: '2' } }, 'policy.maxCalls', 'is "2"'],
    [{ policy: 'strict' }, 'policy', 'give it an object with some of fences,'],
    [{ limits: { callLength: 1.5 } }, 'limits.callLength', 'is 1.5'],
    [{ limits: [] }, 'limits', 'limits is a list'],
    [{ results: { maxLength: -1 } }, 'results.maxLength', 'is -1'],
    [{ finalAnswer: { marks: null } }, 'finalAnswer.marks', 'is null'],
    [{ outputFormat: 'json' }, 'outputFormat', '"auto", "native", "taught"'],
    [{ outputFormat: 'x'.repeat(1000) }, 'outputFormat', `"${'x'.repeat(64)}…"`],
    ['hermes', 'dragoman()', 'dragoman() is "hermes": give it an object'],
    [null, 'dragoman()', 'dragoman() is null'],
  ])('%j', (options, param, words) => {
    const error = refusal(options);
    expect(error.code).toBe('config-invalid');
    expect(error.param).toBe(param);
    expect(error.message).toContain(words);
    expect(error.message.length).toBeLessThan(400);
  });
});

it.each<[options: object]>([
  [{}],
  [{ dialect: undefined, policy: undefined }],
  [{ dialect: 'any', callDeltas: 'complete', policy: { maxCalls: 1, names: 'exact' } }],
  [{ dialect: findDialect('glm'), results: { maxLength: 0 }, limits: { callLength: 100 }, opened: 'reasoning' }],
  [{ finalAnswer: { marks: 'read' }, constrainCalls: 'json', systemText: 'first-user', reminder: true }],
])('takes %j', (options) => {
  expect(() => checkOptions(options)).not.toThrow();
});
