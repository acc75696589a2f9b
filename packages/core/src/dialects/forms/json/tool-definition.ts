import type { SchemaView } from '../../../json/schema.ts';
import { isKeywords, own } from '../../../json/schema-document.ts';
import { isArgumentsKey } from './call-keys.ts';
import { type Asked, isParameter, type KeptFields, underUnknownKey } from './kept-arguments.ts';

/** The key under which the definition of a tool says what the tool does. */
const described = 'description';

/** Keys of schemas: arguments begin with one of them only where the tool has a parameter of that name. */
const schemaKeys: readonly string[] = [
  ...['type', 'properties', 'required', 'additionalProperties'],
  ...['$schema', '$defs', 'title', described],
];

/** The key that stands for arguments and, in definitions, for their schema. */
const ambiguousKey = 'parameters';

/** May a tool's schema stand under this key of arguments? */
export function isAmbiguous(key: string): boolean {
  return key === ambiguousKey;
}

/** May an object whose first key is this one be a schema? Then all of it has to be seen. */
export function beginsSchema(first: string, schema: SchemaView): boolean {
  return schemaKeys.includes(first) && !schema.known(first);
}

/**
 * Do these fields define a tool instead of calling it? A schema stands where its arguments would, or the tool is described
 * and given nothing. What the tool itself takes for a parameter says nothing.
 */
export function definesTool(fields: KeptFields, { keys, schema }: Asked): boolean {
  const isDescribed = fields.has(described) && !schema.known(described);
  const isPlace = (key: string) => !schema.known(key) && (key === ambiguousKey || !isArgumentsKey(key, keys));
  const places = [...fields].filter(([key]) => key !== described && isPlace(key));
  if (places.some(([, field]) => isSchema(field.value, isDescribed) && (isDescribed || !schema.known('properties')))) {
    return true;
  }
  const given = [...fields].some(([key, field]) => isArgumentsKey(key, keys) || isParameter(key, field, schema));
  return isDescribed && !given && underUnknownKey(fields, { keys, schema }) === undefined;
}

/** Is this the schema of an object? With a description beside it, its type is enough. */
function isSchema(value: unknown, isDescribed: boolean): boolean {
  if (!isKeywords(value)) return false;
  const type = own(value, 'type');
  const properties = own(value, 'properties');
  const ofObject = typeof type === 'string' && type.toLowerCase() === 'object';
  if (!isKeywords(properties)) return isDescribed && ofObject;
  const areSchemas = Object.values(properties).every((each) => isKeywords(each) || typeof each === 'boolean');
  return areSchemas && (ofObject || type === undefined);
}
