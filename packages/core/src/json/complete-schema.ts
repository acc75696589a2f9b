import type { JsonSchema } from '../chat/tool.ts';
import { isKeywords } from './schema-document.ts';

/**
 * A schema of arguments with what strict upstreams insist on: `type: 'object'` and `properties`. Arguments always are an
 * object, so neither changes what the schema means. The same schema if nothing is missing; one of another type stays.
 */
export function completeSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return { type: 'object', properties: {} };
  const { type, properties } = schema;
  const isObject = type === 'object';
  const means = isObject || type === undefined || type === null || (Array.isArray(type) && type.includes('object'));
  if (!means || (isObject && isKeywords(properties))) return schema;
  return { ...schema, type: 'object', properties: isKeywords(properties) ? properties : {} };
}
