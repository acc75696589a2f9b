import { endsInHalf, isPlainCharacter, skipSpace } from '../../json/json-characters.ts';
import { escapedAscii } from '../../json/json-escape.ts';
import type { Look } from '../../json/value-start.ts';

export type { Look } from '../../json/value-start.ts';

const ascii = 128;
const bitsOfOne = 16;

/** A set of UTF-16 units that texts are searched for. It is small: grammars that depend on the tools make many of them. */
export class CharacterSet {
  /** The units of ASCII, sixteen in each number. */
  readonly #bits = [0, 0, 0, 0, 0, 0, 0, 0];
  #wide: Set<number> | undefined;

  constructor(codes: Iterable<number> = []) {
    for (const code of codes) this.add(code);
  }

  add(code: number): void {
    if (code < ascii) this.#addBits(Math.floor(code / bitsOfOne), 1 << (code % bitsOfOne));
    else {
      this.#wide ??= new Set();
      this.#wide.add(code);
    }
  }

  /** Those of the other set, too. */
  addAll(other: CharacterSet): this {
    for (const [place, bits] of other.#bits.entries()) this.#addBits(place, bits);
    for (const code of other.#wide ?? []) this.add(code);
    return this;
  }

  /** These, and what is escaped in JSON. */
  withEscaped(): CharacterSet {
    return new CharacterSet().addAll(escaped).addAll(this);
  }

  has(code: number): boolean {
    return code < ascii ? isIn(this.#bits, code) : this.#wide?.has(code) === true;
  }

  /** Index of the first character from `from` on that is in the set, or else `to`. */
  find(text: string, from: number, to = text.length): number {
    const bits = this.#bits;
    const wide = this.#wide;
    for (let index = from; index < to; index += 1) {
      const code = text.charCodeAt(index);
      if (code < ascii ? isIn(bits, code) : wide?.has(code)) return index;
    }
    return to;
  }

  /** Is all of this text ASCII, and nothing of it in the set? */
  misses(text: string): boolean {
    const bits = this.#bits;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= ascii || isIn(bits, code)) return false;
    }
    return true;
  }

  #addBits(place: number, bits: number): void {
    this.#bits[place] = (this.#bits[place] ?? 0) | bits;
  }
}

const escaped = new CharacterSet(escapedAscii);

function isIn(bits: readonly number[], code: number): boolean {
  return (((bits[code >> 4] ?? 0) >> (code & 15)) & 1) === 1;
}

/**
 * In a literal: one to `longestSuffix` letters, digits, `_` or `-` of ASCII, whichever the model writes. It is no character
 * that a text may hold, and what follows it in a literal is none that it stands for, so that there is one way to match it.
 */
export const anySuffix = '\uffff';
const suffix = anySuffix.charCodeAt(0);

/** In characters. What is longer is no suffix. */
export const longestSuffix = 24;

/** What every spelling of the literal begins with, whatever the suffix. */
export function literalStart(literal: string): string {
  return literal.split(anySuffix, 1)[0] ?? '';
}

/** Index after the literal that is at `index`; `more` when what has arrived may still become it. */
export function afterLiteral(text: string, index: number, literal: string): number | 'no' | 'more' {
  let at = index;
  for (let read = 0; read < literal.length; read += 1) {
    if (at >= text.length) return 'more';
    const code = literal.charCodeAt(read);
    if (code !== suffix) {
      if (code !== text.charCodeAt(at)) return 'no';
      at += 1;
      continue;
    }
    const end = afterSuffix(text, at);
    if (end === at || end - at > longestSuffix) return 'no';
    if (end === text.length) return 'more';
    at = end;
  }
  return at;
}

/** Index after the suffix at `index`, or one more where it is too long. */
function afterSuffix(text: string, index: number): number {
  let end = index;
  while (end - index <= longestSuffix && end < text.length && isPlainCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** The first place from `from` on where the literal stands. */
export function findLiteral(
  text: string,
  literal: string,
  from: number,
): { readonly at: number; readonly end: number } | undefined {
  const first = literal.charAt(0);
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = afterLiteral(text, at, literal);
    if (typeof end === 'number') return { at, end };
  }
  return undefined;
}

/** The longest run of white space that a look-ahead crosses. Beyond it the answer is no, so that work stays linear. */
export const longestGap = 256;

/**
 * The text that has arrived and is not yet decided. The one owner of hold-back: whoever reads leaves `at` before
 * what it cannot decide, and finds it again at the start of `text` when more has come. A surrogate pair is never halved.
 */
export class Scanner {
  text = '';
  /** Index into `text` of the first character that is not consumed. */
  at = 0;
  /** No more input will come: every look answers yes or no. */
  ended = false;
  /** Nothing is added to what a reader sees: it looks at all of that now. */
  bounded = false;
  /** The input stopped short: what is open must not be taken for whole. */
  cut = false;
  #before = 0;
  #half = '';

  feed(chunk: string): void {
    let arrived = this.#half === '' ? chunk : this.#half + chunk;
    this.#half = '';
    if (endsInHalf(arrived)) {
      this.#half = arrived.slice(-1);
      arrived = arrived.slice(0, -1);
    }
    this.#before += this.at;
    const unread = this.at === 0 ? this.text : this.text.slice(this.at);
    this.text = unread === '' ? arrived : unread + arrived;
    this.at = 0;
  }

  /** All that has come is consumed. */
  get isEmpty(): boolean {
    return this.at === this.text.length && this.#half === '';
  }

  /** So much has come that somebody else has read, when all before it was consumed. */
  pass(length: number): void {
    this.#before += this.at + length;
    this.text = '';
    this.at = 0;
  }

  end(cut: boolean): void {
    this.text += this.#half; // a lone half is the model's own; it is passed on as it came
    this.#half = '';
    this.ended = true;
    this.cut = cut;
  }

  /** Puts text that was consumed before what is unread, to be read again. */
  giveBack(text: string): void {
    const unread = text + this.text.slice(this.at);
    this.#before += this.at - text.length;
    this.text = unread;
    this.at = 0;
  }

  /** Runs `read` as if only `length` more characters had arrived yet. */
  within<Result>(length: number, read: () => Result): Result {
    const { ended, bounded } = this;
    const end = this.at + length;
    const tail = this.text.slice(end);
    this.text = this.text.slice(0, end);
    this.ended = false;
    this.bounded = true;
    const result = read();
    this.text += tail;
    this.ended = ended;
    this.bounded = bounded;
    return result;
  }

  /** Offset of `index` in the whole reply, in UTF-16 units. */
  position(index = this.at): number {
    return this.#before + index;
  }

  /** Index of the first character from `index` on that is not white space, or the end of the text. */
  skipSpace(index: number): number {
    return skipSpace(this.text, index);
  }

  /**
   * Index after the white space that is at `index`: `no` when that is longer than a look-ahead crosses, `more` when
   * only further input can tell.
   */
  afterSpace(index: number): number | 'no' | 'more' {
    const next = this.skipSpace(index);
    if (next - index > longestGap) return 'no';
    return this.wantsMore(next) ? 'more' : next;
  }

  /** At `index` the text that has arrived is over, and more may come. */
  wantsMore(index: number): boolean {
    return index >= this.text.length && !this.ended;
  }
}

/** Is `literal` at `index`, character by character? */
export function look(scanner: Scanner, literal: string, index = scanner.at): Look {
  const end = after(scanner, index, literal);
  return typeof end === 'number' ? 'yes' : end;
}

/** Index after one of these literals that is at `from`, after white space. Consumes nothing. */
export function lookBehindSpace(
  scanner: Scanner,
  literals: readonly string[],
  from = scanner.at,
): number | 'no' | 'more' {
  if (literals.length === 0) return 'no';
  const next = scanner.afterSpace(from);
  return typeof next === 'string' ? next : lookFor(scanner, next, literals);
}

/** Index after one of these literals, of which none begins another, at `index`. In them `anySuffix` stands for any. */
export function lookFor(scanner: Scanner, index: number, literals: readonly string[]): number | 'no' | 'more' {
  let open: 'no' | 'more' = 'no';
  for (const literal of literals) {
    const end = after(scanner, index, literal);
    if (typeof end === 'number') return end;
    if (end === 'more') open = 'more';
  }
  return open;
}

/** Index after this literal at `index`. In it `anySuffix` stands for any. */
export function after(scanner: Scanner, index: number, literal: string): number | 'no' | 'more' {
  const end = afterLiteral(scanner.text, index, literal);
  return end === 'more' && scanner.ended ? 'no' : end;
}
