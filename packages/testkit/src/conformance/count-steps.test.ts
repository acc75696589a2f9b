import { expect, it } from 'vitest';
import { countSteps } from './count-steps.ts';

const text = (length: number) => 'ab'.repeat(length / 2);

/** Looks at each character once. */
function readOnce(length: number): void {
  for (let at = 0; at < length; at += 1) text(length).charCodeAt(at);
}

/** Copies all that has come with each character. */
function copyEachTime(length: number): void {
  for (let at = 0; at < length; at += 1) text(length).slice(0, at);
}

it('counts characters that are looked at or copied, so that growth can be told', () => {
  expect(countSteps(() => readOnce(400)) / countSteps(() => readOnce(100))).toBe(4);
  expect(countSteps(() => copyEachTime(400)) / countSteps(() => copyEachTime(100))).toBeGreaterThan(15);
});

it('leaves no trace, also when the work throws', () => {
  const before = String.prototype.charCodeAt;
  expect(() =>
    countSteps(() => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  expect(String.prototype.charCodeAt).toBe(before);
});
