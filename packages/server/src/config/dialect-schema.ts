import { type DialectTable, dialectTable, type Fields, type Kind } from '@dragoman/core';
import { z } from 'zod';
import type { SchemaNode } from './json-schema.ts';

/** The parts of a table, for the whole configuration's JSON Schema. */
export const tableDefinitions: Record<string, SchemaNode> = {};

/** What is wrong in it, `checkOwnDialects` says. */
const table = z.custom<DialectTable>().meta({
  ...kindSchema(dialectTable, tableDefinitions),
  description:
    'A form with its literals, each with the white space that the model writes around it. Every field is in docs/adding-a-dialect.md.',
});

/** A dialect that nobody has written code for. */
export const dialectSchema = z
  .strictObject({
    table: table.exactOptional(),
    responseTemplate: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .exactOptional()
      .describe(
        'A `response_template` of a Hugging Face tokenizer, or the file that holds it, such as `tokenizer_config.json`. A relative path counts from where the gateway starts.',
      ),
  })
  .describe('A dialect as data: one of `table` and `responseTemplate`. See docs/zero-day.md.');

/** A dialect as the configuration holds it. */
export type DialectConfig = z.output<typeof dialectSchema>;

/** The JSON Schema of what a table is described with, for editors. An object that has a name is in `definitions`. */
function kindSchema({ is }: Kind<unknown>, definitions: Record<string, SchemaNode>): SchemaNode {
  const named = (name: string, fields: Fields, form?: string): SchemaNode => {
    if (!Object.hasOwn(definitions, name)) definitions[name] = fieldsSchema(fields, definitions, form);
    return { $ref: `#/$defs/${name}` };
  };
  switch (is.type) {
    case 'any':
      return {};
    case 'switch':
      return { type: 'boolean' };
    case 'word':
      return { type: 'string', enum: is.words };
    case 'text':
      return { type: 'string', maxLength: is.longest, ...(!is.mayBeEmpty && { minLength: 1 }) };
    case 'list':
      return { type: 'array', items: kindSchema(is.of, definitions), ...(!is.mayBeEmpty && { minItems: 1 }) };
    case 'either':
      return { anyOf: is.of.map((kind) => kindSchema(kind, definitions)) };
    case 'object':
      return named(is.name, is.fields);
    case 'forms':
      return {
        oneOf: Object.entries(is.forms).map(([form, fields]) =>
          named(`${is.name}-${form}`, { ...is.shared, ...fields }, form),
        ),
      };
  }
}

function fieldsSchema(fields: Fields, definitions: Record<string, SchemaNode>, form: string | undefined): SchemaNode {
  const all = Object.entries(fields);
  const told = form === undefined ? [] : [['form', { type: 'string', const: form }] as const];
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...told,
      ...all.map(([name, { kind, says }]) => [name, { ...kindSchema(kind, definitions), description: says }] as const),
    ]),
    required: [...told, ...all.filter(([, { needed }]) => needed)].map(([name]) => name),
    additionalProperties: false,
  };
}
