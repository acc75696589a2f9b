import { endOfString } from './json-strings.ts';

/** Schemas and arguments of real use nest a few dozen levels; code that walks them recursively bears thousands. */
export const deepestJson = 500;

/**
 * Whether JSON text nests deeper than `deepest` brackets. `JSON.parse` reads any depth, but whatever walks or writes the
 * value afterwards would overflow its stack. One pass; text that is not JSON gives an answer without a meaning.
 */
export function nestsTooDeeply(json: string, deepest: number = deepestJson): boolean {
  if (json.length <= deepest) return false;
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 34) {
      index = endOfString(json, index + 1);
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}
