import { expect, it } from 'vitest';
import { isPlainJson } from './plain-json.ts';

it.each([
  ['{"a":"x\\n\\t\\"\\\\ ä 😀"}', true],
  ['{"a":"\\u001b[1m and \\u0000"}', true],
  ['{"a":"\\u0073k-"}', false],
  ['{"a":"p\\u00e4ss"}', false],
  ['{"a":"http:\\/\\/ann:word@host"}', false],
  ['\uFEFF{"a":1}', false],
  ['{"a":"\\u00', false],
])('%s: a secret in it stands as JSON.stringify writes it: %s', (text, isPlain) => {
  expect(isPlainJson(Buffer.from(text))).toBe(isPlain);
});
