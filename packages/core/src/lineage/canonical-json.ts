/** Nested deeper than this, arguments are compared as they are written. */
const deepest = 100;

/** Thrown and caught here only: the value nests too deeply to be written anew. */
class TooDeep extends Error {}

/**
 * Arguments in the form that all ways of writing the same JSON share: without white space, keys in order, numbers and
 * escapes as JavaScript writes them. What is no JSON stays as it is, without white space around it.
 */
export function canonicalArguments(text: string): string {
  try {
    return canonical(JSON.parse(text === '' ? '{}' : text), 0);
  } catch {
    return text.trim();
  }
}

function canonical(value: unknown, depth: number): string {
  if (depth > deepest) throw new TooDeep();
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, depth + 1)}`).join()}}`;
}
