import { endOfString, isKey } from '../../json/end-of-string.ts';
import { isDigit, isWordCharacter } from '../../json/json-characters.ts';
import type { PastCall } from '../dialect.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { pastMembers } from './past-calls.ts';

/** Words that Python writes in another way than JSON. */
const words: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]);

/** JSON text as the literal of a language: `string` writes each string, `word` the constants, `key` what stands before a colon. */
interface LiteralForm {
  string(json: string): string;
  key(json: string): string;
  word(word: string): string;
}

/** JSON text as a Python literal with the same value. Numbers keep their digits. */
function pythonLiteral(json: string): string {
  return rewrite(json, { string: (text) => text, key: (text) => text, word: (word) => words.get(word) ?? word });
}

/**
 * A past call in Python with keyword arguments. Parameters whose names are no words are in an unpacked dict, and
 * arguments that are no object in a parameter named `arguments`. None of the literals occurs in a string.
 */
export function pythonCall(call: PastCall, literals: readonly string[]): string {
  const written = pastMembers(call).map(({ key, json }) => {
    const value = pythonLiteral(escapeJsonMarkers(json, literals));
    return isName(key) ? `${key}=${value}` : `**{${escapeJsonMarkers(JSON.stringify(key), literals)}: ${value}}`;
  });
  return `${call.name}(${written.join(', ')})`;
}

/** A name as Python writes it: letters, digits and `_`, no digit first. */
export function isName(text: string): boolean {
  return isWord(text) && !isDigit(text.charCodeAt(0));
}

/**
 * JSON text in Gemma's syntax: bare keys, and strings between two of the token `quote`. A string or key that holds one
 * of these literals, or is no plain word where it is a key, keeps JSON's quotation marks, in which all can be escaped.
 */
export function gemmaLiteral(
  json: string,
  { quote, literals }: { quote: string; literals: readonly string[] },
): string {
  return rewrite(json, {
    string: (text) => (isPlain(text, [quote, ...literals]) ? quote + String(JSON.parse(text)) + quote : text),
    key: (text) => (isWord(text.slice(1, -1)) ? text.slice(1, -1) : text),
    word: (word) => word,
  });
}

/** A string's JSON text without escapes, and without what would be read as markup. */
function isPlain(json: string, literals: readonly string[]): boolean {
  return !json.includes('\\u') && !literals.some((literal) => json.includes(literal));
}

function isWord(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (!isWordCharacter(text.charCodeAt(index))) return false;
  return text !== '';
}

/** Walks over valid JSON text once; all that is neither string nor word stays. */
function rewrite(json: string, form: LiteralForm): string {
  const out: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = at;
    if (json[at] === '"') {
      at = endOfString(json, at + 1) + 1;
      const text = json.slice(start, at);
      out.push(isKey(json, at) ? form.key(text) : form.string(text));
    } else if (isWordCharacter(json.charCodeAt(at))) {
      while (at < json.length && isNumberOrWord(json.charCodeAt(at))) at += 1;
      out.push(form.word(json.slice(start, at)));
    } else {
      at += 1;
      out.push(json.slice(start, at));
    }
  }
  return out.join('');
}

function isNumberOrWord(code: number): boolean {
  return isWordCharacter(code) || code === 43 || code === 45 || code === 46;
}
