import { backslash, continuesName, doubleQuote, isHexDigit, singleQuote } from './json-characters.ts';
import { type NumberState, numberMayEnd, numberStep } from './json-number.ts';
import type { JsonRepair } from './json-reports.ts';
import type { QuoteEnd } from './reader-options.ts';
import type { SourceSlices } from './source-slices.ts';
import { escapes } from './string-decoder.ts';

/**
 * Of a string, `plain`: characters; `escape`: after a backslash; `unicode`: within the four digits of `\u`; `waiting`: before a
 * quote of which more text tells whether it closes the string. `name`: a key without quotes; `word`: one of the six. `broken`:
 * before a character that cannot continue it, or a quote of which nothing tells whether it closes the string.
 */
type State = 'plain' | 'escape' | 'unicode' | 'waiting' | 'name' | 'number' | 'word' | 'done' | 'broken';

/** Whether a quote closes the string, of which `at` is the index after it. `held`: so many are in the string before it. */
export type QuoteEnds = (quote: { readonly text: string; readonly at: number; readonly held: number }) => QuoteEnd;

/** What JSON calls the words without quotes, with what Python calls them. */
export const jsonWords: ReadonlyMap<string, 'true' | 'false' | 'null'> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/** The words by their first characters. */
const words: ReadonlyMap<number, string> = new Map([...jsonWords.keys()].map((word) => [word.charCodeAt(0), word]));

/** Whether a value without members can start with this character. */
export function startsLeaf(code: number): boolean {
  return isQuote(code) || startsScalar(code);
}

/** Whether a number or one of the words can start with this character. */
export function startsScalar(code: number): boolean {
  return words.has(code) || numberStep('start', code) !== 'stop';
}

/** Either quotation mark. */
export function isQuote(code: number): boolean {
  return code === doubleQuote || code === singleQuote;
}

/** Whether JSON knows the escape of this character; `\u` is not among them. */
function isSimpleEscape(code: number): boolean {
  return code !== singleQuote && escapes.has(code);
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
 * Reads what has no members, one after the other: strings in double or single quotes, keys without quotes, numbers, `true`,
 * `false`, `null` and their Python spellings. Edits slices so that what leaves is JSON. Holds back numbers and words until they
 * are complete, and of strings only an escape that is not.
 */
export class JsonToken {
  readonly #slices: SourceSlices;
  readonly #repaired: (repair: JsonRepair) => void;
  readonly #quoteEnds: QuoteEnds;
  #state: State = 'done';
  /** How many more characters it may have. */
  #room = 0;
  #quote = doubleQuote;
  #digits = 0;
  /** How many quotes the string holds that nobody escaped. */
  #held = 0;
  #number: NumberState = 'stop';
  #word = '';
  #matched = 0;

  constructor(
    slices: SourceSlices,
    { repaired, quoteEnds }: { readonly repaired: (repair: JsonRepair) => void; readonly quoteEnds: QuoteEnds },
  ) {
    this.#slices = slices;
    this.#repaired = repaired;
    this.#quoteEnds = quoteEnds;
  }

  get done(): boolean {
    return this.#state === 'done';
  }

  get broken(): boolean {
    return this.#state === 'broken';
  }

  /** Only more text than has come tells whether the quote before it closes the string. */
  get waiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Within a string of which leaves what `isPlain` allows as it is written. */
  get plain(): boolean {
    return this.#state === 'plain' && this.#quote === doubleQuote;
  }

  /**
   * Starts with the character at `at`, which `startsLeaf` or `startsName` allows, and returns the index from which it is read
   * on. With more characters than `room` it is broken.
   */
  open(code: number, at: number, { isKey, room }: { readonly isKey: boolean; readonly room: number }): number {
    this.#room = room;
    if (isQuote(code)) this.#openString(code, at);
    else if (isKey) {
      this.#repaired('key');
      this.#slices.replace(at, at, '"');
      this.#state = 'name';
      return at;
    } else {
      this.#slices.openToken(at);
      this.#word = words.get(code) ?? '';
      this.#matched = 1;
      this.#number = numberStep('start', code);
      this.#state = this.#word === '' ? 'number' : 'word';
    }
    return at + 1;
  }

  #openString(quote: number, at: number): void {
    this.#state = 'plain';
    this.#quote = quote;
    this.#held = 0;
    if (quote === doubleQuote) return;
    this.#repaired('quotes');
    this.#slices.replace(at, at + 1, '"');
  }

  /** Reads until it is done, broken or waits; returns the index after the last character that belongs to it. */
  read(text: string, at: number): number {
    const end = Math.min(text.length, at + this.#room);
    let index = at;
    if (this.#state === 'waiting') this.#state = 'plain';
    while (index < end && !this.#stops) index = this.#step(text, index, end);
    this.#room -= index - at;
    if (index < text.length && !this.#stops) this.#state = 'broken';
    return index;
  }

  /** The input is over, which may complete a number. */
  end(): void {
    if (this.#state === 'number' && numberMayEnd(this.#number)) this.#keep();
  }

  get #stops(): boolean {
    return this.#state === 'done' || this.#state === 'waiting' || this.#state === 'broken';
  }

  #step(text: string, at: number, end: number): number {
    switch (this.#state) {
      case 'plain':
        return this.#plain(text, at, end);
      case 'escape':
        return this.#escape(text, at);
      case 'unicode':
        return this.#unicode(text, at);
      case 'name':
        return this.#name(text, at, end);
      case 'number':
        return this.#digit(text.charCodeAt(at), at);
      default:
        return this.#letter(text.charCodeAt(at), at);
    }
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
      this.#state = 'done';
      if (code === singleQuote) this.#slices.replace(index, index + 1, '"');
    } else if (code === backslash) {
      this.#slices.openToken(index);
      this.#state = 'escape';
    } else {
      // A double quote in single quotes is no control character, but part of what made those quotes wrong.
      if (code !== doubleQuote) this.#repaired('control');
      this.#slices.replace(index, index + 1, JSON.stringify(text.charAt(index)).slice(1, -1));
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

  #name(text: string, at: number, end: number): number {
    let index = at;
    while (index < end && continuesName(text.charCodeAt(index))) index += 1;
    if (index < end) {
      this.#slices.replace(index, index, '"');
      this.#state = 'done';
    }
    return index;
  }

  #digit(code: number, at: number): number {
    const next = numberStep(this.#number, code);
    if (next !== 'stop') {
      this.#number = next;
      return at + 1;
    }
    if (numberMayEnd(this.#number)) this.#keep();
    else this.#state = 'broken';
    return at;
  }

  #letter(code: number, at: number): number {
    if (code !== this.#word.charCodeAt(this.#matched)) {
      this.#state = 'broken';
      return at;
    }
    this.#matched += 1;
    if (this.#matched === this.#word.length) this.#endWord(at + 1);
    return at + 1;
  }

  #endWord(end: number): void {
    const json = jsonWords.get(this.#word) ?? '';
    if (json === this.#word) this.#keep();
    else {
      this.#repaired('word');
      this.#slices.replaceToken(end, json);
      this.#state = 'done';
    }
  }

  #keep(): void {
    this.#slices.keepToken();
    this.#state = 'done';
  }
}
