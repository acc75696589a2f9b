import { turnMarkers } from '../../../chat/turn-markers.ts';
import { rememberedFor } from '../remembered.ts';

/** So many characters of a literal are looked for first: most texts hold the beginning of none. */
const beginning = 2;

const backslash = 92;

interface Literals {
  readonly all: readonly string[];
  /** How they begin, each once. */
  readonly beginnings: readonly string[];
}

/** For the literals of a request, which every past call is searched for. */
const prepared = rememberedFor((literals: readonly string[]): Literals => {
  const all = [...literals, ...turnMarkers];
  return { all, beginnings: [...new Set(all.map((literal) => literal.slice(0, beginning)))] };
});

/**
 * JSON text in which none of the literals occurs, and no token of a chat template: the first character of each becomes its
 * `\u` escape, so the value stays the same. Only for literals that JSON cannot hold outside of strings.
 */
export function defuseJson(json: string, literals: readonly string[]): string {
  const { all, beginnings } = prepared(literals);
  const present = new Set(beginnings.filter((each) => json.includes(each)));
  if (present.size === 0) return json;
  let defused = json;
  for (const literal of all) {
    // An escape that is put in completes no literal: none holds a backslash.
    if (!present.has(literal.slice(0, beginning))) continue;
    defused = defused.replaceAll(literal, (found, at: number, text: string) => escaped(found, text, at));
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
