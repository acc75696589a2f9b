import { endOfString } from './end-of-string.ts';
import { isKeptAsWritten, numberEnd, startsNumber } from './json-numbers.ts';

/** Schemas and arguments of real use nest a few dozen levels; code that walks them recursively bears thousands. */
export const deepestJson = 500;

/**
 * Whether JSON text nests deeper than `deepest` brackets. `JSON.parse` reads any depth, but whatever walks or writes the
 * value afterwards would overflow its stack. One pass; text that is not JSON gives an answer without a meaning.
 */
export function nestsTooDeeply(json: string, deepest: number = deepestJson): boolean {
  return (
    json.length > deepest && surveyJson(json, { depth: deepest, values: Number.POSITIVE_INFINITY }).excess !== undefined
  );
}

/** The most that JSON text may hold: brackets within brackets, and lists, objects and members of them. */
export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
}

/** What one pass over JSON text tells before it is parsed. */
export interface JsonSurvey {
  /** Of what it holds more than its bounds: there the pass ends. */
  readonly excess?: keyof JsonBounds;
  /** It holds a number that JavaScript would write otherwise. */
  readonly hasOddNumber: boolean;
  /** What `JsonBounds` bounds, as far as the pass went. */
  readonly values: number;
}

/**
 * Looks through JSON text once: what `JSON.parse` costs hangs on the number of values, which commas and opening brackets tell, and
 * much less on the length.
 */
export function surveyJson(json: string, most: JsonBounds): JsonSurvey {
  let depth = 0;
  let values = 0;
  let hasOddNumber = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 34) {
      index = endOfString(json, index + 1);
      continue;
    }
    if (startsNumber(code)) {
      const end = numberEnd(json, index);
      hasOddNumber ||= !isKeptAsWritten(json, index, end);
      index = end - 1;
      continue;
    }
    const opens = code === 91 || code === 123;
    if (opens) depth += 1;
    else if (code === 93 || code === 125) depth -= 1;
    if (opens || code === 44) values += 1;
    if (depth > most.depth) return { excess: 'depth', hasOddNumber, values };
    if (values > most.values) return { excess: 'values', hasOddNumber, values };
  }
  return { hasOddNumber, values };
}
