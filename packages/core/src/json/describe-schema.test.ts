import { describe, expect, it } from 'vitest';
import { describeParameters } from './describe-schema.ts';

const one = (schema: unknown, root: object = {}) => {
  const [doc] = describeParameters({ type: 'object', properties: { value: schema }, ...root });
  if (doc === undefined) throw new Error('nothing was described');
  return doc;
};

describe('describeParameters', () => {
  it('A-113 B-004 has a type word for every kind of schema', () => {
    const words: readonly (readonly [unknown, string])[] = [
      [{ type: 'string' }, 'string'],
      [{ type: ['integer', 'null'] }, 'integer or null'],
      [{ enum: ['a', 1] }, 'string or number'],
      [{ const: true }, 'boolean'],
      [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'array of array of number'],
      [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string or array of string'],
      [{ properties: {} }, 'object'],
      [{ items: {} }, 'array'],
      [{ type: 'array' }, 'array'],
      [{ $ref: '#/$defs/id' }, 'integer'],
      [{}, 'any'],
      [true, 'any'],
      [null, 'any'],
      [{ type: 5, enum: 'x', properties: [] }, 'object'],
    ];
    for (const [schema, word] of words) expect(one(schema, { $defs: { id: { type: 'integer' } } }).type).toBe(word);
  });

  it('B-003 A-113 tells need, description, choices and default in the schema order', () => {
    const docs = describeParameters({
      properties: { z: { description: 'last letter', default: 7 }, a: { enum: ['x', null] } },
      required: ['a'],
    });
    expect(docs.map((doc) => [doc.name, doc.required, doc.description, doc.choices, doc.defaultValue])).toEqual([
      ['z', false, 'last letter', [], '7'],
      ['a', true, undefined, ['"x"', 'null'], undefined],
    ]);
  });

  it('B-005 prefers default, then a listed value, then an example, then a placeholder of the type', () => {
    const examples: readonly (readonly [unknown, unknown])[] = [
      [{ type: 'integer', default: 7, enum: [1], examples: [2] }, 7],
      [{ enum: [null, 'first'], examples: ['e'] }, 'first'],
      [{ type: 'string', examples: ['e'] }, 'e'],
      [{ type: 'integer', minimum: 5 }, 5],
      [{ type: 'boolean' }, true],
      [{ type: 'string' }, 'the value'],
      [
        {
          type: 'array',
          items: { type: 'object', required: ['filePath'], properties: { filePath: { type: 'string' }, n: {} } },
        },
        [{ filePath: 'path/to/file' }],
      ],
      [{ type: 'object' }, {}],
    ];
    for (const [schema, example] of examples) expect(one(schema).example).toEqual(example);
  });

  it('B-013 tells the members of objects, arrays of objects and combined schemas', () => {
    const doc = one(
      {
        type: 'array',
        items: {
          allOf: [{ $ref: '#/$defs/base' }, { properties: { own: { type: 'object', properties: { deep: {} } } } }],
        },
      },
      { $defs: { base: { properties: { id: { type: 'string' } }, required: ['id'] } } },
    );
    expect(doc.members.map((member) => member.name)).toEqual(['own', 'id']);
    expect(doc.members[1]?.required).toBe(true);
    expect(doc.members[0]?.members[0]?.name).toBe('deep');
  });

  it('ends on recursive schemas, arrays of themselves included', () => {
    const tree = describeParameters({
      properties: { root: { $ref: '#/$defs/n' } },
      $defs: { n: { properties: { kids: { type: 'array', items: { $ref: '#/$defs/n' } } }, required: ['kids'] } },
    });
    expect(tree[0]?.members[0]?.name).toBe('kids');
    expect(
      one({ $ref: '#/$defs/a' }, { $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } }).type,
    ).toContain('array of');
    expect(describeParameters({ properties: { me: { $ref: '#' } } })[0]?.name).toBe('me');
  });

  it('stays small on schemas that refer to each other densely', () => {
    const names = Array.from({ length: 60 }, (_, index) => `d${index}`);
    const refs = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const all = Object.fromEntries(names.map((name, index) => [name, refs[index]]));
    const $defs = Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'object', properties: all, required: names, anyOf: [{ type: 'array', items: { anyOf: refs } }] },
      ]),
    );
    expect(JSON.stringify(describeParameters({ properties: all, $defs })).length).toBeLessThan(4_000_000);
  });
});
