import { expect, it } from 'vitest';
import { deepestJson, nestsTooDeeply, surveyJson } from './json-depth.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

it('counts lists and objects', () => {
  expect(nestsTooDeeply(nested(deepestJson))).toBe(false);
  expect(nestsTooDeeply(nested(deepestJson + 1))).toBe(true);
  expect(nestsTooDeeply(nested(3, '{"a":[', ']}'), 6)).toBe(false);
  expect(nestsTooDeeply(nested(4, '{"a":[', ']}'), 6)).toBe(true);
  expect(nestsTooDeeply('[]'.repeat(5000))).toBe(false);
});

it('does not count inside strings, whatever is escaped in them', () => {
  expect(nestsTooDeeply(JSON.stringify([nested(5000), '"[\\', '\\\\', '\\"['.repeat(5000)]))).toBe(false);
  expect(nestsTooDeeply(`["\\\\",${nested(5000)}]`)).toBe(true);
});

it('ends on text that is no JSON', () => {
  for (const text of ['"', '"\\', ']'.repeat(5000), '"'.repeat(5001), '\\'.repeat(5000)]) {
    expect(nestsTooDeeply(text, 1)).toBe(false);
  }
});

it('counts values before anything is parsed, and not what is in strings', () => {
  const most = { depth: 5, values: 10 };
  expect(surveyJson(JSON.stringify(Array.from({ length: 10 }, () => 1)), most).excess).toBeUndefined();
  expect(surveyJson(JSON.stringify(Array.from({ length: 11 }, () => 1)), most).excess).toBe('values');
  expect(surveyJson('['.repeat(11), { ...most, depth: 20 }).excess).toBe('values');
  expect(surveyJson('['.repeat(6), most).excess).toBe('depth');
  expect(surveyJson(JSON.stringify([',[{'.repeat(20), '\\",,,,,,,,,,,,', '\\']), most).excess).toBeUndefined();
});

it('sees on the way whether a number would be written otherwise', () => {
  const most = { depth: 5, values: 10 };
  for (const number of ['1.0', '-0', '1e400', '9007199254740993']) {
    expect(surveyJson(`{"a": [1, ${number}], "b": "2"}`, most)).toEqual({ hasOddNumber: true, values: 4 });
  }
  expect(surveyJson('{"a": [1, -2, 0.5], "b": "1.0 and \\"1.0"}', most)).toEqual({ hasOddNumber: false, values: 5 });
});
