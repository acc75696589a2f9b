import type { ToolDefinition } from '../../chat/tool.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { functionFields } from '../render/lesson.ts';
import { gemmaLiteral } from '../render/literals.ts';
import { resultLine } from '../render/render-table.ts';
import type { TableReader } from '../table/parts.ts';
import type { DialectTable } from '../table.ts';

/** Declarations of tools and texts of results in Gemma's own literals. */
export const gemmaLiterals: TableReader = {
  describe: (tool, literals, table) => tool.name + gemmaDeclaration(tool, { quote: quoteOf(table), literals }),
  resultText: (result, literals, table) =>
    gemmaLiteral(JSON.stringify({ value: resultLine(result) }), { quote: quoteOf(table), literals }),
};

function quoteOf({ call }: DialectTable): string {
  return call.form === 'gemma' ? call.quote : '"';
}

/** Keywords whose value holds schemas by name. */
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** Keywords whose value is a schema, or a list of them. */
const nested: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'contains', 'not', 'anyOf', 'oneOf', 'allOf'],
]);

/**
 * What comes after the name in the declaration of a tool, as Gemma's templates write it: its description and parameters
 * as a literal, names of types in capitals and after all that is said beside them. What the templates leave out of a
 * schema stays in.
 */
export function gemmaDeclaration(
  tool: ToolDefinition,
  options: { readonly quote: string; readonly literals: readonly string[] },
): string {
  const { name: _, ...fields } = functionFields(tool);
  const json = JSON.stringify({ ...fields, parameters: declared(tool.inputSchema) });
  return gemmaLiteral(escapeJsonMarkers(json, options.literals), options);
}

function declared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(declared);
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.entries(schema).map(([key, value]) => [key, declaredField(key, value)] as const);
  const rank = (key: string) => (key === 'description' ? 0 : key === 'type' ? 2 : 1);
  return Object.fromEntries([...fields].sort(([one], [other]) => rank(one) - rank(other)));
}

function declaredField(key: string, value: unknown): unknown {
  if (key === 'type') return Array.isArray(value) ? value.map(inCapitals) : inCapitals(value);
  if (nested.has(key)) return declared(value);
  if (!byName.has(key) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, declared(schema)]));
}

function inCapitals(type: unknown): unknown {
  return typeof type === 'string' ? type.toUpperCase() : type;
}
