import { type DialectTable, dialectTable } from '@dragoman/core';
import { z } from 'zod';
import type { SchemaNode } from './json-schema.ts';
import { kindSchema } from './kind-schema.ts';

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
