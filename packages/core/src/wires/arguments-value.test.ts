import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Warning } from '../chat/warning.ts';
import { JsonText, writeJson } from '../json/json-text.ts';
import { argumentsValue } from './arguments-value.ts';

function value(json: string): object {
  const warnings: Warning[] = [];
  const found = argumentsValue({ name: 'n', arguments: json }, warnings);
  expect(warnings).toEqual([]);
  return found;
}

it('is the value where nothing gets lost, whatever white space is around', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (given, indent) => {
      const json = JSON.stringify(given, undefined, indent);
      expect(value(json)).toEqual(JSON.parse(json));
    }),
  );
});

it.each([
  '{"n":9007199254740993}',
  '{"n":0.1000000000000000055}',
  '{"n":1e400}',
  '{"n":-0}',
  '{"n":1.0}',
  '{"a":1,"a":2}',
  '{"b":1,"2":2,"1":3}',
])('is the text of %s, which JavaScript would change', (json) => {
  expect(value(json)).toBeInstanceOf(JsonText);
  expect(writeJson({ input: value(json) })).toBe(`{"input":${json}}`);
});

it('shows the text of what is no object, or has no end of levels, and tells', () => {
  for (const json of ['', '[]', 'null', '{"a":', '"{}"', `{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}`]) {
    const warnings: Warning[] = [];
    expect(argumentsValue({ name: 'n', arguments: json }, warnings)).toEqual({ arguments: json });
    expect(warnings).toMatchObject([{ code: 'json-repaired', message: expect.stringContaining('"n"') }]);
  }
});
