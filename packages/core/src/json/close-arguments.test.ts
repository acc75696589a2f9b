import { expect, it } from 'vitest';
import { closeArguments } from './close-arguments.ts';

it.each([
  ['{"a":1}', '{"a":1}'],
  ['', '{}'],
  ['null', '{}'],
  ['{"a":1', '{"a":1}'],
  ['{"a":[1,{"b":2}', '{"a":[1,{"b":2}]}'],
  ["{'a':True", '{"a":true}'],
  ['"{\\"a\\":1}"', '{"a":1}'],
  ['{"content":"half of', undefined],
  ['{"a":', undefined],
  ['[1]', undefined],
  ['what?', undefined],
])('what only lacks brackets is closed: %s', (text, json) => {
  expect(closeArguments(text)).toBe(json);
});
