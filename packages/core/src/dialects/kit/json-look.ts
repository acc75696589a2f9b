import { type CallKeys, isArgumentsKey, isNameKey } from './call-fields.ts';
import { readKey } from './json-key.ts';
import type { Look, Scanner } from './scanner.ts';

/** So many fields are looked at in front of the arguments: a name, a type, an id. */
const mostFields = 4;

/** What makes an object a call without a marker. */
export interface CallShape {
  readonly keys: CallKeys;
  /** The tools that may be called so. */
  readonly names: readonly string[];
}

/**
 * Does the object that opens at `index` look like a call? It has the name of a tool and arguments behind it, with nothing
 * but short strings before them. The name stands in one of the `nameSpellings`, which are defused in foreign text.
 * Looks at a bounded number of characters.
 */
export function looksLikeCall(scanner: Scanner, index: number, { keys, names }: CallShape): Look {
  let named = false;
  let at = index + 1;
  for (let field = 0; field < mostFields; field += 1) {
    const start = scanner.behindSpace(at);
    if (typeof start === 'string') return start;
    const key = readKey(scanner, start);
    if (typeof key === 'string') return key;
    const value = behind(scanner, key.end, ':');
    if (typeof value === 'string') return value;
    if (isArgumentsKey(key.text, keys)) return named ? 'yes' : 'no';
    const quote = scanner.text[value];
    if (quote !== '"' && quote !== "'") return 'no';
    const text = readKey(scanner, value);
    if (typeof text === 'string') return text;
    if (isNameKey(key.text, keys)) {
      const written = scanner.text.slice(start, text.end);
      if (!names.includes(text.text) || !nameSpellings(key.text, text.text).includes(written)) return 'no';
      named = true;
    }
    const next = behind(scanner, text.end, ',');
    if (typeof next === 'string') return next;
    at = next;
  }
  return 'no';
}

/** The ways in which the name of a call without a marker may stand, as JSON and Python print it. */
export function nameSpellings(key: string, name: string): readonly string[] {
  return ['"', "'"].flatMap((quote) =>
    [':', ': '].map((colon) => `${quote}${key}${quote}${colon}${quote}${name}${quote}`),
  );
}

/** Where the first call stands in `{"wrapper": [{…}]}`, whose object opens at `index`. */
export function lookInWrapper(scanner: Scanner, index: number, wrapper: string): number | 'no' | 'more' {
  const start = scanner.behindSpace(index + 1);
  const key = typeof start === 'string' ? start : readKey(scanner, start);
  if (typeof key === 'string') return key;
  if (key.text !== wrapper) return 'no';
  const value = behind(scanner, key.end, ':');
  if (typeof value === 'string') return value;
  return scanner.text[value] === '[' ? scanner.behindSpace(value + 1) : 'no';
}

/** Index of what stands behind `sign`, with white space around it. */
function behind(scanner: Scanner, index: number, sign: ':' | ','): number | 'no' | 'more' {
  const next = scanner.behindSpace(index);
  if (typeof next === 'string') return next;
  return scanner.text[next] === sign ? scanner.behindSpace(next + 1) : 'no';
}
