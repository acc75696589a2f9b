import { escapeJson } from '../../../json/json-escape.ts';
import { isJsonNumber, mendNumber } from '../../../json/json-number.ts';
import { isSpace, type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import type { Behind } from './literal-ending.ts';
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
interface Place extends Pick<LiteralValueOptions, 'mayHoldQuotes' | 'unquoted' | 'mended'> {
  readonly syntax: LiteralSyntax;
}

/**
 * A word that stands without quotation marks, as JSON text; undefined where it is none. In Python all are numbers and
 * constants. Where a bare word is a string, it is anything else by its schema.
 */
export function jsonOfWord(word: string, { syntax, mayHoldQuotes, unquoted, mended }: Place): string | undefined {
  const constant = constants.get(word);
  if (syntax.bareStrings) {
    if (isWord(word)) return word;
    if (!mayHoldQuotes()) return undefined;
    unquoted();
    return `"${escapeJson(word)}"`;
  }
  if (constant !== undefined) return constant;
  const digits = word.replaceAll('_', '');
  if (isJsonNumber(digits)) return digits;
  const number = mendNumber(digits);
  if (number !== undefined || !isDigits(word)) return number;
  // What begins with a zero is no number of Python or JSON: a code or a date, which the schema types.
  mended('A number that begins with a zero was read as text.');
  return `"${word}"`;
}

function isDigits(word: string): boolean {
  return word !== '' && [...word].every((digit) => digit >= '0' && digit <= '9');
}

/** A number or a constant of JSON or Python. */
export function isWord(word: string): boolean {
  return constants.has(word) || isJsonNumber(word);
}

/** A word or number longer than this is none. */
const longestWord = 1024;

/** Reads what stands without quotation marks. */
export class WordReader {
  readonly #syntax: LiteralSyntax;
  /** So many characters of the word that stands here are looked at, and end it not. */
  #seen = 0;

  constructor(syntax: LiteralSyntax) {
    this.#syntax = syntax;
  }

  /** The word or number at the scanner, up to what may stand behind it. `whole`: it is all of a value. */
  read(
    scanner: Scanner,
    behind: Behind,
    whole: boolean,
  ): { readonly text: string; readonly end: number } | 'no' | 'more' {
    const { text, at } = scanner;
    const seen = this.#seen;
    this.#seen = 0;
    for (let end = at + seen; end - at <= longestWord; end += 1) {
      const over = this.#endsAt(scanner, end, { ...behind, whole });
      // Also at the end of the input, where the word may be half of one.
      if (end >= text.length || over === 'more') {
        this.#seen = end - at;
        return 'more';
      }
      if (over === 'no') continue;
      const word = text.slice(at, end).trim();
      return word === '' ? 'no' : { text: word, end };
    }
    return 'no';
  }

  #endsAt(scanner: Scanner, end: number, { signs, ends, next, whole }: Behind & { readonly whole: boolean }): Look {
    const { text, at } = scanner;
    const sign = text.charAt(end);
    if (!this.#syntax.bareStrings && isSpace(text.charCodeAt(end))) return 'yes';
    if (sign === '' || !signs.includes(sign)) {
      const closer = lookFor(scanner, end, ends);
      return typeof closer === 'number' ? 'yes' : closer;
    }
    // A string without quotation marks ends where one that has them would.
    if (!this.#syntax.bareStrings || next === undefined || !whole) return 'yes';
    const word = text.slice(at, end).trim();
    if (word === '' || isWord(word)) return 'yes';
    const ending = next(scanner, end + 1, { sign, passed: 'none' });
    if (ending !== 'yes') return ending === 'more' ? 'more' : 'no';
    // A comma in front of the closing bracket is part of the word, too.
    return sign === ',' && signs.includes(text.charAt(scanner.skipSpace(end + 1))) ? 'no' : 'yes';
  }
}
