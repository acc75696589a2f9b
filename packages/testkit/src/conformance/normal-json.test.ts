import { expect, it } from 'vitest';
import { normalJson } from './normal-json.ts';

it.each([
  ['{ "a" : [ 1 , "x y" ] }', '{"a":[1,"x y"]}'],
  ['{"\\u0061\\/":"\\u003c\\ud83d"}', '{"a/":"<\\ud83d"}'],
  ['{"n":1234567890123456789,"m":1.0,"q":"\\"\\\\"}', '{"n":1234567890123456789,"m":1.0,"q":"\\"\\\\"}'],
])('spells %s in one way', (json, normal) => {
  expect(normalJson(json)).toBe(normal);
});

it('refuses what is not JSON', () => {
  expect(() => normalJson('{"a":}')).toThrow();
});
