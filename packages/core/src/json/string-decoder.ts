import { backslash, doubleQuote, isHexDigit, singleQuote } from './json-characters.ts';

/** `plain`: characters; `escape`: after a backslash; `unicode`: within the four digits of `\u`. */
type State = 'plain' | 'escape' | 'unicode' | 'closed';

/** What follows a backslash in JSON, but for `u`, and the single quote, with what it stands for. */
export const escapes: ReadonlyMap<number, string> = new Map([
  [doubleQuote, '"'],
  [singleQuote, "'"],
  [backslash, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);

/**
 * Decodes the inside of a JSON string as it arrives, one range at a time. Raw control characters stand for themselves,
 * an unknown escape is kept as written.
 */
export class StringDecoder {
  readonly #quote: number;
  #state: State = 'plain';
  #digits = '';
  #piece = '';
  #verbatim = false;

  /** `quote` is the character that opened the string and closes it. */
  constructor(quote: number) {
    this.#quote = quote;
  }

  /** The closing quote was the last character read. */
  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** What the last `read` decoded. */
  get piece(): string {
    return this.#piece;
  }

  /** Whether `piece` is what was written, character for character. */
  get verbatim(): boolean {
    return this.#verbatim;
  }

  /** Reads one range of plain characters or one part of an escape; returns the index after it. */
  read(text: string, at: number): number {
    this.#piece = '';
    this.#verbatim = false;
    switch (this.#state) {
      case 'plain':
        return this.#plain(text, at);
      case 'escape':
        return this.#escape(text, at);
      case 'unicode':
        return this.#unicode(text, at);
      case 'closed':
        return at;
    }
  }

  #plain(text: string, at: number): number {
    let index = at;
    let code = 0;
    for (; index < text.length; index += 1) {
      code = text.charCodeAt(index);
      if (code === backslash || code === this.#quote) break;
    }
    if (index > at) {
      this.#piece = text.slice(at, index);
      this.#verbatim = true;
      return index;
    }
    this.#state = code === backslash ? 'escape' : 'closed';
    return index + 1;
  }

  #escape(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === 0x75) {
      this.#digits = '';
      this.#state = 'unicode';
      return at + 1;
    }
    this.#state = 'plain';
    const character = escapes.get(code);
    this.#piece = character ?? '\\';
    return character === undefined ? at : at + 1;
  }

  #unicode(text: string, at: number): number {
    if (!isHexDigit(text.charCodeAt(at))) {
      this.#state = 'plain';
      this.#piece = `\\u${this.#digits}`;
      return at;
    }
    this.#digits += text.charAt(at);
    if (this.#digits.length === 4) {
      this.#state = 'plain';
      this.#piece = String.fromCharCode(Number.parseInt(this.#digits, 16));
    }
    return at + 1;
  }
}
