import { expect, it } from 'vitest';
import { completeSchema } from './complete-schema.ts';

const empty = { type: 'object', properties: {} };
const path = { path: { type: 'string' } };

it.each([
  ['nothing at all', {}, empty],
  ['true', true, empty],
  ['false', false, empty],
  ['no properties', { type: 'object' }, empty],
  ['no type', { properties: path, required: ['path'] }, { type: 'object', properties: path, required: ['path'] }],
  ['the type null', { type: null, properties: path }, { type: 'object', properties: path }],
  ['a list of types', { type: ['object', 'null'], properties: path }, { type: 'object', properties: path }],
  ['a list in place of properties', { type: 'object', properties: [] }, empty],
  ['only a reference', { $ref: '#/$defs/a' }, { $ref: '#/$defs/a', ...empty }],
])('C-039 completes a schema with %s', (_, schema, whole) => {
  expect(completeSchema(schema)).toEqual(whole);
});

it('C-039 gives a whole schema, and one of another type, back as it is', () => {
  for (const schema of [{ type: 'object', properties: path, additionalProperties: false }, { type: 'string' }]) {
    expect(completeSchema(schema)).toBe(schema);
  }
});
