import { backslash, doubleQuote, endsInHalf, isHexDigit, singleQuote } from './json-characters.ts';

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
  /** The first half of a pair, whose second one has not come to `readOn`. */
  half = '';
  readonly #quote: number;
  /** What has come of an open escape, from its backslash on. */
  #escape = '';
  #piece = '';
  #closed = false;

  /** `quote` is the character that opened the string and closes it. */
  constructor(quote: number) {
    this.#quote = quote;
  }

  /** The closing quote was the last character read. */
  get closed(): boolean {
    return this.#closed;
  }

  /** What the last `read` or `readOn` decoded. */
  get piece(): string {
    return this.#piece;
  }

  /** Reads one range of plain characters or one part of an escape; returns the index after it. */
  read(text: string, at: number): number {
    this.#piece = '';
    if (this.#closed) return at;
    return this.#escape === '' ? this.#plain(text, at) : this.#inEscape(text, at);
  }

  /** Reads up to the end of the string or of the text; returns the index after it. A pair is decoded in one piece. */
  readOn(text: string): number {
    let decoded = this.half;
    let index = 0;
    while (index < text.length && !this.#closed) {
      index = this.read(text, index);
      decoded += this.#piece;
    }
    const end = !this.#closed && endsInHalf(decoded) ? decoded.length - 1 : decoded.length;
    this.half = decoded.slice(end);
    this.#piece = decoded.slice(0, end);
    return index;
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
      return index;
    }
    if (code === backslash) this.#escape = '\\';
    else this.#closed = true;
    return index + 1;
  }

  #inEscape(text: string, at: number): number {
    const code = text.charCodeAt(at);
    const isFirst = this.#escape.length === 1;
    const character = isFirst ? escapes.get(code) : undefined;
    const goesOn = isFirst ? code === 0x75 : isHexDigit(code);
    if (goesOn) {
      this.#escape += text.charAt(at);
      if (this.#escape.length === longestEscape) this.#leave(String.fromCharCode(Number(`0x${this.#escape.slice(2)}`)));
      return at + 1;
    }
    this.#leave(character ?? this.#escape);
    return character === undefined ? at : at + 1;
  }

  #leave(piece: string): void {
    this.#piece = piece;
    this.#escape = '';
  }
}

/** `\u` with its four digits. */
const longestEscape = 6;
