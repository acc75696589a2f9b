import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../chat/tool.ts';
import { findSchemaFault } from './find-schema-fault.ts';

describe('a schema that nothing can be checked against', () => {
  it.each<[schema: JsonSchema, at: string, problem: RegExp]>([
    [{ type: 'strng' }, '.type', /^is "strng", which is not a type/],
    [{ properties: { a: { type: ['string', 5] } } }, '.properties.a.type', /not a type/],
    [{ properties: ['a'] }, '.properties', /^must be an object/],
    [{ anyOf: { type: 'string' } }, '.anyOf', /^must be a list/],
    [{ allOf: [{}, { items: 'string' }] }, '.allOf[1].items', /^must be a schema/],
    [{ enum: 'a' }, '.enum', /^must be a list/],
    [{ required: 'a' }, '.required', /^must be a list of names/],
    [{ items: [{ pattern: '(' }] }, '.items[0].pattern', /^is "\(", which is not a regular expression/],
    [{ $ref: '#/$defs/none' }, '.$ref', /leads nowhere/],
    [{ $ref: 'https://example.com/other.json' }, '.$ref', /leads nowhere/],
    [{ anyOf: Array.from({ length: 20_000 }, () => ({})) }, '', /more than 10000/],
    [nested(300), '', /more than 200/],
  ])('%#: %s %s', (schema, at, problem) => {
    expect(findSchemaFault(schema)).toEqual({ at, problem: expect.stringMatching(problem) });
  });
});

it.each<[what: string, schema: JsonSchema]>([
  ['anything', true],
  [
    'what older drafts wrote',
    { definitions: { a: {} }, items: [{ $ref: '#/definitions/a' }], exclusiveMinimum: true, required: true },
  ],
  ['what OpenAPI writes', { type: 'string', nullable: true, example: { type: 'strng' } }],
  ['what is left out as null', { type: 'object', properties: null, required: null, enum: null }],
  ['a pattern that looks around', { pattern: '^(?=a)' }],
  [
    'a property of the name of a keyword',
    { properties: { type: { type: 'string' }, enum: { type: 'string' }, $ref: {} } },
  ],
  ['a circle', { $ref: '#/$defs/a', $defs: { a: { properties: { next: { $ref: '#/$defs/a' } } } } }],
])('%s is usable', (_, schema) => {
  expect(findSchemaFault(schema)).toBeUndefined();
});

function nested(levels: number): JsonSchema {
  let schema: JsonSchema = {};
  for (let level = 0; level < levels; level += 1) schema = { items: schema };
  return schema;
}
