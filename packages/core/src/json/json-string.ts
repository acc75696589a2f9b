import { backslash, doubleQuote, isHexDigit, singleQuote } from './json-characters.ts';
import { escapeJson } from './json-escape.ts';
import type { Repair } from './json-reports.ts';
import type { QuoteEnd } from './reader-options.ts';
import type { SourceSlices } from './source-slices.ts';

/**
 * `plain`: characters; `escape`: after a backslash; `unicode`: within the four digits of `\u`; `waiting`: before a
 * quote of which more text tells whether it closes the string; `broken`: before one of which nothing does.
 */
type State = 'plain' | 'escape' | 'unicode' | 'closed' | 'waiting' | 'broken';

/** Whether a quote closes the string, of which `at` is the index after it. `held`: so many are in the string before it. */
export type QuoteEnds = (quote: { readonly text: string; readonly at: number; readonly held: number }) => QuoteEnd;

const everyOne: QuoteEnds = () => 'yes';

/** Whether JSON knows the escape of this character; `\u` is not among them. */
function isSimpleEscape(code: number): boolean {
  switch (code) {
    case doubleQuote:
    case backslash:
    case 0x2f: // slash
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return true;
    default:
      return false;
  }
}

/** Text of a string in double quotes that is JSON: no raw quote, no control character, and no escape but whole ones of one letter. */
export function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === doubleQuote) return false;
    if (code !== backslash) continue;
    index += 1;
    if (!isSimpleEscape(text.charCodeAt(index))) return false;
  }
  return true;
}

/**
 * Reads one string after the other, in double or single quotes, and edits slices so that what leaves is a JSON string.
 * Holds back only an escape that is not complete.
 */
export class JsonString {
  readonly #slices: SourceSlices;
  readonly #repaired: (repair: Repair) => void;
  #state: State = 'closed';
  #quote = doubleQuote;
  #digits = 0;
  readonly #quoteEnds: QuoteEnds;
  /** How many quotes it holds that nobody escaped. */
  #held = 0;

  constructor(slices: SourceSlices, repaired: (repair: Repair) => void, quoteEnds: QuoteEnds = everyOne) {
    this.#slices = slices;
    this.#repaired = repaired;
    this.#quoteEnds = quoteEnds;
  }

  get closed(): boolean {
    return this.#state === 'closed';
  }

  get broken(): boolean {
    return this.#state === 'broken';
  }

  /** Only more text than has come tells whether the quote before it closes the string. */
  get waiting(): boolean {
    return this.#state === 'waiting';
  }

  /** What `isPlain` allows leaves as it is written. */
  get plain(): boolean {
    return this.#state === 'plain' && this.#quote === doubleQuote;
  }

  /** Starts with the opening quote at `at` and returns the index after it. */
  open(quote: number, at: number): number {
    this.#state = 'plain';
    this.#quote = quote;
    this.#held = 0;
    if (quote === singleQuote) {
      this.#repaired('quotes');
      this.#slices.replace(at, at + 1, '"');
    }
    return at + 1;
  }

  /** Reads until the string closes or to `end`; returns the index after the last character it took. */
  read(text: string, at: number, end: number): number {
    let index = at;
    if (this.#state === 'waiting') this.#state = 'plain';
    while (index < end && !this.#stops) {
      switch (this.#state) {
        case 'plain':
          index = this.#plain(text, index, end);
          break;
        case 'escape':
          index = this.#escape(text, index);
          break;
        case 'unicode':
          index = this.#unicode(text, index);
          break;
      }
    }
    return index;
  }

  get #stops(): boolean {
    return this.#state === 'closed' || this.#state === 'waiting' || this.#state === 'broken';
  }

  #plain(text: string, at: number, end: number): number {
    let index = at;
    let code = 0;
    for (; index < end; index += 1) {
      code = text.charCodeAt(index);
      if (code < 0x20 || code === doubleQuote || code === backslash || code === this.#quote) break;
    }
    if (index === end) return end;
    if (code === this.#quote) {
      if (code === doubleQuote && !this.#closes(text, index)) return this.#stops ? index : index + 1;
      this.#state = 'closed';
      if (code === singleQuote) this.#slices.replace(index, index + 1, '"');
    } else if (code === backslash) {
      this.#slices.openToken(index);
      this.#state = 'escape';
    } else {
      // A double quote in single quotes is no control character, but part of what made those quotes wrong.
      if (code !== doubleQuote) this.#repaired('control');
      this.#slices.replace(index, index + 1, escapeJson(text.charAt(index)));
    }
    return index + 1;
  }

  /** Does the quote at `index` close the string? One that does not is escaped, or stops it. */
  #closes(text: string, index: number): boolean {
    const end = this.#quoteEnds({ text, at: index + 1, held: this.#held });
    if (end === 'yes') return true;
    if (end === 'more') this.#state = 'waiting';
    else if (end === 'unclear') this.#state = 'broken';
    else {
      this.#held += 1;
      this.#slices.replace(index, index + 1, '\\"');
    }
    return false;
  }

  #escape(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === 0x75) {
      this.#digits = 0;
      this.#state = 'unicode';
      return at + 1;
    }
    this.#state = 'plain';
    if (isSimpleEscape(code)) {
      this.#slices.keepToken();
      return at + 1;
    }
    if (code === singleQuote) {
      if (this.#quote === doubleQuote) this.#repaired('escape');
      this.#slices.replaceToken(at + 1, "'");
      return at + 1;
    }
    return this.#literally(at);
  }

  #unicode(text: string, at: number): number {
    if (!isHexDigit(text.charCodeAt(at))) {
      this.#state = 'plain';
      return this.#literally(at);
    }
    this.#digits += 1;
    if (this.#digits === 4) {
      this.#slices.keepToken();
      this.#state = 'plain';
    }
    return at + 1;
  }

  /** The open escape means nothing, so its backslash is one. What is at `at` is read afresh. */
  #literally(at: number): number {
    this.#repaired('escape');
    this.#slices.replaceToken(at, `\\${this.#slices.token(at)}`);
    return at;
  }
}
