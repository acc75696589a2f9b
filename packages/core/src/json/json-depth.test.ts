import { expect, it } from 'vitest';
import { deepestJson, excessOf, nestsTooDeeply } from './json-depth.ts';

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

it('counts values before anything is parsed, and not what stands in strings', () => {
  const most = { depth: 5, values: 10 };
  expect(excessOf(JSON.stringify(Array.from({ length: 10 }, () => 1)), most)).toBeUndefined();
  expect(excessOf(JSON.stringify(Array.from({ length: 11 }, () => 1)), most)).toBe('values');
  expect(excessOf('['.repeat(11), { ...most, depth: 20 })).toBe('values');
  expect(excessOf('['.repeat(6), most)).toBe('depth');
  expect(excessOf(JSON.stringify([',[{'.repeat(20), '\\",,,,,,,,,,,,', '\\']), most)).toBeUndefined();
});
