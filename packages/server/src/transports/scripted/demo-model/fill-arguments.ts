import { isRecord } from '../../../is-record.ts';
import { type Order, type Parameter, parametersOf } from './plan-calls.ts';

/** What one call is filled from. */
export interface Supply {
  readonly order: Order;
  /** The latest result's text, for "write it to …". */
  readonly latestResult: string | undefined;
  /** Where the agent says that it works, for parameters that want absolute paths. */
  readonly directory: string | undefined;
}

/** How deep objects inside arguments are filled. */
const deepest = 4;

/**
 * Fills a tool's arguments: required ones always, from what the order names, else from the schema's default, enum or type;
 * optional ones only where the order names just what they want.
 */
export function fillArguments(schema: unknown, supply: Supply, depth = 0): Record<string, unknown> {
  const parameters = parametersOf(schema).filter(
    (parameter) => parameter.required || (parameter.role !== 'text' && named(parameter, supply) !== undefined),
  );
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, fill(parameter, supply, depth)]));
}

/** What the order names for a parameter that wants something of its own. */
function named({ role, schema }: Parameter, { order, directory }: Supply): string | undefined {
  const [old, ...others] = order.quoted;
  if (role === 'old') return others.length > 0 ? old : undefined;
  if (role === 'new') return others[0];
  const path = role === 'path' ? order.paths.at(-1) : undefined;
  if (path === undefined || directory === undefined || path.startsWith('/')) return path;
  // Some tools take only absolute ones.
  return String(schema.description).toLowerCase().includes('absolute') ? `${directory}/${path}` : path;
}

function fill(parameter: Parameter, supply: Supply, depth: number): unknown {
  const { role, schema } = parameter;
  const { paths, text, whole } = supply.order;
  const standard = schema.default ?? schema.const ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return standard ?? schema.minimum ?? 1;
    case 'boolean':
      return standard ?? false;
    case 'null':
      return null;
    case 'array':
      if (role === 'path' && paths.length > 0) return paths;
      if (depth >= deepest || standard !== undefined) return standard ?? [];
      return [fill({ ...parameter, schema: isRecord(schema.items) ? schema.items : {} }, supply, depth + 1)];
    case 'object':
      return depth < deepest ? fillArguments(schema, supply, depth + 1) : {};
    default:
      return named(parameter, supply) ?? standard ?? text ?? supply.latestResult ?? whole;
  }
}
