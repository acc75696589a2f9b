import { isDigits, isSpace } from '../../../json/json-characters.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import { isJsonNumber, repairNumber } from '../../../json/json-number.ts';
import type { OpenValue } from '../../parser/grammar.ts';
import { type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { LiteralString, type LiteralStringOptions } from './literal-string.ts';
import { type After, type Ending, type LiteralSyntax, lookOut, type Quote, type Sign } from './literal-syntax.ts';

/** Containers in containers are followed this deep. */
const deepest = 64;

const keyAfter: After = { signs: ':', ends: [] };

/** A container that is open. */
interface Container {
  kind: 'list' | 'dict';
  readonly close: string;
  empty: boolean;
}

/** What stands next. */
type State =
  /** A value, or the end of a list. */
  | 'value'
  /** A key, or the end of a dict. */
  | 'key'
  | 'colon'
  /** The inside of a string. */
  | 'string'
  /** After a value in a container: a comma or the container's end. */
  | 'after'
  | 'done'
  | 'broken';

/** What may come after the whole value, and where it goes. */
interface LiteralValueOptions extends LiteralStringOptions {
  /** A word was read as a string. */
  readonly unquoted: () => void;
  /** Something was repaired, which a sentence says. */
  readonly repaired: (how: string) => void;
  /** A comma has ended a string in a container, where a string that holds quotation marks has more than one reading. */
  readonly listed: () => void;
}

/**
 * Reads one literal as it comes and emits it as JSON: strings in either kind of quotation marks, numbers, constants,
 * lists, tuples and dicts in each other. What is no literal, such as a sum, is broken. Before the call's own closer,
 * the brackets of the value may be missing.
 */
export class LiteralValue {
  readonly #syntax: LiteralSyntax;
  readonly #emit: (json: string) => void;
  readonly #options: LiteralValueOptions;
  readonly #open: Container[] = [];
  #state: State = 'value';
  #string: LiteralString | undefined;
  #isKey = false;
  /** The first entry after a brace, while it may be the key of a dict or an element of a set. */
  #entry: string | undefined;
  readonly #words: WordReader;

  /** `behind`: what may come after the whole value. */
  constructor(syntax: LiteralSyntax, options: LiteralValueOptions) {
    this.#syntax = syntax;
    this.#words = new WordReader(syntax);
    this.#options = options;
    this.#emit = options.emit;
  }

  /** As for a call. */
  get inside(): OpenValue | undefined {
    return this.#state === 'string' ? this.#string : undefined;
  }

  read(scanner: Scanner): 'more' | 'done' | 'broken' {
    while (true) {
      if (this.#state === 'done' || this.#state === 'broken') return this.#state;
      if (!this.#step(scanner)) return 'more';
    }
  }

  /** False when more input is needed. */
  #step(scanner: Scanner): boolean {
    if (this.#state === 'string') return this.#readString(scanner);
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) return false;
    const character = scanner.text.charAt(scanner.at);
    switch (this.#state) {
      case 'value':
        return this.#closes(character) ? this.#close(scanner) : this.#openValue(scanner, character);
      case 'key':
        return this.#closes(character) ? this.#close(scanner) : this.#openKey(scanner);
      case 'colon':
        if (this.#entry !== undefined) return this.#openBraces(scanner, character);
        return this.#pass(scanner, character === ':', 'value', ':');
      case 'after':
        return this.#closes(character) ? this.#close(scanner) : this.#readAfter(scanner, character);
      case 'done':
      case 'broken':
        return true;
    }
  }

  #pass(scanner: Scanner, stands: boolean, next: State, json = ''): boolean {
    this.#state = stands ? next : 'broken';
    if (!stands) return true;
    scanner.at += 1;
    if (json !== '') this.#emit(json);
    return true;
  }

  #readAfter(scanner: Scanner, character: string): boolean {
    const end = lookFor(scanner, scanner.at, this.#options.after.ends);
    if (end === 'more') return false;
    if (end === 'no')
      return this.#pass(scanner, character === ',', this.#open.at(-1)?.kind === 'dict' ? 'key' : 'value');
    while (this.#open.length > 0) this.#leave();
    this.#state = 'done';
    return true;
  }

  #closes(character: string): boolean {
    return this.#open.at(-1)?.close === character;
  }

  #close(scanner: Scanner): boolean {
    scanner.at += 1;
    if (this.#entry === '') this.#emit('{');
    this.#entry = undefined;
    this.#leave();
    return this.#endValue();
  }

  #leave(): void {
    this.#emit(this.#open.pop()?.kind === 'dict' ? '}' : ']');
  }

  #endValue(): true {
    this.#state = this.#open.length === 0 ? 'done' : 'after';
    return true;
  }

  /** A comma before all but the first element. */
  #separate(): void {
    const container = this.#open.at(-1);
    if (container === undefined) return;
    if (!container.empty) this.#emit(',');
    container.empty = false;
  }

  #openValue(scanner: Scanner, character: string): boolean {
    if (character === '[' || character === '(' || character === '{') return this.#openContainer(scanner, character);
    const quote = this.#findQuote(scanner);
    if (quote === 'more') return false;
    if (quote !== 'no') {
      if (this.#open.at(-1)?.kind !== 'dict') this.#separate();
      return this.#openString(scanner, quote, { key: false });
    }
    const word = this.#words.read(scanner, this.#afterHere(), this.#open.length === 0);
    if (word === 'more') return false;
    const json = word === 'no' ? undefined : jsonOfWord(word.text, { ...this.#options, syntax: this.#syntax });
    if (json === undefined || word === 'no') {
      this.#state = 'broken';
      return true;
    }
    if (this.#open.at(-1)?.kind !== 'dict') this.#separate();
    this.#emit(json);
    scanner.at = word.end;
    return this.#endValue();
  }

  #openContainer(scanner: Scanner, character: '[' | '(' | '{'): boolean {
    if (this.#open.length >= deepest) {
      this.#state = 'broken';
      return true;
    }
    if (this.#open.at(-1)?.kind !== 'dict') this.#separate();
    const dict = character === '{';
    const close = dict ? '}' : character === '[' ? ']' : ')';
    this.#open.push({ kind: dict ? 'dict' : 'list', close, empty: true });
    if (!dict) return this.#pass(scanner, true, 'value', '[');
    if (this.#syntax.positional) this.#entry = '';
    return this.#pass(scanner, true, 'key', this.#syntax.positional ? '' : '{');
  }

  /** After the first entry: a colon makes a dict, and a set, which JSON has none of, becomes a list. */
  #openBraces(scanner: Scanner, character: string): boolean {
    const entry = this.#entry ?? '';
    this.#entry = undefined;
    const container = this.#open.at(-1);
    if (container === undefined || character === ':') {
      this.#emit(`{${entry}`);
      return this.#pass(scanner, character === ':', 'value', ':');
    }
    container.kind = 'list';
    this.#emit(`[${entry}`);
    this.#options.repaired('A set was read as a list.');
    this.#state = 'after';
    return true;
  }

  /** A word that is a key, or the first element of a set. */
  #jsonOfKey(word: string, sign: string): string | undefined {
    if (this.#entry === undefined || sign === ':') return `"${escapeJson(word)}"`;
    return jsonOfWord(word, { ...this.#options, syntax: this.#syntax });
  }

  /** JSON text of a key, which waits where it is the first entry after a brace. */
  #emitKey(json: string): void {
    if (this.#entry === undefined) this.#emit(json);
    else this.#entry += json;
  }

  #openKey(scanner: Scanner): boolean {
    const quote = this.#findQuote(scanner);
    if (quote === 'more') return false;
    if (quote !== 'no') {
      this.#separate();
      return this.#openString(scanner, quote, { key: true });
    }
    const first = this.#entry !== undefined;
    const word = this.#words.read(scanner, { signs: first ? ':,}' : ':', ends: [] }, false);
    if (word === 'more') return false;
    const sign = word === 'no' ? word : scanner.afterSpace(word.end);
    if (sign === 'more') return false;
    const json = word === 'no' || sign === 'no' ? undefined : this.#jsonOfKey(word.text, scanner.text.charAt(sign));
    if (json === undefined || word === 'no') {
      this.#state = 'broken';
      return true;
    }
    this.#separate();
    this.#emitKey(json);
    scanner.at = word.end;
    this.#state = 'colon';
    return true;
  }

  /** A quote is here; in Python perhaps with a letter in front. */
  #findQuote(scanner: Scanner): { readonly quote: Quote; readonly end: number } | 'no' | 'more' {
    const { text, at } = scanner;
    const { quotes, positional } = this.#syntax;
    const prefixed = positional && 'rRbBuUfF'.includes(text.charAt(at));
    if (prefixed && scanner.wantsMore(at + 1)) return 'more';
    const index = prefixed ? at + 1 : at;
    const found = quotes.find(text, index, scanner.ended);
    if (typeof found === 'string') return found;
    const raw = prefixed && 'rR'.includes(text.charAt(at));
    return { quote: raw ? { ...found.value, escapes: false } : found.value, end: index + found.length };
  }

  #openString(
    scanner: Scanner,
    { quote, end }: { readonly quote: Quote; readonly end: number },
    { key }: { readonly key: boolean },
  ): true {
    const emit = (json: string) => (key ? this.#emitKey(json) : this.#emit(json));
    const keyed = this.#entry === undefined ? keyAfter : { signs: ':,}', ends: [], next: this.#lookEntry };
    emit('"');
    this.#string = new LiteralString(quote, { ...this.#options, after: key ? keyed : this.#afterHere(), emit });
    this.#isKey = key;
    scanner.at = end;
    this.#state = 'string';
    return true;
  }

  /** What may come after a value in the innermost container. */
  #afterHere(): After {
    const container = this.#open.at(-1);
    return container === undefined
      ? this.#options.after
      : { signs: `,${container.close}`, ends: this.#options.after.ends, next: this.#lookOut };
  }

  readonly #lookOut = (scanner: Scanner, index: number, sign: Sign): Ending => {
    const closers = this.#open.map(({ close }) => close);
    return lookOut(scanner, index, { ...sign, closers, after: this.#options.after });
  };

  readonly #lookEntry = (scanner: Scanner, index: number, sign: Sign): Ending =>
    sign.sign === ':' ? 'yes' : this.#lookOut(scanner, index, sign);

  #readString(scanner: Scanner): boolean {
    const progress = this.#string?.read(scanner);
    if (progress === 'more') return false;
    if (progress !== 'done') {
      this.#state = 'broken';
      return true;
    }
    if (this.#isKey) this.#emitKey('"');
    else this.#emit('"');
    this.#string = undefined;
    if (this.#open.length > 0) this.#options.listed();
    if (!this.#isKey) return this.#endValue();
    this.#state = 'colon';
    return true;
  }
}

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
interface Place extends Pick<LiteralValueOptions, 'mayHoldQuotes' | 'unquoted' | 'repaired'> {
  readonly syntax: LiteralSyntax;
}

/**
 * A word that is without quotation marks, as JSON text; undefined where it is none. In Python all are numbers and
 * constants. Where a bare word is a string, it is anything else by its schema.
 */
function jsonOfWord(word: string, { syntax, mayHoldQuotes, unquoted, repaired }: Place): string | undefined {
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
  const number = repairNumber(digits);
  if (number !== undefined || !isDigits(word)) return number;
  // What begins with a zero is no number of Python or JSON: a code or a date, which the schema types.
  repaired('A number that begins with a zero was read as text.');
  return `"${word}"`;
}

/** A number or a constant of JSON or Python. */
function isWord(word: string): boolean {
  return constants.has(word) || isJsonNumber(word);
}

/** A word or number longer than this is none. */
const longestWord = 1024;

/** Reads what is without quotation marks. */
class WordReader {
  readonly #syntax: LiteralSyntax;
  /** So many characters of the word that is here are looked at, and end it not. */
  #seen = 0;

  constructor(syntax: LiteralSyntax) {
    this.#syntax = syntax;
  }

  /** The word or number at the scanner, up to what may come after it. `whole`: it is all of a value. */
  read(
    scanner: Scanner,
    after: After,
    whole: boolean,
  ): { readonly text: string; readonly end: number } | 'no' | 'more' {
    const { text, at } = scanner;
    const seen = this.#seen;
    this.#seen = 0;
    for (let end = at + seen; end - at <= longestWord; end += 1) {
      const over = this.#endsAt(scanner, end, { ...after, whole });
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

  #endsAt(scanner: Scanner, end: number, { signs, ends, next, whole }: After & { readonly whole: boolean }): Look {
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
    // A comma before the closing bracket is part of the word, too.
    return sign === ',' && signs.includes(text.charAt(scanner.skipSpace(end + 1))) ? 'no' : 'yes';
  }
}
