import type { JsonSchema } from '../chat/tool.ts';
import { quoteName } from '../chat/warning.ts';
import { namesType } from './json-type.ts';
import { readPattern } from './pattern.ts';
import { isKeywords, type Keywords, ownMember, SchemaDocument } from './schema-document.ts';

/** Why nothing can be checked against a schema. */
export interface SchemaFault {
  /** Where in the schema, to be written behind its own path: `.properties.city.type`; empty for the whole. */
  readonly at: string;
  /** To be read after the path: `must be a list.` */
  readonly problem: string;
}

/** Schemas of one request; the largest ones known have some hundreds. */
const mostSchemas = 10_000;

/** Schemas within each other, without references. */
const deepest = 200;

const oneSchema = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const namedSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

interface Part {
  readonly schema: unknown;
  readonly at: string;
  readonly depth: number;
}

/**
 * Looks for what makes a schema unusable: keywords whose values are of a wrong kind, types that do not exist, references
 * that lead nowhere in it, patterns that are none, more schemas than anybody means. Only the keywords that are understood
 * are looked at; what older drafts wrote in another way passes.
 */
export function findSchemaFault(schema: JsonSchema): SchemaFault | undefined {
  const document = new SchemaDocument(schema);
  const parts: Part[] = [{ schema, at: '', depth: 0 }];
  for (const part of parts) {
    if (parts.length > mostSchemas) return { at: '', problem: `has more than ${mostSchemas} schemas in it.` };
    if (part.depth > deepest) return { at: '', problem: `has more than ${deepest} schemas within each other.` };
    if (typeof part.schema === 'boolean') continue;
    if (!isKeywords(part.schema)) return { at: part.at, problem: 'must be a schema: an object, true or false.' };
    const fault = faultOf(part.schema, part.at, document) ?? addParts(part.schema, part, parts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is wrong with the keywords of one schema object that hold no schemas. */
function faultOf(node: Keywords, at: string, document: SchemaDocument): SchemaFault | undefined {
  const { type, enum: values, required, pattern, $ref: ref } = node;
  const types = Array.isArray(type) ? type : isSaid(type) ? [type] : [];
  const wrong = types.find((name) => typeof name !== 'string' || !namesType(name));
  if (wrong !== undefined) {
    const told = typeof wrong === 'string' ? quoteName(wrong) : 'that';
    return { at: `${at}.type`, problem: `is ${told}, which is not a type of JSON Schema.` };
  }
  if (isSaid(values) && !Array.isArray(values)) return { at: `${at}.enum`, problem: 'must be a list.' };
  // Before the fourth draft, `required` said of a property whether it has to be there.
  const names: unknown = isSaid(required) && typeof required !== 'boolean' ? required : [];
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
    return { at: `${at}.required`, problem: 'must be a list of names.' };
  }
  if (typeof pattern === 'string' && readPattern(pattern) === 'invalid') {
    return { at: `${at}.pattern`, problem: `is ${quoteName(pattern)}, which is not a regular expression.` };
  }
  if (!isSaid(ref) || document.resolve(ref) !== undefined) return undefined;
  const told = typeof ref === 'string' ? quoteName(ref) : 'that';
  return { at: `${at}.$ref`, problem: `is ${told}, which leads nowhere in this schema.` };
}

/** Adds the schemas that one holds. */
function addParts(node: Keywords, { at, depth }: Part, parts: Part[]): SchemaFault | undefined {
  const add = (schema: unknown, where: string) => parts.push({ schema, at: `${at}.${where}`, depth: depth + 1 });
  const { items } = node;
  for (const keyword of Array.isArray(items) ? oneSchema : [...oneSchema, 'items']) {
    if (isSaid(ownMember(node, keyword))) add(ownMember(node, keyword), keyword);
  }
  for (const keyword of Array.isArray(items) ? [...listsOfSchemas, 'items'] : listsOfSchemas) {
    const schemas = ownMember(node, keyword);
    if (!isSaid(schemas)) continue;
    if (!Array.isArray(schemas)) return { at: `${at}.${keyword}`, problem: 'must be a list.' };
    for (const [index, schema] of schemas.entries()) add(schema, `${keyword}[${index}]`);
  }
  for (const keyword of namedSchemas) {
    const schemas = ownMember(node, keyword);
    if (!isSaid(schemas)) continue;
    if (!isKeywords(schemas)) return { at: `${at}.${keyword}`, problem: 'must be an object.' };
    for (const [name, schema] of Object.entries(schemas)) add(schema, `${keyword}.${name.slice(0, 40)}`);
  }
  return undefined;
}

/** Some libraries write null for what they leave out. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}
