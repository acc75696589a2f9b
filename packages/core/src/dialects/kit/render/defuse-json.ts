import { turnMarkers } from '../../../chat/turn-markers.ts';

/** So many characters of a literal are looked for first: most texts hold the beginning of none. */
const beginning = 2;

const backslash = 92;

/**
 * JSON text in which none of the literals occurs, and no token of a chat template: the first character of each becomes its
 * `\u` escape, so the value stays the same. Only for literals that JSON cannot hold outside of strings.
 */
export function defuseJson(json: string, literals: readonly string[]): string {
  let defused = json;
  const begins = new Map<string, boolean>();
  for (const literal of [...literals, ...turnMarkers]) {
    const start = literal.slice(0, beginning);
    // An escape that is put in completes no literal: none holds a backslash.
    const present = begins.get(start) ?? json.includes(start);
    begins.set(start, present);
    if (present) defused = defused.replaceAll(literal, (found, at: number, text: string) => escaped(found, text, at));
  }
  return defused;
}

/** The literal at `at`, unless its first letter is part of an escape. */
function escaped(literal: string, text: string, at: number): string {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  if (slashes % 2 === 1) return literal;
  return `\\u${literal.charCodeAt(0).toString(16).padStart(4, '0')}${literal.slice(1)}`;
}
