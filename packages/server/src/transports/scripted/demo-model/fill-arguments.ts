import { isRecord } from '../../../is-record.ts';
import { type Parameter, parametersOf, type RequestWord } from './plan-calls.ts';

/** What one call is filled from. */
export interface Supply {
  readonly words: readonly RequestWord[];
  /** The latest result's text, for "write it to …". */
  readonly latestResult: string | undefined;
  /** Where the agent says that it works, for parameters that want absolute paths. */
  readonly directory: string | undefined;
}

/** How deep objects inside arguments are filled. */
const deepest = 4;

/**
 * Fills a tool's arguments: required ones always, from the request's words if they hold something that fits, else from
 * the schema's default, enum or type; optional ones only when the request names what they want.
 */
export function fillArguments(schema: unknown, supply: Supply, depth = 0): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  const parameters = parametersOf(schema);
  for (const parameter of parameters) {
    const value = parameter.required ? fill(parameter, supply, depth) : named(parameter, supply, parameters);
    if (value !== undefined) filled[parameter.name] = value;
  }
  return filled;
}

/** The value for an optional parameter, where the request names one. */
function named(parameter: Parameter, supply: Supply, parameters: readonly Parameter[]): unknown {
  const { role, schema } = parameter;
  const chosen = choiceIn(schema, supply);
  if (chosen !== undefined || !isText(schema)) return chosen;
  const isTaken = parameters.some((other) => other.required && other.role === role);
  if ((role === 'path' || role === 'url') && !isTaken) return textFor(parameter, supply);
  if (role === 'query' && supply.words.some(({ kind }) => kind === 'pattern')) return textFor(parameter, supply);
  // Some edits require no more than the path.
  return role === 'old' || role === 'new' ? textFor(parameter, supply) : undefined;
}

/** A text, or one that may be left out by `null`. */
function isText({ type, anyOf }: Parameter['schema']): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => isRecord(each) && isText(each));
  return Array.isArray(type) ? type.includes('string') : type === 'string';
}

function choiceIn({ enum: choices }: Parameter['schema'], { words }: Supply): unknown {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice) => words.some(({ text }) => text.toLowerCase() === String(choice).toLowerCase()));
}

function fill(parameter: Parameter, supply: Supply, depth: number): unknown {
  const { schema } = parameter;
  const chosen = choiceIn(schema, supply);
  if (chosen !== undefined) return chosen;
  const standard = schema.default ?? schema.const ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
  switch (schema.type) {
    case 'number':
    case 'integer': {
      const named = supply.words.filter(({ kind }) => kind === 'number').map(({ text }) => Number(text));
      const numbers = schema.type === 'integer' ? named.filter(Number.isInteger) : named;
      return standard ?? numbers[parameter.place] ?? schema.minimum ?? 1;
    }
    case 'boolean':
      return standard ?? false;
    case 'null':
      return null;
    case 'array': {
      const paths = parameter.role === 'path' ? supply.words.filter(({ kind }) => kind === 'path') : [];
      if (paths.length > 0) return paths.map(({ text }) => text);
      if (depth >= deepest || standard !== undefined) return standard ?? [];
      const item = isRecord(schema.items) ? schema.items : {};
      return [fill({ ...parameter, schema: item }, supply, depth + 1)];
    }
    case 'object':
      return depth < deepest ? fillArguments(schema, supply, depth + 1) : {};
    default:
      return textFor(parameter, supply) ?? standard ?? request(supply);
  }
}

const request = ({ words }: Supply): string => words.map(({ text }) => text).join(' ');

/** A string for a parameter, as the request gives it. Undefined where the request names none. */
function textFor({ role, schema }: Parameter, supply: Supply): string | undefined {
  const { words, latestResult } = supply;
  const first = (kind: RequestWord['kind']): string | undefined => words.find((word) => word.kind === kind)?.text;
  switch (role) {
    case 'path':
      return pathFrom(String(schema.description), supply);
    case 'url':
      return first('url');
    case 'command':
      return first('quoted') ?? after(words, ['command', 'run', 'execute'], []);
    case 'query':
      return first('pattern') ?? first('quoted') ?? after(words, ['for', 'search', 'find', 'grep'], ['in']);
    case 'old':
      return after(words, ['replace', 'change'], ['with', 'to', 'by']);
    case 'new':
      return after(afterSwap(words), ['with', 'to', 'by'], ['in']);
    case 'content':
      return first('quoted') ?? after(words, ['saying'], []) ?? latestResult;
    case 'place':
      return names(words) ?? after(words, ['in', 'for'], []);
    case 'note':
      return request(supply);
    case 'other':
      return schema.default === undefined && schema.enum === undefined ? (first('quoted') ?? names(words)) : undefined;
  }
}

/** The words from the verb of a replacement on; none where nothing is to be replaced. */
function afterSwap(words: readonly RequestWord[]): readonly RequestWord[] {
  const at = words.findIndex(
    ({ text, kind }) => kind === 'plain' && ['replace', 'change'].includes(text.toLowerCase()),
  );
  return at < 0 ? [] : words.slice(at);
}

function names(words: readonly RequestWord[]): string | undefined {
  const found = words.filter(({ kind }) => kind === 'name').map(({ text }) => text);
  return found.length === 0 ? undefined : found.join(' ');
}

/** What comes after the first of the leads that is there, up to one of the ends. */
function after(words: readonly RequestWord[], leads: readonly string[], ends: readonly string[]): string | undefined {
  const placeOf = (text: string): number =>
    words.findIndex((word) => word.kind === 'plain' && word.text.toLowerCase() === text);
  const at = leads.map(placeOf).find((place) => place >= 0);
  if (at === undefined) return undefined;
  const to = ends.map(placeOf).find((place) => place > at) ?? words.length;
  const found = words.slice(at + 1, to).map(({ text }) => text);
  return found.length === 0 ? undefined : found.join(' ');
}

function pathFrom(description: string, { words, directory }: Supply): string | undefined {
  const path = words.findLast(({ kind }) => kind === 'path')?.text;
  if (path === undefined || directory === undefined || path.startsWith('/')) return path;
  return description.toLowerCase().includes('absolute') ? `${directory}/${path}` : path;
}
