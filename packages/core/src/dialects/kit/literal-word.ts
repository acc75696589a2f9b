import { escapeJson } from '../../arguments/json-escape.ts';
import { isJsonNumber, mendNumber } from '../../arguments/json-number.ts';
import type { LiteralSyntax } from './literal-syntax.ts';
import type { LiteralValueOptions } from './literal-value.ts';

/** The constants of Python and JSON. */
const constants: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['true', 'true'],
  ['False', 'false'],
  ['false', 'false'],
  ['None', 'null'],
  ['null', 'null'],
]);

/** Where a word stands. */
interface Place extends Pick<LiteralValueOptions, 'mayHoldQuotes' | 'unquoted'> {
  readonly syntax: LiteralSyntax;
}

/**
 * A word that stands without quotation marks, as JSON text; undefined where it is none. In Python all are numbers and
 * constants. Where a bare word is a string, it is anything else by its schema.
 */
export function jsonOfWord(word: string, { syntax, mayHoldQuotes, unquoted }: Place): string | undefined {
  const constant = constants.get(word);
  if (syntax.bareStrings) {
    if (isWord(word)) return word;
    if (!mayHoldQuotes()) return undefined;
    unquoted();
    return `"${escapeJson(word)}"`;
  }
  if (constant !== undefined) return constant;
  const digits = word.replaceAll('_', '');
  return isJsonNumber(digits) ? digits : mendNumber(digits);
}

/** A number or a constant of JSON or Python. */
export function isWord(word: string): boolean {
  return constants.has(word) || isJsonNumber(word);
}
