import type { OutputFormat } from '../chat/request.ts';
import { exactly } from '../json/exact-json.ts';

type SchemaFormat = OutputFormat & { readonly type: 'json-schema' };

/** The longest name that OpenAI's APIs take, in UTF-16 units. */
const longestName = 64;

/** A schema as OpenAI's APIs write it, with the name that they insist on. */
export function openaiSchemaFields({ schema, name, description, strict }: SchemaFormat): {
  readonly [field: string]: unknown;
} {
  return {
    name: legalName(name),
    ...(description === undefined ? {} : { description }),
    schema: schemaObject(schema),
    ...(strict === undefined ? {} : { strict }),
  };
}

/** A schema where only an object may stand. */
export function schemaObject(schema: SchemaFormat['schema']): object {
  if (typeof schema === 'object') return exactly(schema);
  return schema ? {} : { not: {} };
}

/** Letters, digits, `_` and `-`; other wires allow any name, or none. */
function legalName(name = ''): string {
  const legal = [...name].map((letter) => (isLegal(letter) ? letter : '_')).join('');
  return legal === '' ? 'answer' : legal.slice(0, longestName);
}

function isLegal(letter: string): boolean {
  const isDigit = letter >= '0' && letter <= '9';
  const isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return letter.length === 1 && (isDigit || isLetter || letter === '_' || letter === '-');
}
