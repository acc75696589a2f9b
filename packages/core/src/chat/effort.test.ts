import { chatRequest } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { effortOf, nearestEffort } from './effort.ts';

const three = ['low', 'medium', 'high'];

it.each([
  ['high', three, 'high'],
  ['max', three, 'high'],
  ['minimal', three, 'low'],
  ['medium', ['high', 'low'], 'low'],
  ['high', ['low', 'max'], 'low'],
  ['ultra', three, 'medium'],
  ['none', three, undefined],
  ['none', ['none', 'low'], 'none'],
  ['low', ['none', 'high'], 'high'],
  ['high', [], undefined],
])('C-036 says %s in the words %j as %s', (effort, known, expected) => {
  expect(nearestEffort(effort, known)).toBe(expected);
});

it.each([
  [{}, undefined],
  [{ reasoningEffort: 'low', reasoningBudget: 32_000 }, 'low'],
  [{ reasoningBudget: 1024 }, 'low'],
  [{ reasoningBudget: 4096 }, 'medium'],
  [{ reasoningBudget: 31_999 }, 'high'],
])('reads the effort of %j as %s', (fields, expected) => {
  expect(effortOf(chatRequest(fields))).toBe(expected);
});
