import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonType, SchemaView } from './schema.ts';

const all: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
const admitted = (schema: unknown): string => {
  const view = SchemaView.of(schema);
  return all.filter((type) => view.admits(type)).join(' ');
};
const everything = all.join(' ');

describe('types', () => {
  test.each<[string, unknown, string]>([
    ['one type', { type: 'string' }, 'string'],
    ['number admits integers', { type: 'number' }, 'number integer'],
    ['an integer is a number', { type: 'integer' }, 'number integer'],
    ['a list of types', { type: ['string', 'null'] }, 'string null'],
    ['enum', { enum: ['a', 5, null] }, 'string number integer null'],
    ['enum narrows type', { type: ['string', 'number'], enum: ['a'] }, 'string'],
    ['const', { const: true }, 'boolean'],
    ['const null', { const: null }, 'null'],
    ['anyOf', { anyOf: [{ type: 'array' }, { type: 'string' }] }, 'string array'],
    ['oneOf', { oneOf: [{ const: 1 }, { type: 'null' }] }, 'number integer null'],
    ['allOf', { allOf: [{ type: ['string', 'object'] }, { type: ['object', 'null'] }] }, 'object'],
    ['number and integer', { allOf: [{ type: 'number' }, { type: 'integer' }] }, 'number integer'],
    ['nullable', { type: 'string', nullable: true }, 'string null'],
    ['nullable enum', { type: 'string', enum: ['a'], nullable: true }, 'string null'],
    ['properties imply an object', { properties: { a: {} } }, 'object'],
    ['items imply an array', { items: { type: 'string' } }, 'array'],
    ['properties beside a type imply nothing', { type: ['string', 'object'], properties: {} }, 'string object'],
    ['false in anyOf adds nothing', { anyOf: [false, { type: 'string' }] }, 'string'],
    ['nothing', {}, everything],
    ['an unknown type', { type: 'any' }, everything],
    ['a contradiction', { type: 'string', const: 5 }, everything],
    ['true', true, everything],
    ['false', false, everything],
    ['no schema', undefined, everything],
    ['a list', [], everything],
    ['text', 'string', everything],
    ['wrong kinds', { type: 5, enum: 'a', anyOf: {}, allOf: null, $ref: 7 }, everything],
  ])('%s', (_title, schema, types) => {
    expect(admitted(schema)).toBe(types);
  });

  test('onlyString and untyped', () => {
    expect(SchemaView.of({ type: 'string', enum: ['a'] }).onlyString).toBe(true);
    expect(SchemaView.of({}).onlyString).toBe(false);
    expect(SchemaView.of({ type: ['string', 'null'] }).onlyString).toBe(false);
    expect(SchemaView.of({}).untyped).toBe(true);
  });

  test('wholeNumbersOnly', () => {
    expect(SchemaView.of({ type: ['integer', 'null'] }).wholeNumbersOnly).toBe(true);
    expect(SchemaView.of({ type: 'number' }).wholeNumbersOnly).toBe(false);
    expect(SchemaView.of({ enum: [1, 2.5] }).wholeNumbersOnly).toBe(false);
  });

  test('nodes gathers alternatives and what is referred to', () => {
    const choices = [{ enum: ['a', 1] }, { const: 'null' }, { $ref: '#/$defs/x' }];
    const schema = { anyOf: choices, $defs: { x: { const: 'c' } } };
    expect(SchemaView.of(schema).nodes).toEqual([schema, ...choices, { const: 'c' }]);
  });
});

describe('references', () => {
  test('local pointers with percent and tilde escapes', () => {
    const schema = {
      $defs: { 'a/b~c d': { type: 'integer' }, list: [{ type: 'null' }], '%zz': { type: 'boolean' } },
      properties: {
        a: { $ref: '#/$defs/a~1b~0c%20d' },
        b: { $ref: '#/$defs/list/0' },
        c: { $ref: '#/$defs/%zz' },
        d: { $ref: '#/$defs/none' },
        e: { $ref: 'https://example.com/x' },
      },
    };
    const view = SchemaView.of(schema);
    expect(view.property('a').admits('string')).toBe(false);
    expect(view.property('a').admits('integer')).toBe(true);
    expect(view.property('b').admits('null')).toBe(true);
    expect(view.property('b').admits('string')).toBe(false);
    expect(view.property('c').admits('boolean')).toBe(true);
    expect(view.property('c').admits('string')).toBe(false);
    expect(view.property('d').untyped).toBe(true);
    expect(view.property('e').untyped).toBe(true);
  });

  test('a recursive schema is followed as deep as the value goes', () => {
    const view = SchemaView.of({
      $defs: { node: { type: 'object', properties: { size: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    });
    let node = view;
    for (let depth = 0; depth < 500; depth += 1) node = node.property('next');
    expect(node.property('size').wholeNumbersOnly).toBe(true);
    expect(view.required).toEqual([]);
  });

  test('cycles end', () => {
    expect(admitted({ $ref: '#' })).toBe(everything);
    // A value that may be itself or a string is a string.
    expect(admitted({ anyOf: [{ $ref: '#' }, { type: 'string' }] })).toBe('string');
    expect(admitted({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })).toBe(
      everything,
    );
    const self: { [key: string]: unknown } = { type: 'object' };
    Object.assign(self, { allOf: [self], properties: { self, n: { type: 'number' } } });
    expect(SchemaView.of(self).property('self').property('self').property('n').admits('string')).toBe(false);
    expect(SchemaView.of(self).propertyNames).toEqual(['self', 'n']);
  });
});

describe('members', () => {
  test('properties, additionalProperties and unknown names', () => {
    const view = SchemaView.of({ properties: { a: { type: 'integer' } }, additionalProperties: { type: 'boolean' } });
    expect(view.known('a')).toBe(true);
    expect(view.known('b')).toBe(false);
    expect(view.property('a').admits('boolean')).toBe(false);
    expect(view.property('b').admits('string')).toBe(false);
    expect(SchemaView.of({ type: 'object' }).property('x')).toBe(SchemaView.any);
    expect(SchemaView.of({ type: 'object', additionalProperties: false }).property('x')).toBe(SchemaView.any);
  });

  test('a pattern may cover a name, so additionalProperties says nothing', () => {
    const view = SchemaView.of({ patternProperties: { '^x': {} }, additionalProperties: { type: 'integer' } });
    expect(view.property('x1').untyped).toBe(true);
  });

  test('names and types are put together over allOf, alternatives and references', () => {
    const view = SchemaView.of({
      $defs: { base: { properties: { id: { type: 'integer' } }, required: ['id'] } },
      allOf: [{ $ref: '#/$defs/base' }, { properties: { id: { type: ['integer', 'null'] } } }],
      anyOf: [
        { properties: { x: { type: 'string' } }, required: ['x'] },
        { properties: { x: { type: 'integer' }, y: true } },
      ],
      properties: { z: {} },
      required: ['z', 5],
    });
    expect(view.propertyNames).toEqual(['z', 'id', 'x', 'y']);
    expect(view.required).toEqual(['z', 'id']);
    expect(all.filter((type) => view.property('id').admits(type))).toEqual(['number', 'integer']);
    expect(all.filter((type) => view.property('x').admits(type))).toEqual(['string', 'number', 'integer']);
    expect(view.known('y')).toBe(true);
  });

  test('a shared base counts in every branch', () => {
    const view = SchemaView.of({
      $defs: { base: { properties: { v: { type: ['string', 'integer'] } } } },
      oneOf: [
        { allOf: [{ $ref: '#/$defs/base' }, { properties: { v: { type: 'integer' } } }] },
        { $ref: '#/$defs/base' },
      ],
    });
    expect(view.property('v').admits('string')).toBe(true);
  });

  test('items, tuples and what follows them', () => {
    const view = SchemaView.of({ prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'null' } });
    expect(view.items(0).onlyString).toBe(true);
    expect(view.items(1).wholeNumbersOnly).toBe(true);
    expect(view.items(2).admits('null')).toBe(true);
    expect(view.items(99)).toBe(view.items(2));
    const older = SchemaView.of({ items: [{ type: 'string' }], additionalItems: { type: 'boolean' } });
    expect(older.items(0).onlyString).toBe(true);
    expect(older.items(1).admits('boolean')).toBe(true);
    expect(older.items(1).admits('string')).toBe(false);
    expect(SchemaView.of({ type: 'array' }).items(0)).toBe(SchemaView.any);
  });

  test('a view is made once for each schema object', () => {
    const schema = { properties: { a: { type: 'string' } } };
    expect(SchemaView.of(schema)).toBe(SchemaView.of(schema));
    expect(SchemaView.of(schema).property('a')).toBe(SchemaView.of(schema).property('a'));
  });
});

describe('hostile schemas', () => {
  test('names of the prototype are names like others', () => {
    const view = SchemaView.of(
      JSON.parse('{"properties":{"__proto__":{"type":"integer"}},"required":["constructor"]}'),
    );
    expect(view.propertyNames).toEqual(['__proto__']);
    expect(view.property('__proto__').wholeNumbersOnly).toBe(true);
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      expect(view.known(name)).toBe(false);
      expect(view.property(name)).toBe(SchemaView.any);
    }
    expect(SchemaView.of({ $ref: '#/constructor' }).untyped).toBe(true);
    expect(SchemaView.of({ type: 'constructor' }).untyped).toBe(true);
  });

  test('ten thousand levels do not overflow', () => {
    for (const keyword of ['allOf', 'anyOf']) {
      let schema: unknown = { type: 'string', properties: { a: { type: 'integer' } }, enum: ['x'] };
      for (let depth = 0; depth < 10_000; depth += 1) schema = { [keyword]: [schema] };
      const view = SchemaView.of(schema);
      expect(view.admits('string')).toBe(true);
      view.property('a').items(3);
      expect(view.propertyNames.length).toBeLessThan(2);
      expect(view.nodes.length).toBeLessThan(10_001);
    }
  });

  test('references that double at each level take linear time', () => {
    const $defs: { [name: string]: unknown } = { d60: { properties: { a: { type: 'integer' } } } };
    for (let level = 0; level < 60; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { allOf: [next, { ...next }], anyOf: [{ ...next }, { ...next }] };
    }
    const view = SchemaView.of({ $defs, $ref: '#/$defs/d0' });
    expect(view.admits('object')).toBe(true);
    expect(view.known('a')).toBe(true);
    expect(view.property('a').admits('integer')).toBe(true);
    expect(view.property('b')).toBe(SchemaView.any);
  });

  test('any JSON value as a schema', () => {
    const keyword = fc.constantFrom(
      ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', 'properties', 'items', 'prefixItems'],
      ...['additionalProperties', 'nullable', 'required', '__proto__', '$defs'],
    );
    const leaf = fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1.5,
      'string',
      'integer',
      '#',
      '#/properties/type',
      '#/$defs/type',
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.dictionary(keyword, tie('schema')),
        fc.array(tie('schema')),
      ),
    }));
    fc.assert(
      fc.property(schema, (value) => {
        const view = SchemaView.of(value);
        expect(all.some((type) => view.admits(type))).toBe(true);
        for (const name of [...view.propertyNames, 'other']) expect(view.property(name)).toBeInstanceOf(SchemaView);
        expect(view.items(0).property('type').items(1)).toBeInstanceOf(SchemaView);
        expect(view.required.every((name) => typeof name === 'string')).toBe(true);
        expect(view.nodes.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(500) },
    );
  });
});
