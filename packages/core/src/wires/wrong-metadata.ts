import { isAbsent, isObject, kindOf, type Path } from './read-values.ts';

const mostPairs = 16;
const longestName = 64;
const longestValue = 512;

/**
 * What OpenAI's APIs would refuse in `metadata`, and where: more than 16 pairs, a name of more than 64 characters, a
 * value that is no string or has more than 512. Undefined where nothing is wrong.
 */
export function wrongMetadata(value: unknown): { readonly path: Path; readonly problem: string } | undefined {
  if (isAbsent(value)) return undefined;
  if (!isObject(value)) return { path: 'metadata', problem: `must be an object, not ${kindOf(value)}.` };
  const pairs = Object.entries(value);
  if (pairs.length > mostPairs) {
    return { path: 'metadata', problem: `has ${pairs.length} pairs; at most ${mostPairs} are allowed.` };
  }
  for (const [name, text] of pairs) {
    const path = `metadata.${name.slice(0, longestName)}`;
    if (name.length > longestName) return { path, problem: `has a name of more than ${longestName} characters.` };
    if (typeof text !== 'string') return { path, problem: 'must be a string.' };
    if (text.length > longestValue) {
      const start = JSON.stringify(text.slice(0, 20));
      return { path, problem: `is longer than ${longestValue} characters: ${start}.` };
    }
  }
  return undefined;
}
