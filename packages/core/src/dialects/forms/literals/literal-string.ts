import { backslash, isDigit, isHexDigit, isLetter } from '../../../json/json-characters.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import { CharacterSet, type Look, look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { type After, type Ending, lookBehind, type Passed, type Quote } from './literal-syntax.ts';

/** What one letter after a backslash stands for, as JSON text. */
const letters: ReadonlyMap<string, string> = new Map([
  ['n', '\\n'],
  ['t', '\\t'],
  ['r', '\\r'],
  ['b', '\\b'],
  ['f', '\\f'],
  ['v', '\\u000b'],
  ['a', '\\u0007'],
  ['\\', '\\\\'],
  ['"', '\\"'],
  ["'", "'"],
  ['\n', ''],
]);

/** How many hexadecimal digits come after these letters. */
const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** How a whole call inside a string is known. */
export interface InnerCalls {
  readonly opens: (scanner: Scanner, index: number) => Look;
  readonly starts: readonly number[];
  readonly closers: readonly string[];
}

/** Where a string stands, and where it goes. */
export interface LiteralStringOptions {
  readonly after: After;
  readonly inner?: InnerCalls | undefined;
  /** What can be in no call: after it no later quotation mark ends the string. */
  readonly stops: readonly string[];
  /** Whether quotation marks may be in the string without escaping. Where they may not, the string is broken. */
  readonly mayHoldQuotes: () => boolean;
  readonly emit: (json: string) => void;
}

/** So far behind a quotation mark a later one is looked for that ends the string as well. */
const longestDoubt = 2048;

/** What comes before a quotation mark, and after it. */
interface Beside {
  readonly before: number;
  readonly after: number;
}

/**
 * Reads a string of a literal after its opening quote, and emits the inside of the same string in JSON while it comes. A
 * quote closes it only if what comes after it may follow there, up to the end of the call: strings that hold quotation
 * marks without escaping them are common. Of two that might close it the later one does, so that a string is never less
 * than what was written; where nobody can tell, it is broken. Where nothing can be escaped, a whole call is part of the
 * string, up to its closer: a file about calls holds some.
 */
export class LiteralString {
  /** All other characters are part of the string. */
  readonly #stops: CharacterSet;
  /** These, and what is escaped in JSON. */
  readonly #signs: CharacterSet;
  readonly #quote: Quote;
  readonly #options: LiteralStringOptions;
  readonly #inner: InnerCalls | undefined;
  #inCall = false;
  #passed: Passed = 'none';
  /** One of the quotes that were passed may have ended the string. */
  #unclear = false;
  /** The last character that was taken. */
  #last = 0;
  /** What this reading has taken, as JSON: it leaves at once, however many escapes there are in it. */
  #taken = '';
  /** Where in the reply the search for a later end goes on, or where it has found one. */
  #searchedTo = 0;
  #foundAt = -1;

  constructor(quote: Quote, options: LiteralStringOptions) {
    this.#quote = quote;
    this.#options = options;
    this.#inner = quote.escapes ? undefined : options.inner;
    this.#stops = new CharacterSet([quote.literal.charCodeAt(0), ...(this.#inner?.starts ?? [])]);
    if (quote.escapes) this.#stops.add(backslash);
    this.#signs = this.#stops.withEscaped();
  }

  /** As for a value that is open. */
  pass(text: string): boolean {
    const bare = this.#signs.misses(text);
    if (!bare && this.#stops.find(text, 0) < text.length) return false;
    this.#options.emit(bare ? text : escapeJson(text));
    this.#last = text.charCodeAt(text.length - 1);
    return true;
  }

  /** `done` after the closing quote. */
  read(scanner: Scanner): 'more' | 'done' | 'broken' {
    const progress = this.#read(scanner);
    if (this.#taken !== '') this.#options.emit(this.#taken);
    this.#taken = '';
    return progress;
  }

  #read(scanner: Scanner): 'more' | 'done' | 'broken' {
    const { text } = scanner;
    const first = this.#quote.literal.charCodeAt(0);
    for (let index = scanner.at; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === backslash && this.#quote.escapes) {
        this.#take(scanner, index);
        const end = this.#readEscape(scanner, index);
        if (end === 'more') return 'more';
        scanner.at = end;
        this.#last = 0;
        index = end - 1;
      } else if (code === first || (this.#inner !== undefined && this.#stops.has(code))) {
        const end = this.#closes(scanner, index);
        if (end === 'no') continue;
        this.#take(scanner, index);
        if (typeof end === 'string') return end;
        scanner.at = end;
        return 'done';
      }
    }
    this.#take(scanner, text.length);
    return 'more';
  }

  #take(scanner: Scanner, to: number): void {
    if (to <= scanner.at) return;
    this.#taken += escapeJson(scanner.text.slice(scanner.at, to));
    this.#last = scanner.text.charCodeAt(to - 1);
    scanner.at = to;
  }

  #closes(scanner: Scanner, index: number): number | 'no' | 'more' | 'broken' {
    const inCall = this.#inner === undefined ? 'no' : this.#lookCall(this.#inner, scanner, index);
    if (inCall !== 'no') return inCall === 'more' ? 'more' : 'no';
    const { literal } = this.#quote;
    const quote = look(scanner, literal, index);
    if (quote !== 'yes') return quote;
    const end = index + literal.length;
    const ending = this.#endingAt(scanner, end);
    switch (ending) {
      case 'yes':
        return this.#unclear ? 'broken' : end;
      case 'more':
        return 'more';
      case 'perhaps':
      case 'unclear':
      case 'no':
        return this.#pass(scanner, index, ending);
    }
  }

  /** Does the quote that ends at `end` close the string? Where only a later one can tell, that is looked for. */
  #endingAt(scanner: Scanner, end: number): Ending {
    const ending = lookBehind(scanner, end, { after: this.#options.after, passed: this.#passed });
    if (ending !== 'perhaps') return ending;
    const later = this.#findLater(scanner, end);
    if (later !== 'no') return later;
    // What the reply stopped short of may have been a later one.
    return scanner.cut ? 'unclear' : 'yes';
  }

  /** The quote at `index` belongs to the string. */
  #pass(scanner: Scanner, index: number, ending: Ending): 'no' | 'broken' {
    if (!this.#options.mayHoldQuotes()) return 'broken';
    const { text } = scanner;
    if (ending === 'unclear') this.#unclear = true;
    const before = index > scanner.at ? text.charCodeAt(index - 1) : this.#last;
    const end = index + this.#quote.literal.length;
    const after = text.charCodeAt(end);
    if (this.#passed === 'none') this.#passed = 'pairs';
    // A run of quotes ends with the one that counts, and an apostrophe is no half of a pair.
    if (after !== text.charCodeAt(index) && !isApostrophe({ before, after })) {
      this.#passed = this.#passed === 'odd' ? 'pairs' : 'odd';
    }
    return 'no';
  }

  /** Does a later quote than the one that ends at `end` close the string as well? Each place is looked at once. */
  #findLater(scanner: Scanner, end: number): 'perhaps' | 'unclear' | 'no' | 'more' {
    const { text } = scanner;
    const { literal, escapes } = this.#quote;
    const { after, stops } = this.#options;
    const start = scanner.position(0);
    if (this.#foundAt >= start + end) return 'perhaps';
    let index = Math.max(end, this.#searchedTo - start);
    const last = Math.min(text.length, end + longestDoubt);
    for (; index < last; index += 1) {
      const code = text.charCodeAt(index);
      if (escapes && code === backslash) {
        index += 1;
        continue;
      }
      const stop = lookFor(scanner, index, stops);
      if (typeof stop === 'number') return 'no';
      const quote = stop === 'more' ? stop : code === literal.charCodeAt(0) ? look(scanner, literal, index) : 'no';
      const ending = quote === 'yes' ? lookBehind(scanner, index + literal.length, { after, passed: 'none' }) : quote;
      if (ending === 'more') break;
      if (ending === 'no') continue;
      this.#foundAt = start + index;
      return 'perhaps';
    }
    this.#searchedTo = start + index;
    if (index < end + longestDoubt) return scanner.ended ? 'no' : 'more';
    return this.#passed === 'none' ? 'no' : 'unclear';
  }

  /** Is what is here part of a call inside the string? */
  #lookCall({ opens, closers }: InnerCalls, scanner: Scanner, index: number): Look {
    if (!this.#inCall) {
      const opening = opens(scanner, index);
      this.#inCall = opening === 'yes';
      return opening;
    }
    const closer = lookFor(scanner, index, closers);
    if (closer === 'more') return 'more';
    this.#inCall = closer === 'no';
    return 'yes';
  }

  /** Takes what the escape at `index` means; an unknown one means itself. Returns the index after it. */
  #readEscape(scanner: Scanner, index: number): number | 'more' {
    const { text } = scanner;
    if (scanner.wantsMore(index + 1)) return 'more';
    const letter = text.charAt(index + 1);
    const known = letters.get(letter);
    if (known !== undefined) {
      this.#taken += known;
      return index + 2;
    }
    const count = hexDigits.get(letter);
    const end = index + 2 + (count ?? 0);
    if (count !== undefined && scanner.wantsMore(end - 1)) return 'more';
    const digits = text.slice(index + 2, end);
    const point = count !== undefined && isHex(digits, count) ? Number.parseInt(digits, 16) : Number.NaN;
    if (point <= 0xffff) this.#taken += unicodeEscape(point);
    else if (point <= 0x10ffff) this.#taken += escapeJson(String.fromCodePoint(point));
    else this.#taken += '\\\\';
    return Number.isNaN(point) || point > 0x10ffff ? index + 1 : end;
  }
}

/** Two escapes may be the halves of one character, so each stays an escape. */
function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

function isHex(digits: string, count: number): boolean {
  return digits.length >= count && [...digits].every((digit) => isHexDigit(digit.charCodeAt(0)));
}

/** Letters or digits stand on both sides of it. */
function isApostrophe({ before, after }: Beside): boolean {
  return [before, after].every((code) => code > 127 || isLetter(code) || isDigit(code));
}
