import type { OutputFormat } from '../chat/request.ts';
import type { JsonSchema } from '../chat/tool.ts';
import { withExactNumbers } from '../json/exact-json.ts';
import { findSchemaFault } from '../json/find-schema-fault.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  present,
  RequestFields,
  readObject,
  unsupported,
} from './read-values.ts';

/**
 * The form of an answer as OpenAI's APIs write it. `fieldsAt` says where the fields of a schema stand: in the format
 * itself (Responses) or under `json_schema` (Chat Completions). Throws `bad-request` naming the path, and
 * `unsupported-field` for forms that are no JSON, such as grammars.
 */
export function readOpenaiFormat(
  value: unknown,
  path: Path,
  fieldsAt: 'json_schema' | 'here',
): OutputFormat | undefined {
  if (isAbsent(value)) return undefined;
  const format = readObject(value, path);
  switch (format.type) {
    case 'text':
      return undefined;
    case 'json_object':
      // Servers that follow a grammar take a schema here, too.
      return isObject(format.schema)
        ? { type: 'json-schema', schema: readAnswerSchema(format.schema, `${path}.schema`) }
        : { type: 'json' };
    case 'json_schema':
      if (fieldsAt === 'here') return readSchemaFormat(format, path);
      return readSchemaFormat(format.json_schema, `${path}.json_schema`);
    default:
      if (typeof format.type !== 'string')
        throw badRequest(`${path}.type`, `must be a string, not ${kindOf(format.type)}.`);
      throw unsupported(
        `${path}.type`,
        `"${format.type.slice(0, 40)}" is not known; use text, json_object or json_schema.`,
      );
  }
}

/** A schema with what is said of it. One that is missing allows any value. */
function readSchemaFormat(value: unknown, path: Path): OutputFormat {
  const fields = RequestFields.at(value, path);
  const [name, description] = [fields.text('name'), fields.text('description')];
  const [schema, strict] = [fields.value('schema'), fields.value('strict')];
  return {
    type: 'json-schema',
    schema: isAbsent(schema) ? {} : readAnswerSchema(schema, `${path}.schema`),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(isAbsent(strict) ? {} : { strict: fields.flag('strict', false) }),
  };
}

/** The schema of an answer. Throws `bad-request` naming the place in it that makes it unusable. */
export function readAnswerSchema(value: unknown, path: Path): JsonSchema {
  const schema = readObject(value, path);
  const fault = findSchemaFault(schema);
  if (fault !== undefined) throw badRequest(`${path}${fault.at}`, fault.problem);
  return schema;
}

/** The longest name that OpenAI's APIs take, in UTF-16 units. */
const longestName = 64;

/** The form of an answer as OpenAI's APIs write it, with the name that they insist on; `fieldsAt` as above. */
export function writeOpenaiFormat(
  format: OutputFormat | undefined,
  fieldsAt: 'json_schema' | 'here',
): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (format.type === 'json') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  const fields = present<JsonObject>({ name: legalName(name), description, schema: schemaObject(schema), strict });
  return { type: 'json_schema', ...(fieldsAt === 'here' ? fields : { json_schema: fields }) };
}

/** A schema where only an object may stand. */
export function schemaObject(schema: JsonSchema): object {
  if (typeof schema === 'object') return withExactNumbers(schema);
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
