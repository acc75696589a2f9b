import { backslash, doubleQuote, isHexDigit, singleQuote } from './json-characters.ts';
import { escapeJson } from './json-escape.ts';
import type { Repair } from './json-repairs.ts';
import type { SourceSlices } from './source-slices.ts';

/** `plain`: characters; `escape`: after a backslash; `unicode`: within the four digits of `\u`. */
type State = 'plain' | 'escape' | 'unicode' | 'closed';

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

/**
 * Reads one string after the other, in double or single quotes, and edits slices so that what leaves is a JSON string.
 * Holds back only an escape that is not complete.
 */
export class JsonString {
  readonly #slices: SourceSlices;
  readonly #mended: (repair: Repair) => void;
  #state: State = 'closed';
  #quote = doubleQuote;
  #digits = 0;
  /** The character in front of the place that is read; 0 at the start of the string. */
  #last = 0;

  constructor(slices: SourceSlices, mended: (repair: Repair) => void) {
    this.#slices = slices;
    this.#mended = mended;
  }

  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** The character in front of the closing quote; 0 for an empty string. */
  get last(): number {
    return this.#last;
  }

  /** It stands in double quotes. */
  get isDouble(): boolean {
    return this.#quote === doubleQuote;
  }

  /** The quote that has closed it is part of it. */
  reopen(): void {
    this.#state = 'plain';
    this.#last = doubleQuote;
  }

  /** Starts with the opening quote at `at` and returns the index after it. */
  open(quote: number, at: number): number {
    this.#state = 'plain';
    this.#last = 0;
    this.#quote = quote;
    if (quote === singleQuote) {
      this.#mended('quotes');
      this.#slices.replace(at, at + 1, '"');
    }
    return at + 1;
  }

  /** Reads until the string closes or to `end`; returns the index after the last character it took. */
  read(text: string, at: number, end: number): number {
    let index = at;
    while (index < end && this.#state !== 'closed') {
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

  #plain(text: string, at: number, end: number): number {
    let index = at;
    let code = 0;
    for (; index < end; index += 1) {
      code = text.charCodeAt(index);
      if (code < 0x20 || code === doubleQuote || code === backslash || code === this.#quote) break;
    }
    if (index > at) this.#last = text.charCodeAt(index - 1);
    if (index === end) return end;
    if (code === this.#quote) {
      this.#state = 'closed';
      if (code === singleQuote) this.#slices.replace(index, index + 1, '"');
    } else if (code === backslash) {
      this.#slices.openToken(index);
      this.#last = backslash;
      this.#state = 'escape';
    } else {
      // A double quote in single quotes is no control character, but part of what made those quotes wrong.
      if (code !== doubleQuote) this.#mended('control');
      this.#slices.replace(index, index + 1, escapeJson(text.charAt(index)));
      this.#last = code;
    }
    return index + 1;
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
      if (this.#quote === doubleQuote) this.#mended('escape');
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

  /** The open escape means nothing, so its backslash is one. What stands at `at` is read afresh. */
  #literally(at: number): number {
    this.#mended('escape');
    this.#slices.replaceToken(at, `\\${this.#slices.token(at)}`);
    return at;
  }
}
