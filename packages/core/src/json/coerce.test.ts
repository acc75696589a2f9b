import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Coerced, coerceJson, coerceText } from './coerce.ts';
import { SchemaView } from './schema.ts';

const coerce = (text: string, schema: unknown): Coerced => coerceText(text, SchemaView.of(schema));
const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };

describe('strings', () => {
  test.each(['007', 'true', '1e3', 'null', 'None', '{"x":1}', '[1]', '', ' 5 ', '\n x \n', '"quoted"', '\ud83d'])(
    'B-056 A-123 a string parameter keeps %j exactly',
    (text) => {
      const { json, warning } = coerce(text, string);
      expect(JSON.parse(json)).toBe(text);
      expect(warning).toBeUndefined();
    },
  );
});

describe('nothing known of the type', () => {
  test.each(['5', '1.10', '-0', 'True', 'None', ' true', '{a:1}', "['a']", '[1', '"q"', '\ufeff{"a":1}', ' x ', ''])(
    '%j may be meant as a string and stays one',
    (text) => {
      expect(coerce(text, {})).toEqual({ json: JSON.stringify(text) });
      expect(coerceText(text, SchemaView.any)).toEqual({ json: JSON.stringify(text) });
    },
  );

  test.each([
    ['true', 'true'],
    ['null', 'null'],
    ['{"a": 1e400}', '{"a": 1e400}'],
    [' [1, "2"]\n', '[1, "2"]'],
  ])('%j can only be meant as a value', (text, json) => {
    expect(coerce(text, {})).toEqual({ json });
    expect(coerce(text, { description: 'any value' })).toEqual({ json });
  });
});

describe('no string admitted', () => {
  test.each<[string, unknown, string]>([
    ['5', integer, '5'],
    [' 5\n', number, '5'],
    ['42.0', integer, '42.0'],
    ['1e3', integer, '1e3'],
    ['1234567890123456789', integer, '1234567890123456789'],
    ['0.10000000000000000555', number, '0.10000000000000000555'],
    ['true', boolean, 'true'],
    ['null', { type: ['integer', 'null'] }, 'null'],
    ['null', integer, 'null'],
    [' null\n', number, 'null'],
    ['null', boolean, 'null'],
    ['null', { type: 'object' }, 'null'],
    ['null', { type: 'array' }, 'null'],
    ['5', { type: 'int' }, '5'],
    ['1.5', { type: 'float' }, '1.5'],
    ['true', { type: 'bool' }, 'true'],
    ['{"a":1}', { type: 'dict' }, '{"a":1}'],
    ['[1]', { type: 'list' }, '[1]'],
    ['{"a": [1, "x"]}', { type: 'object' }, '{"a": [1, "x"]}'],
    ['\n[{"a":1}]\n', { type: 'array' }, '[{"a":1}]'],
    ['[{"a":1}]', { $ref: '#/$defs/t', $defs: { t: { type: 'array' } } }, '[{"a":1}]'],
    ['[1]', { anyOf: [{ type: 'array' }, { type: 'null' }] }, '[1]'],
  ])('A-135 B-056 B-057 %j becomes a value, its text kept', (text, schema, json) => {
    expect(coerce(text, schema)).toEqual({ json });
  });

  test.each<[string, unknown, string]>([
    ['+5', integer, '5'],
    ['.5', number, '0.5'],
    ['True', boolean, 'true'],
    ['None', boolean, 'null'],
    ["{'a': True, }", { type: 'object' }, '{"a": true }'],
    ['{"n": "5"}', { properties: { n: integer } }, '{"n": 5}'],
    ['"5"', integer, '5'],
    ['"{\\"a\\":1}"', { type: 'object' }, '{"a":1}'],
    ['\ufeff5', integer, '5'],
    ['\u00a0true', boolean, 'true'],
  ])('%j is repaired and says so', (text, schema, json) => {
    expect(coerce(text, schema)).toEqual({ json, warning: 'value-coerced' });
  });

  test.each<[string, unknown]>([
    ['007', integer],
    ['1.5', integer],
    ['yes', boolean],
    ['TRUE', boolean],
    ['', integer],
    [' ', { type: 'object' }],
    ['{"a":1', { type: 'object' }],
    ['{"a":1} x', { type: 'object' }],
    ['[1]', { type: 'object' }],
    ['5', { type: 'array' }],
    ['"\\"5\\""', integer],
    ['"x', integer],
  ])('E-054 A-132 %j fits nothing, stays its exact text and says so', (text, schema) => {
    expect(coerce(text, schema)).toEqual({ json: JSON.stringify(text), warning: 'value-kept' });
  });
});

describe('strings and others admitted', () => {
  const mixed = { type: ['string', 'integer', 'boolean', 'null', 'object', 'array'] };
  test.each<[string, string]>([
    ['5', '5'],
    ['-12', '-12'],
    ['true', 'true'],
    ['null', 'null'],
    ['{"a":1}', '{"a":1}'],
    [' [1, 2] ', '[1, 2]'],
  ])('%j can only be meant as a value', (text, json) => {
    expect(coerce(text, mixed)).toEqual({ json });
  });

  test.each([
    'True',
    'None',
    ' 5',
    '007',
    '+5',
    '1e3',
    '1.5',
    '12345678901234567890',
    '{a: 1}',
    "{'a': 1}",
    '[1',
    'x',
    '',
  ])('%j may be meant as a string and stays one', (text) => {
    expect(coerce(text, mixed)).toEqual({ json: JSON.stringify(text) });
  });

  test('a text that enum lists is that string', () => {
    const schema = { anyOf: [{ enum: ['5', 'null', 'auto'] }, { type: ['integer', 'null'] }] };
    expect(coerce('5', schema).json).toBe('"5"');
    expect(coerce('null', schema).json).toBe('"null"');
    expect(coerce('6', schema).json).toBe('6');
  });

  test('null is null, but where only strings may stand or enum lists it', () => {
    expect(coerce('null', { type: 'string', default: null }).json).toBe('null');
    expect(coerce('null', { type: ['string', 'integer'] }).json).toBe('null');
    expect(coerce('"null"', { type: 'string', default: null }).json).toBe('"\\"null\\""');
    expect(coerce('null', { type: 'string' }).json).toBe('"null"');
    expect(coerce('null', { enum: ['null', 5] }).json).toBe('"null"');
  });

  test('what is not as it was written is told', () => {
    const schema = { type: ['string', 'object'], properties: { n: integer } };
    expect(coerce('{"n":"5"}', schema)).toEqual({ json: '{"n":5}', warning: 'value-coerced' });
    expect(coerce('{"n":"x"}', schema)).toEqual({ json: '{"n":"x"}', warning: 'value-kept' });
    expect(coerce('{"n":1,"n":2}', schema)).toEqual({ json: '{"n":1}', warning: 'parameter-repeated' });
    expect(coerce('{"a":1,"a":2}', {})).toEqual({ json: '{"a":1}', warning: 'parameter-repeated' });
  });

  test('a nullable string is null only for exactly that', () => {
    const schema = { type: ['string', 'null'] };
    expect(coerce('null', schema).json).toBe('null');
    expect(coerce(' null', schema).json).toBe('" null"');
    expect(coerce('5', schema).json).toBe('"5"');
  });
});

test('null that its markup calls JSON is null, whatever the schema', () => {
  for (const schema of [string, integer, {}, { type: ['string', 'object'] }]) {
    expect(coerceJson('null', SchemaView.of(schema))).toEqual({ json: 'null' });
  }
  expect(coerceJson('5', SchemaView.of(string))).toEqual({ json: '"5"', warning: 'value-kept' });
});

test('A-133 whatever the text and the schema, the result is JSON', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.stringMatching(/^[{}[\]"':,0-9a-z\\ .+-]*$/));
  const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array');
  fc.assert(
    fc.property(text, fc.uniqueArray(type), (value, types) => {
      const { json, warning } = coerce(value, { type: types });
      const parsed: unknown = JSON.parse(json);
      if (warning === 'value-kept' && typeof parsed === 'string') expect(parsed).toBe(value);
      if (typeof parsed === 'string') expect(parsed).toBe(value);
      if (typeof parsed === 'number') expect(types).not.toEqual([]);
    }),
    { numRuns: runs(1000) },
  );
});
