import { backslash, colon, continuesName, doubleQuote, singleQuote, startsName } from './json-characters.ts';
import { skipComments } from './json-comment.ts';
import { startsScalar } from './json-token.ts';
import type { SchemaView } from './schema.ts';

/** Whether something is at a place: it is, it is not, or only more text can tell. */
export type Look = 'yes' | 'no' | 'more';

/** The longest key, and the longest white space and comments around it, that are looked at; so the work for each place is bounded. */
const longestLook = 256;

/** What is known of the place where a value may start. */
export interface ValuePlace {
  /** What the whole value has to be. */
  readonly schema: SchemaView;
  /** Nothing but white space stands before it on its line. */
  readonly lineStart: boolean;
}

/**
 * Whether the brace or bracket at `at` opens the value of an answer rather than a remark in its prose. A key with its
 * colon makes an object, in quotes anywhere and without them at the start of a line. A list begins a line, and with
 * something that no footnote holds.
 */
export function startsValue(text: string, at: number, place: ValuePlace): Look {
  const { schema, lineStart } = place;
  if (text[at] === '{') return lineStart || schema.admits('object') ? startsObject(text, at, place) : 'no';
  if (text[at] !== '[' || !lineStart || !schema.admits('array')) return 'no';
  const next = afterSpace(text, at + 1);
  if (typeof next === 'string') return next;
  const code = text.charCodeAt(next);
  if (text[next] === '{') return startsObject(text, next, place);
  if (text[next] === '[' || code === doubleQuote || code === singleQuote) return 'yes';
  return (startsScalar(code) || text[next] === ']') && !schema.admits('object') ? 'yes' : 'no';
}

/**
 * Whether the value at the start of `text`, where `startsValue` says that one starts, is of the kind that the schema asks
 * for: an object whose first key it names, if it names any, or a list that begins with neither a number nor a word.
 */
export function startsAnswer(text: string, schema: SchemaView): boolean {
  if (text[0] === '[') {
    const first = skipSpace(text, 1);
    return schema.admits('array') && text[first] !== ']' && !startsScalar(text.charCodeAt(first));
  }
  const doubled = skipSpace(text, 1);
  const key = text[doubled] === '{' ? skipSpace(text, doubled + 1) : doubled;
  const end = afterKey(text, key, true);
  if (!schema.admits('object') || typeof end === 'string') return false;
  const isQuoted = !startsName(text.charCodeAt(key));
  return (
    schema.propertyNames.length === 0 || schema.known(isQuoted ? text.slice(key + 1, end - 1) : text.slice(key, end))
  );
}

function startsObject(text: string, at: number, place: ValuePlace): Look {
  const first = afterSpace(text, at + 1);
  if (typeof first === 'string') return first;
  // Doubled braces are read as one pair.
  const doubled = text[first] === '{' ? afterSpace(text, first + 1) : first;
  if (typeof doubled === 'string') return doubled;
  if (text[doubled] === '}') return 'yes';
  const end = afterKey(text, doubled, place.lineStart);
  const next = typeof end === 'string' ? end : afterSpace(text, end);
  if (typeof next === 'string') return next;
  return text.charCodeAt(next) === colon ? 'yes' : 'no';
}

/** `bare`: the key may be without quotes. */
function afterKey(text: string, at: number, bare: boolean): number | 'no' | 'more' {
  const code = text.charCodeAt(at);
  const isQuoted = code === doubleQuote || code === singleQuote;
  if (!isQuoted && !(bare && startsName(code))) return 'no';
  for (let index = at + 1; index - at <= longestLook; index += 1) {
    if (index >= text.length) return 'more';
    const next = text.charCodeAt(index);
    if (!isQuoted && !continuesName(next)) return index;
    if (isQuoted && next === code) return index + 1;
    if (isQuoted && next === backslash) index += 1;
  }
  return 'no';
}

/** Comments between the parts of a value count as white space. */
function skipSpace(text: string, at: number): number {
  return skipComments(text, at, Math.min(text.length, at + longestLook + 1));
}

function afterSpace(text: string, at: number): number | 'no' | 'more' {
  const index = skipSpace(text, at);
  if (index - at > longestLook) return 'no';
  return index >= text.length ? 'more' : index;
}
