import type { JsonSchema } from '../chat/tool.ts';

/** Nested deeper than this, arguments are compared as they are written. */
const deepest = 100;

/** Thrown and caught here only: the value nests too deeply to be written anew. */
class TooDeep extends Error {}

const refuseDepth = (depth: number): void => {
  if (depth > deepest) throw new TooDeep();
};

/**
 * Arguments in the form that all ways of writing the same JSON share: without white space, keys in order, numbers and
 * escapes as JavaScript writes them. What is no JSON stays as it is, without white space around it. An argument that has
 * the value of its `defaults` is left out: whether it is written or not, it says the same.
 */
export function canonicalArguments(text: string, defaults: ReadonlyMap<string, string> = noDefaults): string {
  try {
    const values: unknown = JSON.parse(text === '' ? '{}' : text);
    if (defaults.size === 0 || typeof values !== 'object' || values === null || Array.isArray(values)) {
      return canonicalJson(values, refuseDepth);
    }
    const said = Object.entries(values).filter(([name, value]) => {
      const usual = defaults.get(name);
      return usual === undefined || usual !== canonicalJson(value, refuseDepth);
    });
    return canonicalJson(Object.fromEntries(said), refuseDepth);
  } catch {
    return text.trim();
  }
}

const noDefaults: ReadonlyMap<string, string> = new Map();

/** The default of each argument whose schema names one, in that form. */
export function defaultsIn(schema: JsonSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, property] of Object.entries(membersOf(membersOf(schema).properties))) {
    const { default: usual } = membersOf(property);
    if (usual !== undefined) found.set(name, canonicalArguments(JSON.stringify(usual)));
  }
  return found;
}

/** What an object holds; nothing of anything else, and nothing that it has inherited. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * The same text for the same value of JSON, whatever the order of its keys. `enter` is called for each part, with the number
 * of parts that it is in.
 */
export function canonicalJson(value: unknown, enter: (depth: number) => void = () => {}, depth = 0): string {
  enter(depth);
  const inner = (each: unknown) => canonicalJson(each, enter, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${inner(each)}`).join()}}`;
}
