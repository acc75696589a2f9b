import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerceText } from './coerce.ts';
import { SchemaView } from './schema.ts';
import { StringLook } from './string-look.ts';

/** How many characters it takes to know that it is a string; undefined where that stays open. */
function knownAfter(text: string, schema: unknown): number | undefined {
  const look = new StringLook(SchemaView.of(schema));
  for (let index = 0; index < text.length; index += 1) {
    look.push(text.charAt(index));
    if (look.isString) return index + 1;
  }
  return undefined;
}

describe('a string is known as early as it can be', () => {
  test.each<[string, unknown, number | undefined]>([
    ['hello', {}, 1],
    ['nothing', {}, 2],
    ['null', {}, undefined],
    ['nullable', {}, 5],
    ['trust', {}, 4],
    ['42', {}, 1],
    ['42', { type: ['string', 'number'] }, undefined],
    ['42nd', { type: ['string', 'number'] }, 3],
    ['1e3', { type: ['string', 'number'] }, 2],
    ['1234567890123456', { type: ['string', 'number'] }, 16],
    ['{"a":1}', {}, undefined],
    ['{ color: red }', {}, 3],
    ["{'a':1}", {}, 2],
    ['[section]', {}, 2],
    ['[link](there)', {}, 2],
    ['[1] see', {}, 5],
    ['{}', { type: ['string', 'array'] }, 1],
    [' \n[1]\n', {}, undefined],
    [' text', {}, 2],
    [' 5', { type: ['string', 'number'] }, 1],
    ['null', { type: ['string', 'null'] }, undefined],
    ['none', { type: ['string', 'null'] }, 2],
    ['', {}, undefined],
  ])('%j under %j', (text, schema, known) => {
    expect(knownAfter(text, schema)).toBe(known);
  });
});

test('what is decoded at its end was never taken for a string, whatever the cuts (property)', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', 'null', 'true', '1', '-', '.5', ' ', 'x', 'e3');
  const text = fc.oneof(
    fc.json(),
    fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
  );
  const type = fc.constantFrom('integer', 'number', 'boolean', 'null', 'object', 'array');
  const schema = fc.oneof(
    fc.constant({}),
    fc.uniqueArray(type).map((types) => ({ type: ['string', ...types] })),
  );
  fc.assert(
    fc.property(text, schema, (value, given) => {
      const decodes = !coerceText(value, SchemaView.of(given)).json.startsWith('"');
      const whole = new StringLook(SchemaView.of(given));
      whole.push(value);
      expect(whole.isString).toBe(knownAfter(value, given) !== undefined);
      if (decodes) expect(whole.isString).toBe(false);
    }),
    { numRuns: runs(2000) },
  );
});
