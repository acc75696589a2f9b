import { isRecord } from '../is-record.ts';

/** A JSON Schema as far as a model looks at it. */
export interface Shape {
  /** Undefined: anything. */
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null' | undefined;
  readonly description: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: ReadonlySet<string>;
  readonly items: unknown;
  readonly choices: readonly unknown[];
  /** Values that the schema itself suggests: its constant, its default, then its examples. */
  readonly suggestions: readonly unknown[];
  readonly minimum: number | undefined;
}

/** How many references and alternatives are followed, so that a schema that refers to itself comes to an end. */
const mostSteps = 8;

/** Reads one schema; `$ref` is looked up in `root`, of alternatives the first that is not null counts. */
export function shapeOf(schema: unknown, root: unknown): Shape {
  const merged = resolve(schema, root, mostSteps);
  const examples = Array.isArray(merged.examples) ? merged.examples : [];
  const suggestions: unknown[] = ['const', 'default', 'example']
    .filter((key) => key in merged)
    .map((key) => merged[key]);
  return {
    type: typeOf(merged),
    description: typeof merged.description === 'string' ? merged.description : '',
    properties: isRecord(merged.properties) ? merged.properties : {},
    required: new Set(Array.isArray(merged.required) ? merged.required.filter(isString) : []),
    items: merged.items,
    choices: Array.isArray(merged.enum) ? merged.enum : [],
    suggestions: [...suggestions, ...examples],
    minimum: typeof merged.minimum === 'number' ? merged.minimum : undefined,
  };
}

type Keywords = Readonly<Record<string, unknown>>;

function resolve(schema: unknown, root: unknown, steps: number): Keywords {
  if (!isRecord(schema) || steps === 0) return {};
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  let merged: Keywords = own;
  if (typeof $ref === 'string') merged = { ...resolve(lookUp($ref, root), root, steps - 1), ...merged };
  for (const alternatives of [anyOf, oneOf]) {
    if (!Array.isArray(alternatives)) continue;
    const first: unknown = alternatives.find((item) => !isRecord(item) || item.type !== 'null');
    merged = { ...resolve(first, root, steps - 1), ...merged };
  }
  if (Array.isArray(allOf)) for (const part of allOf) merged = { ...resolve(part, root, steps - 1), ...merged };
  return merged;
}

function lookUp(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    found = isRecord(found) ? found[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return found;
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

function typeOf(schema: Keywords): Shape['type'] {
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = typeNames.find((name) => name !== 'null' && types.includes(name));
  if (named !== undefined) return named;
  if (types.includes('null')) return 'null';
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
