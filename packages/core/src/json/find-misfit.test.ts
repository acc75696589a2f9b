import { growthOf, isWhole, runs } from '@dragoman/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonSchema } from '../chat/tool.ts';
import { findMisfit, misfitWords } from './find-misfit.ts';

function words(value: unknown, schema: JsonSchema): string {
  const found = findMisfit(value, schema);
  return found === undefined || found === 'unjudged' ? String(found) : misfitWords(found);
}

describe('what does not fit is named with its place', () => {
  it.each<[value: unknown, schema: JsonSchema, words: string]>([
    [1, { type: 'string' }, '$ must be a string, not a whole number'],
    [1.5, { type: 'integer' }, '$ must be a whole number, not a fraction'],
    [null, { type: ['string', 'number'] }, '$ must be a string or a number, not null'],
    [{ city: 5 }, { properties: { city: { type: 'string' } } }, '$.city must be a string, not a whole number'],
    [
      { a: [{ b: true }] },
      { $ref: '#/$defs/a', $defs: { a: { properties: { a: { items: { properties: { b: { const: 1 } } } } } } } },
      '$.a[0].b must be 1',
    ],
    [{}, { required: ['name'] }, '$ lacks "name"'],
    [{ 'a b': { '': 1 } }, { additionalProperties: { additionalProperties: false } }, '$["a b"][""] is not allowed'],
    ['x', { enum: ['a', 2, [1]] }, '$ must be one of "a", 2, a certain list'],
    [5, { minimum: 6 }, '$ must be at least 6'],
    [5, { maximum: 5, exclusiveMaximum: true }, '$ must be less than 5'],
    [0.25, { multipleOf: 0.1 }, '$ must be a multiple of 0.1'],
    ['ab', { minLength: 3 }, '$ must have at least 3 characters'],
    ['😀😀', { maxLength: 1 }, '$ must have at most 1 characters'],
    ['ab', { pattern: '^a$' }, '$ must match the pattern "^a$"'],
    ['2026-02-30', { format: 'date' }, '$ must be of the format "date"'],
    [[1, 2, 1], { uniqueItems: true }, '$[2] must differ from item 0'],
    [
      [1, 'a'],
      { prefixItems: [{ type: 'integer' }], items: { type: 'integer' } },
      '$[1] must be a whole number, not a string',
    ],
    [[1], { contains: { type: 'string' } }, '$ must contain 1 items of a certain kind, not 0'],
    [
      5,
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      '$ must be a string, not a whole number, or must be null, not a whole number',
    ],
    [
      { a: 1 },
      { anyOf: [{ type: 'null' }, { properties: { a: { type: 'string' } } }] },
      '$.a must be a string, not a whole number',
    ],
    [5, { oneOf: [{ type: 'integer' }, { minimum: 1 }] }, '$ must fit exactly one of 2 alternatives, not 2'],
    [5, { not: { type: 'integer' } }, '$ is what its schema forbids'],
    [{ a: 1 }, { dependentRequired: { a: ['b'] } }, '$ lacks "b"'],
    [{ a: 1, b: 2 }, { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, '$.b is not allowed'],
    [[1, 2], { prefixItems: [{}], unevaluatedItems: false }, '$[1] is not allowed'],
    [{ ab: 1 }, { propertyNames: { maxLength: 1 } }, '$ may have no member of the name "ab"'],
    [
      { x1: 'a' },
      { patternProperties: { '^x\\d': { type: 'number' } }, additionalProperties: false },
      '$.x1 must be a number, not a string',
    ],
    [{}, false, '$ is not allowed'],
  ])('%j in %j', (value, schema, expected) => {
    expect(words(value, schema)).toBe(expected);
  });
});

it('a condition says what else has to be', () => {
  const entries = [
    ['if', { required: ['a'] }],
    ['then', { required: ['b'] }],
    ['else', { maxProperties: 0 }],
  ];
  const schema: JsonSchema = Object.fromEntries(entries);
  expect([{}, { a: 1, b: 1 }].map((value) => words(value, schema))).toEqual(['undefined', 'undefined']);
  expect(words({ a: 1 }, schema)).toBe('$ lacks "b"');
  expect(words({ c: 1 }, schema)).toBe('$ must have at most 0 members');
});

it('what nothing has described is judged apart', () => {
  const schema: JsonSchema = {
    if: { properties: { a: {} } },
    anyOf: [{ properties: { b: {} }, required: ['b'] }, { properties: { c: {} } }],
    contains: { type: 'string' },
    unevaluatedProperties: { type: 'integer' },
    unevaluatedItems: false,
  };
  const texts = [{ a: '', b: '', c: '' }, { c: '', d: 1 }, ['x'], [1, 'x']].map((value) => words(value, schema));
  expect(texts).toEqual(['undefined', 'undefined', 'undefined', '$[0] is not allowed']);
  expect(words({ a: '', d: '' }, schema)).toBe('$.d must be a whole number, not a string');
  // What an alternative describes that does not fit, it does not describe.
  expect(
    words({ b2: '' }, { anyOf: [{ properties: { b2: { type: 'null' } } }, {}], unevaluatedProperties: false }),
  ).toBe('$.b2 is not allowed');
});

describe('what fits', () => {
  it.each<[value: unknown, schema: JsonSchema]>([
    [null, { type: 'string', nullable: true }],
    [0.3, { multipleOf: 0.1 }],
    [[1, 'a'], { items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false }],
    [
      { next: { next: {} } },
      { $id: 'https://example.com/list', properties: { next: { $ref: 'https://example.com/list#' } } },
    ],
    [{ a: 1 }, { $ref: '#item', $defs: { item: { $anchor: 'item', required: ['a'] } } }],
    [[], { contains: { type: 'string' }, minContains: 0 }],
    [[1, 'a'], { contains: { type: 'string' }, maxContains: 1 }],
    ['anything', { format: 'nobody-knows-it' }],
    ['2024-02-29T23:59:60Z', { format: 'date-time' }],
    ['a-b.example', { format: 'hostname' }],
    ['1.2.3.255', { format: 'ipv4' }],
    ['::ffff:1.2.3.4', { format: 'ipv6' }],
    ['P1Y2M3DT4H5M6S', { format: 'duration' }],
    ['123e4567-e89b-12d3-a456-426614174000', { format: 'uuid' }],
    ['mailto:a@b.example', { format: 'uri' }],
  ])('%j in %j', (value, schema) => {
    expect(findMisfit(value, schema)).toBeUndefined();
  });
});

describe('what is not checked is said to be so, and nothing hangs on it', () => {
  const unchecked = { pattern: '^(?=.*a)' };
  const known = { pattern: '^a' };
  const condition: JsonSchema = Object.fromEntries([
    ['if', unchecked],
    ['then', { maxLength: 1 }],
    ['else', { minLength: 3 }],
  ]);
  it.each<[value: unknown, schema: JsonSchema, words: string]>([
    ['x', unchecked, 'unjudged'],
    ['x', { not: unchecked }, 'unjudged'],
    ['x', { not: { not: unchecked } }, 'unjudged'],
    ['x', { allOf: [unchecked, { maxLength: 0 }] }, '$ must have at most 0 characters'],
    ['ax', { anyOf: [unchecked, known] }, 'undefined'],
    ['x', { anyOf: [unchecked, known] }, 'unjudged'],
    ['ax', { oneOf: [unchecked, known] }, 'unjudged'],
    ['ax', { oneOf: [unchecked, known, { minLength: 1 }] }, '$ must fit exactly one of 3 alternatives, not 2'],
    [1, { oneOf: [{ type: 'string', ...unchecked }, { type: 'integer' }] }, 'undefined'],
    ['x', condition, 'unjudged'],
    ['xx', condition, '$ must have at most 1 characters'],
    [['x', 'y'], { contains: unchecked }, 'unjudged'],
    [['x', 'y'], { contains: unchecked, minContains: 0 }, 'undefined'],
    [['x', 'y'], { contains: unchecked, maxContains: 1 }, 'unjudged'],
    [['x'], { contains: unchecked, minContains: 2 }, '$ must contain 2 items of a certain kind, not 1'],
    [{ b: 1 }, { additionalProperties: false, patternProperties: { '(?=b)': {} } }, 'unjudged'],
    [{ b: 1 }, { unevaluatedProperties: false, patternProperties: { '(?=b)': {} } }, 'unjudged'],
    [{ b: 1 }, { propertyNames: unchecked }, 'unjudged'],
    ['x', { $ref: 'https://example.com/other' }, 'unjudged'],
    ['x', { not: { $ref: 'https://example.com/other' } }, 'unjudged'],
    [
      'x',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: { $id: 'https://example.com/a', $ref: '#/$defs/b', $defs: { b: { type: 'string' } } },
          b: { type: 'integer' },
        },
      },
      'unjudged',
    ],
    [1, unchecked, 'undefined'],
  ])('%j in %j: %s', (value, schema, expected) => {
    expect(words(value, schema)).toBe(expected);
  });
});

it('large numbers are multiples exactly', () => {
  expect(words(4503599627370497, { multipleOf: 2 })).toBe('$ must be a multiple of 2');
  expect(words(4503599627370498, { multipleOf: 2 })).toBe('undefined');
  expect(words(1e308, { multipleOf: 1e-10 })).toBe('undefined');
});

it.each([
  ['date', '2026-13-01'],
  ['time', '24:00:00Z'],
  ['date-time', '2026-01-01'],
  ['duration', 'P'],
  ['email', 'a.example'],
  ['hostname', '-a.example'],
  ['ipv4', '1.2.3.256'],
  ['ipv6', '1::2::3'],
  ['uuid', '123e4567'],
  ['uri', 'no scheme'],
])('no %s: %s', (format, text) => {
  expect(words(text, { format })).toContain(format);
});

describe('a schema that asks for too much', () => {
  const doubling = (levels: number): JsonSchema => ({
    $ref: '#/$defs/l0',
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = level + 1 === levels ? { type: 'null' } : { $ref: `#/$defs/l${level + 1}` };
        return [`l${level}`, { anyOf: [next, { allOf: [next] }] }];
      }),
    ),
  });
  it.each<[what: string, value: unknown, schema: JsonSchema]>([
    ['alternatives that double with each level', 'x', doubling(40)],
    ['a reference to itself', 'x', { $ref: '#' }],
    [
      'a circle of references',
      'x',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    [
      'many patterns on a long text',
      'a'.repeat(100_000),
      { allOf: Array.from({ length: 100 }, () => ({ pattern: '(a|a|b)*$' })) },
    ],
    [
      'a long list of alternatives for many items',
      Array(5000).fill('x'),
      { items: { enum: [...Array(5000).keys(), 'x'] } },
    ],
  ])(
    '%s: is not judged, and soon',
    (_, value, schema) => {
      expect(findMisfit(value, schema)).toBe('unjudged');
    },
    10_000,
  );

  it.each(['(a+)+$', '(a|aa)+$', '^(a?){50}a{50}$', '(x+x+)+y'])('the pattern %s takes linear time', (pattern) => {
    expect(growthOf((size) => findMisfit(`${'a'.repeat(size)}!`, { pattern }), 500)).toBeLessThan(1.1);
    expect(growthOf((size) => findMisfit('x'.repeat(size), { pattern }), 500)).toBeLessThan(1.1);
  });

  it.each(['a{1000000000}', '((((((a{9}){9}){9}){9}){9}){9}){9}'])('the pattern %s is not written out', (pattern) => {
    expect(findMisfit('b', { pattern })).toBe('unjudged');
  });

  it('nothing, many times, takes no room', () => {
    expect(findMisfit('b', { pattern: '^(?:(?:(?:){4000}){4000}){4000}b' })).toBeUndefined();
    expect(findMisfit('b', { pattern: '(?:(?:(?:){4000}){4000}){4000}a' })).toMatchObject({ problem: /^must match/ });
  });

  it('a value nested deeper than the stack is not judged', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(findMisfit(deep, { uniqueItems: true })).toBe('unjudged');
  });
});

/**
 * Schemas of few keywords, names and small numbers, so that random values fit them now and then. Without `unevaluated…`
 * and `prefixItems`, where the other validator departs from the standard: it forgets what an `if` without `then`
 * describes, and takes a list that is shorter than its `prefixItems` for one that fits.
 */
const schemaWith = (patterns: readonly string[]) =>
  fc.letrec<{ schema: JsonSchema; node: JsonSchema }>((tie) => {
    const schema = tie('schema');
    const small = fc.nat(2);
    const name = fc.constantFrom('a', 'b', 'c');
    const names = fc.uniqueArray(name, { maxLength: 2 });
    const some = (arbitrary: typeof schema) => fc.array(arbitrary, { minLength: 1, maxLength: 3 });
    const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');
    const keywords: readonly (readonly [keyword: string, value: fc.Arbitrary<unknown>])[] = [
      ['type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1 }))],
      ['enum', fc.uniqueArray(fc.constantFrom(1, 'a', null, true), { minLength: 1 })],
      ['const', fc.constantFrom<unknown>(1, 'a', [1], { a: 1 })],
      ['minimum', small],
      ['exclusiveMaximum', small],
      ['multipleOf', fc.integer({ min: 1, max: 3 })],
      ['minLength', small],
      ['maxLength', small],
      ['pattern', fc.constantFrom(...patterns)],
      ['minItems', small],
      ['maxItems', small],
      ['uniqueItems', fc.boolean()],
      ['items', schema],
      ['contains', schema],
      ['minContains', small],
      ['maxContains', small],
      ['properties', fc.dictionary(name, schema)],
      ['required', names],
      ['additionalProperties', schema],
      ['patternProperties', fc.dictionary(fc.constantFrom(...patterns), schema)],
      ['propertyNames', schema],
      ['minProperties', small],
      ['maxProperties', small],
      ['dependentRequired', fc.dictionary(name, names)],
      ['dependentSchemas', fc.dictionary(name, schema)],
      ['allOf', some(schema)],
      ['anyOf', some(schema)],
      ['oneOf', some(schema)],
      ['not', schema],
      ['if', schema],
      ['then', schema],
      ['else', schema],
      ['$ref', fc.constantFrom('#/$defs/a', '#b')],
    ];
    const keyword = fc.oneof(...keywords.map(([name, value]) => value.map((given) => [name, given] as const)));
    return {
      schema: fc.oneof(
        { maxDepth: 2, depthIdentifier: 'schema' },
        { arbitrary: fc.boolean(), weight: 1 },
        { arbitrary: tie('node'), weight: 8 },
      ),
      node: fc
        .array(keyword, { minLength: 1, maxLength: 4, depthIdentifier: 'schema' })
        .map((pairs) => Object.fromEntries(pairs)),
    };
  }).schema;

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1, 2, 1.5, -1, '', 'a', 'b', 'ab', 'aaaa'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'bc'), tie('value'), { maxKeys: 3 }),
  ),
}));

const checked = ['a', '^a*$', '^[ab]{1,2}$', 'b|^$', '^b', 'c$'];

/** Patterns that are not checked, with what they say by chance. */
const unchecked = ['^(?=a)', '^(?!a)', '(a)\\1', 'b(?<=ab)'];

/** What each validator says of random values in random schemas. */
function compareOver(patterns: readonly string[], compare: (fits: boolean, found: string, told: string) => void): void {
  const anySchema = schemaWith(patterns);
  fc.assert(
    fc.property(
      anySchema,
      fc.record({ a: anySchema, b: anySchema }),
      fc.array(anyValue, { minLength: 5, maxLength: 20 }),
      (schema, { a, b }, values) => {
        // Definitions that refer to each other may do so without end.
        fc.pre(!JSON.stringify([a, b]).includes('$ref'));
        const anchored = typeof b === 'boolean' ? { $anchor: 'b', allOf: [b] } : { ...b, $anchor: 'b' };
        const whole = JSON.parse(JSON.stringify({ allOf: [schema], $defs: { a, anchored } }));
        const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
        const validate = ajv.compile(whole);
        // Objects as JSON makes them: without a prototype none is equal to another there.
        for (const value of JSON.parse(JSON.stringify(values))) {
          compare(validate(value), words(value, whole), `${JSON.stringify(value)} in ${JSON.stringify(whole)}`);
        }
      },
    ),
    { numRuns: runs(150) },
  );
}

test('judges as the validator does that most others are measured by', () => {
  const decisions = { fits: 0, misses: 0 };
  compareOver(checked, (fits, found, told) => {
    decisions[fits ? 'fits' : 'misses'] += 1;
    expect(found === 'undefined', told).toBe(fits);
  });
  // A few schemas may be of one kind.
  if (isWhole) expect(Math.min(decisions.fits, decisions.misses)).toBeGreaterThan(runs(100));
});

test('where a pattern is not checked, no decision is wrong', () => {
  const decisions = { fits: 0, misses: 0, unjudged: 0 };
  compareOver(unchecked, (fits, found, told) => {
    if (found === 'unjudged') decisions.unjudged += 1;
    else {
      decisions[fits ? 'fits' : 'misses'] += 1;
      expect(found === 'undefined', told).toBe(fits);
    }
  });
  if (isWhole) {
    expect(Math.min(decisions.fits, decisions.misses)).toBeGreaterThan(runs(100));
    expect(decisions.unjudged).toBeGreaterThan(0);
  }
});
