import { expect, it } from 'vitest';
import { DragomanError } from '../errors.ts';
import { readOpenaiFormat, schemaObject, writeOpenaiFormat } from './output-format.ts';

const schema = { type: 'object' };

it.each([
  ['nothing', null, undefined],
  ['text', { type: 'text' }, undefined],
  ['any JSON', { type: 'json_object' }, { type: 'json' }],
  ['a schema where servers take one', { type: 'json_object', schema }, { type: 'json-schema', schema }],
  ['a schema', { type: 'json_schema', json_schema: { name: 'n', schema } }, { type: 'json-schema', name: 'n', schema }],
  ['a name alone', { type: 'json_schema', json_schema: { name: 'n' } }, { type: 'json-schema', name: 'n', schema: {} }],
  [
    'all that can be said of a schema',
    { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema, strict: true } },
    { type: 'json-schema', name: 'n', description: 'd', schema, strict: true },
  ],
])('A-051 reads %s', (_, value, expected) => {
  expect(readOpenaiFormat(value, 'response_format', 'json_schema')).toEqual(expected);
});

it.each([
  ['response_format', 7, 'bad-request'],
  ['response_format.type', { type: 1 }, 'bad-request'],
  ['response_format.type', { type: 'grammar', grammar: 'root ::= "a"' }, 'unsupported-field'],
  ['response_format.json_schema', { type: 'json_schema' }, 'bad-request'],
  ['response_format.json_schema.schema', { type: 'json_schema', json_schema: { schema: 'x' } }, 'bad-request'],
  ['response_format.json_schema.strict', { type: 'json_schema', json_schema: { strict: 1 } }, 'bad-request'],
])('A-051 refuses a wrong %s', (param, value, code) => {
  const refused = expect.objectContaining({ code, param });
  expect(() => readOpenaiFormat(value, 'response_format', 'json_schema')).toThrow(DragomanError);
  expect(() => readOpenaiFormat(value, 'response_format', 'json_schema')).toThrow(refused);
});

it('writes the name that OpenAI wants, whatever other wires allow', () => {
  const named = (name?: string) =>
    writeOpenaiFormat({ type: 'json-schema', schema, ...(name === undefined ? {} : { name }) }, 'here')?.name;
  expect([named(), named('a.b c'), named('ß'.repeat(70)), named('ok_1-2')]).toEqual([
    'answer',
    'a_b_c',
    '_'.repeat(64),
    'ok_1-2',
  ]);
});

it('writes schemas that are only true or false as objects', () => {
  expect([schemaObject(true), schemaObject(false), schemaObject(schema)]).toEqual([{}, { not: {} }, schema]);
});
