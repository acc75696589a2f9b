import { anySample, awkward, Grammar, runs, seededRandom } from '@dragoman/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from './steps.ts';
import { writeGbnf } from './write-gbnf.ts';

const grammarOf = (schema: object) => new Grammar(finish(writeGbnf({ json: { ...schema } })).grammar);
const accepts = (schema: object, value: unknown) => grammarOf(schema).accepts(JSON.stringify(value));

const ajv = new Ajv2020({ strict: false, formats: { uri: true } });

describe('a schema as agents write them', () => {
  it('lets every value be written that fits, and what is written fits', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const { schema, value } = anySample(random, 3);
        const check = ajv.compile(schema);
        fc.pre(check(value));
        const grammar = grammarOf(schema);
        expect(grammar.accepts(JSON.stringify(value)), JSON.stringify({ schema, value })).toBe(true);
        expect(grammar.accepts(JSON.stringify(value, null, 1)), JSON.stringify({ schema, value })).toBe(true);
        const drawn = grammar.draw(random);
        expect(grammar.accepts(drawn), drawn).toBe(true);
        if (JSON.stringify(schema).includes('"oneOf"')) return;
        expect(check(JSON.parse(drawn)), `${drawn}\n${JSON.stringify(schema)}`).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  const nested = {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#' } } },
    additionalProperties: false,
  };

  it.each([
    ['a reference to itself', nested, { children: [{ children: [] }, {}] }],
    ['a reference that leads nowhere', { $ref: 'https://example.com/other.json' }, { any: ['thing'] }],
    ['a reference that is nothing but itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 1],
    ['alternatives that begin with themselves', { anyOf: [{ $ref: '#' }, { type: 'string' }] }, 'x'],
    [
      'an object that names no member',
      { type: 'object', properties: { a: { type: 'object', properties: {} } } },
      { a: { b: 1 } },
    ],
    ['bounds that a grammar cannot count', { type: 'string', maxLength: 100_000 }, 'x'.repeat(500)],
    ['a pattern', { type: 'string', pattern: '^a+$' }, 'aaa'],
    [
      'others of a type in one part of several',
      {
        allOf: [
          { type: 'object', additionalProperties: { type: 'number' } },
          { type: 'object', properties: { a: {} } },
        ],
      },
      { a: 1, b: 2 },
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }] }, ['any', 1]],
    ['what a value is not', { not: { type: 'string' } }, 1],
    ['true', { type: 'object', properties: { a: true }, required: ['a'] }, { a: [null] }],
    [
      'members that it names',
      { type: 'object', properties: { a: { type: 'number' } } },
      { a: 1, b: [2], c: 'x', d: 4, e: 5, f: {}, g: null },
    ],
    [
      'those of an object inside that names some',
      { type: 'object', properties: { a: { type: 'object', properties: { b: {} }, required: ['b'] } } },
      { a: { b: 1, c: 2 } },
    ],
    ['members of a type', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1, b: 2 }],
    [
      'members whose names fit a pattern',
      { type: 'object', patternProperties: { '^(.*)$': { type: 'number' } }, additionalProperties: false },
      { a: 1, b: 2 },
    ],
    [
      'those, and others of another type',
      { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: { type: 'number' } },
      { a: 1, 'x-b': '2' },
    ],
    ['a needed member that has no schema', { type: 'object', required: ['a'] }, { a: 1 }],
  ])('never holds to less than %s', (_, schema, value) => {
    expect(accepts(schema, value)).toBe(true);
  });

  it.each([
    ['a value that is not listed', { enum: ['a', 'b'] }, 'c'],
    ['a member that is missing', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, {}],
    ['another type', { type: 'array', items: { type: 'integer' } }, [1.5]],
    ['a member that is not named', { type: 'object', properties: { a: {} }, additionalProperties: false }, { b: 1 }],
    ['another one of another type', { type: 'object', additionalProperties: { type: 'number' } }, { a: 'x' }],
    ['another one in place of a needed one', { type: 'object', properties: { a: {} }, required: ['a'] }, { b: 1 }],
    ['too few of them', { type: 'array', items: {}, minItems: 2 }, [1]],
    [
      'one of another type than the pattern of names says',
      { type: 'object', patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      { 'x-a': 'x' },
    ],
    ['a whole number below the least', { type: 'integer', minimum: 1 }, 0],
    ['one above the most', { type: 'integer', exclusiveMaximum: 10 }, 10],
  ])('holds %s off', (_, schema, value) => {
    expect(accepts(schema, value)).toBe(false);
  });

  it.each([
    [0, 0],
    [1, 600],
    [-7, 13],
    [-120, -99],
    [10, 10],
    [985, 1012],
    [-1, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, 5],
  ])('writes just the whole numbers from %d to %d', (least, most) => {
    const bounds = {
      ...(Number.isFinite(least) ? { minimum: least } : {}),
      ...(Number.isFinite(most) ? { maximum: most } : {}),
    };
    const grammar = grammarOf({ type: 'integer', ...bounds });
    for (let value = -1300; value <= 1300; value += 1) {
      expect(grammar.accepts(String(value)), String(value)).toBe(value >= least && value <= most);
    }
  });

  it.each(['integer', 'number', undefined])('writes the greatest whole number of computers as %s', (type) => {
    const grammar = grammarOf({ type: 'object', properties: { a: type === undefined ? {} : { type } } });
    expect(grammar.accepts('{"a": 18446744073709551615}')).toBe(true);
  });

  it('bounds white space, which a small model writes for ever', () => {
    const grammar = grammarOf({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
    expect(grammar.accepts('{\n  "a": 1\n}')).toBe(true);
    for (const gap of ['  ', '\n\n', `\n${' '.repeat(25)}`]) expect(grammar.accepts(`{${gap}"a": 1}`)).toBe(false);
  });

  it('is written once where it stands often, and no rule begins with itself', () => {
    const path = { type: 'string', maxLength: 9 };
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, path]));
    const text = finish(writeGbnf({ json: { type: 'object', properties: many } })).grammar;
    expect(text.split('{0,9}')).toHaveLength(2);
    for (const line of finish(writeGbnf({ json: { anyOf: [{ $ref: '#' }, { type: 'string' }] } })).grammar.split(
      '\n',
    )) {
      const [name, body = ''] = line.split(' ::= ');
      expect(body.replaceAll('(', '').startsWith(`${name} `), line).toBe(false);
    }
  });
});

it.each(awkward.filter((each) => each !== ''))('%j is data wherever it stands', (text) => {
  const schema = {
    type: 'object',
    properties: { [text]: { enum: [text] } },
    required: [text],
    additionalProperties: false,
  };
  const grammar = grammarOf({ ...schema, description: text });
  expect(grammar.accepts(JSON.stringify({ [text]: text }))).toBe(true);
  expect(grammar.accepts(JSON.stringify({ [text]: `${text}x` }))).toBe(false);
  expect(JSON.parse(grammar.draw(seededRandom(7)))).toEqual({ [text]: text });
});
