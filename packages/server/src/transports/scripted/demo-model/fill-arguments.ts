import { fillText, namesSwap } from './fill-text.ts';
import { type Parameter, parametersOf } from './parameter-role.ts';
import { namedValue } from './phrases.ts';
import type { Shape } from './shape.ts';
import type { Supply } from './supply.ts';
import { stem, stemsOf, wordsOf } from './words.ts';

/** How deep objects inside arguments are filled. */
const deepest = 4;

/**
 * Fills a tool's arguments: required ones always, from the request's words if they hold something that fits, else from
 * the schema's default, enum or examples; optional ones only when the request clearly names a value.
 */
export function fillArguments(schema: unknown, supply: Supply): Record<string, unknown> {
  return fillObject(schema, { supply, root: schema, depth: 0 });
}

interface Filling {
  readonly supply: Supply;
  readonly root: unknown;
  readonly depth: number;
}

function fillObject(schema: unknown, filling: Filling): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  const parameters = parametersOf(schema, filling.root);
  // Required ones first: they have the first choice of what the request names.
  const values = new Map<string, unknown>();
  for (const parameter of parameters)
    if (parameter.required) values.set(parameter.name, fillRequired(parameter, filling));
  for (const parameter of parameters) {
    const value = parameter.required ? values.get(parameter.name) : fillOptional(parameter, filling);
    if (value !== undefined) filled[parameter.name] = value;
  }
  return filled;
}

function fillRequired(parameter: Parameter, filling: Filling): unknown {
  const { shape } = parameter;
  const { supply } = filling;
  const chosen = choiceInText(shape, supply);
  if (chosen !== undefined) return chosen;
  if (shape.choices.length > 0) return shape.suggestions[0] ?? shape.choices[0];
  switch (shape.type) {
    case 'number':
    case 'integer':
      return fillNumber(parameter, supply) ?? shape.minimum ?? 1;
    case 'boolean':
      return fillBoolean(parameter, supply) ?? shape.suggestions[0] ?? false;
    case 'null':
      return null;
    case 'array':
      return fillArray(parameter, filling);
    case 'object':
      return filling.depth < deepest ? fillNested(shape, filling) : (shape.suggestions[0] ?? {});
    case 'string':
    case undefined:
      return fillText(parameter, supply);
  }
}

function fillOptional(parameter: Parameter, { supply }: Filling): unknown {
  const { shape, role, name } = parameter;
  const chosen = choiceInText(shape, supply);
  if (chosen !== undefined || shape.choices.length > 0) return chosen;
  switch (shape.type) {
    case 'number':
    case 'integer': {
      const named = namedValue(supply.clause, name);
      return named !== undefined && Number.isFinite(Number(named)) ? Number(named) : undefined;
    }
    case 'boolean':
      return fillBoolean(parameter, supply);
    case 'string':
    case undefined:
      if ((role === 'path' && supply.has('path')) || (role === 'url' && supply.has('url')))
        return fillText(parameter, supply);
      if (role === 'query' && supply.has('pattern', 'quoted')) return fillText(parameter, supply);
      // Copilot's edit requires no more than the path.
      if ((role === 'old' || role === 'new') && namesSwap(supply)) return fillText(parameter, supply);
      return namedValue(supply.clause, name);
    case 'array':
    case 'object':
    case 'null':
      return undefined;
  }
}

/** The enum member that the request names, if it names one. */
function choiceInText(shape: Shape, supply: Supply): unknown {
  if (shape.choices.length === 0) return undefined;
  const words = new Set(wordsOf(supply.clause.text).map((word) => word.text.toLowerCase()));
  const stems = new Set(stemsOf(supply.clause.text));
  return shape.choices.find((choice) => {
    if (typeof choice !== 'string') return words.has(String(choice));
    const parts = wordsOf(choice).map((word) => word.text.toLowerCase());
    return parts.length > 0 && parts.every((part) => words.has(part) || stems.has(stem(part)));
  });
}

function fillNumber({ name, shape }: Parameter, supply: Supply): number | undefined {
  const text = namedValue(supply.clause, name) ?? supply.take('number');
  if (text !== undefined && Number.isFinite(Number(text))) {
    return shape.type === 'integer' ? Math.trunc(Number(text)) : Number(text);
  }
  return shape.suggestions.find((value) => typeof value === 'number');
}

/** True when the request has a word of the parameter's name, false when `no`, `not` or `without` stands before it. */
function fillBoolean({ name }: Parameter, supply: Supply): boolean | undefined {
  const named = namedValue(supply.clause, name);
  if (named === 'true' || named === 'false') return named === 'true';
  const words = wordsOf(supply.clause.text).map((word) => word.text.toLowerCase());
  const root = (word: string): string => (word.endsWith('ly') ? stem(word.slice(0, -2)) : stem(word));
  const wanted = new Set(stemsOf(name));
  const roots = words.map(root);
  const at = roots.findIndex((word) => wanted.has(word));
  // Every word of a longer name has to be there: "replace" alone does not mean `replaceAll`.
  if (at === -1 || ![...wanted].every((word) => roots.includes(word))) return undefined;
  return !words.slice(Math.max(0, at - 2), at).some((word) => ['no', 'not', 'without', 'never'].includes(word));
}

function fillArray(parameter: Parameter, filling: Filling): unknown {
  const { shape, role, name } = parameter;
  const { supply } = filling;
  const [item] = parametersOf({ properties: { [name]: shape.items }, required: [name] }, filling.root);
  if (item === undefined) return [];
  const itemType = item.shape.type;
  if (itemType === 'number' || itemType === 'integer') {
    const numbers = supply.takeAll('number').map(Number);
    if (numbers.length > 0) return numbers;
  }
  if (itemType === 'string' || itemType === undefined) {
    const kinds =
      role === 'url'
        ? (['url'] as const)
        : role === 'path'
          ? (['path'] as const)
          : (['quoted', 'code', 'path'] as const);
    const texts = supply.takeAll(...kinds);
    if (texts.length > 0) return texts;
  }
  if (shape.suggestions.length > 0) return shape.suggestions[0];
  return filling.depth < deepest ? [fillRequired(item, { ...filling, depth: filling.depth + 1 })] : [];
}

function fillNested(shape: Shape, filling: Filling): unknown {
  const inner = { properties: shape.properties, required: [...shape.required] };
  const filled = fillObject(inner, { ...filling, depth: filling.depth + 1 });
  return Object.keys(filled).length === 0 ? (shape.suggestions[0] ?? filled) : filled;
}
