import { createMarkerSearch, type MarkerSearch } from '../../chat/marker-search.ts';
import { turnMarkers } from '../../chat/turn-markers.ts';

const backslash = 92;

/** By the literals: a dialect gives the same ones for every call. */
const searches = new Map<string, MarkerSearch>();

/** Literals may hold names of tools; those of dialects are far fewer. */
const mostSearches = 200;

/**
 * JSON text in which none of the literals occurs, and no token of a chat template: the first character of each becomes its
 * `\u` escape, so the value stays the same. Only for literals that JSON cannot hold outside of strings.
 */
export function escapeJsonMarkers(json: string, literals: readonly string[]): string {
  const search = searchFor(literals);
  const pieces: string[] = [];
  let done = 0;
  for (const at of search(json, json.length)) {
    if (isEscaped(json, at)) continue;
    pieces.push(json.slice(done, at), `\\u${json.charCodeAt(at).toString(16).padStart(4, '0')}`);
    done = at + 1;
  }
  return done === 0 ? json : pieces.join('') + json.slice(done);
}

/** Whether the character at `at` is part of an escape. */
function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

function searchFor(literals: readonly string[]): MarkerSearch {
  const key = literals.join('\n');
  const known = searches.get(key);
  if (known !== undefined) return known;
  if (searches.size >= mostSearches) searches.clear();
  const made = createMarkerSearch([...literals, ...turnMarkers]);
  searches.set(key, made);
  return made;
}
