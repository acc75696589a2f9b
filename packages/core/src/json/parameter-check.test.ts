import { describe, expect, it } from 'vitest';
import { ArgumentsReader } from './arguments-reader.ts';
import { SchemaView } from './schema.ts';

/** What is told of these arguments, whole and character by character. */
function told(schema: unknown, text: string): readonly string[] {
  const whole = warningsOf(schema, [text]);
  expect(warningsOf(schema, [...text])).toEqual(whole);
  return whole;
}

function warningsOf(schema: unknown, pieces: readonly string[]): readonly string[] {
  const warnings: string[] = [];
  const reader = new ArgumentsReader({
    schema: SchemaView.of(schema),
    emit: () => {},
    warning: (code, message) => warnings.push(`${code}: ${message}`),
  });
  for (const piece of pieces) reader.read(piece, 0);
  reader.end();
  return warnings;
}

const a = { a: { type: 'string' } };
const b = { b: { type: 'string' } };
const unknownB = 'parameter-unknown: Parameter "b" is not in the schema; it was kept.';
const missingA = 'parameter-missing: Required parameters are missing: "a".';

describe('the parameters of JSON arguments', () => {
  it('tells at the end what the schema does not name and what it requires', () => {
    expect(told({ type: 'object', properties: a, required: ['a'] }, '{"b":1}')).toEqual([unknownB, missingA]);
    expect(told({ properties: a, required: ['a'] }, '{"a":"x"}')).toEqual([]);
  });

  it.each(['{}', '{{}}', 'null', '"{}"', ''])('tells what %j lacks', (text) => {
    expect(told({ properties: a, required: ['a'] }, text)).toContain(missingA);
  });

  it('names so many missing ones and no more', () => {
    const required = Array.from({ length: 100 }, (_, at) => `k${at}`);
    expect(told({ required }, '{}')).toEqual([expect.stringMatching(/: "k0", .*, "k7" and more\.$/)]);
  });

  it('compares keys as they are meant, and only those of the outermost object', () => {
    const schema = { properties: { a: { properties: b } }, required: ['a'] };
    expect(told(schema, '{"\\u0061":{"b":"x"}}')).toEqual([]);
    expect(told(schema, '{"a":{"c":"x"}}')).toEqual([]);
    expect(told(schema, '{a:{}}')).toEqual(['json-repaired: A key without quotes was quoted.']);
  });

  it('tells nothing of what could not be read', () => {
    expect(told({ properties: a, required: ['a'] }, '{"b":1')).toEqual([]);
    expect(told({ properties: a, required: ['a'] }, '{"b":1]')).toEqual([]);
  });

  it('names only some of very many', () => {
    const members = Array.from({ length: 1000 }, (_, index) => `"k${index}":0`);
    expect(told({ properties: {} }, `{${members.join(',')}}`)).toEqual([
      expect.stringMatching(/"k7" and more are not in the schema; they were kept\.$/),
    ]);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['no schema', true, []],
    ['an object of anything', { type: 'object' }, []],
    ['no properties at all', { type: 'object', properties: {} }, [unknownB]],
    ['none beside them', { properties: a, additionalProperties: false }, [unknownB]],
    ['others beside them', { properties: a, additionalProperties: { type: 'string' } }, []],
    ['others anywhere beside them', { anyOf: [{ properties: a }, { additionalProperties: true }] }, []],
    ['others that nothing else names', { properties: a, unevaluatedProperties: {} }, []],
    ['names by a pattern', { properties: a, patternProperties: { '^b': {} }, additionalProperties: false }, []],
    [
      'names by a condition',
      JSON.parse('{"properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}}}}'),
      [],
    ],
    ['a reference', { $ref: '#/$defs/x', $defs: { x: { properties: a } } }, [unknownB]],
    [
      'a reference that names it',
      { properties: a, allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { properties: b } } },
      [],
    ],
    ['a reference to elsewhere', { properties: a, allOf: [{ $ref: 'https://example.com/x.json' }] }, []],
    ['one of two alternatives', { anyOf: [{ properties: a }, { properties: b }] }, []],
    [
      'required by all parts',
      { properties: b, allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { required: ['a'] } } },
      [missingA],
    ],
    ['required by one alternative', { properties: b, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, []],
    [
      'required by a condition',
      JSON.parse('{"properties":{"a":{},"b":{}},"if":{"required":["b"]},"then":{"required":["a"]}}'),
      [],
    ],
  ])('%s', (_name, schema, warnings) => {
    expect(told(schema, '{"b":"x"}')).toEqual(warnings);
  });
});
