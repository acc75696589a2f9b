import { expect, it } from 'vitest';
import { deepestJson, nestsTooDeeply } from './json-depth.ts';

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
