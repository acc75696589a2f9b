/** What the value holds so far. */
type State =
  /** No reference: what comes leaves as it is. */
  | 'plain'
  /** A reference, and nothing that shows that the value is not escaped: all from there on is held. */
  | 'held'
  /** A raw `<`, `>` or `&`, or too much was held: everything leaves as it is. */
  | 'raw';

const named: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** From the `&` to the `;`: `&#1114111;` is the longest. */
const longestReference = 10;

/** So much is held at most, in UTF-16 units from the first reference on; a longer value stays raw. */
const mostHeld = 256 * 1024;

const less = 60;
const greater = 62;
const ampersand = 38;

/**
 * Decodes the character references of a value once, if it is escaped throughout: it holds references, and no raw `<`, `>` or
 * bare `&`. Any other value leaves as it is written. What stands in front of the first reference never waits. What
 * leaves depends on the value alone, not on how it was cut.
 */
export class EntityText {
  readonly #emit: (text: string) => void;
  #state: State = 'plain';
  /** What has come from the first reference on. */
  #held: string[] = [];
  #heldLength = 0;
  /** An `&` with what stands behind it, which may become a reference. */
  #open = '';

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    this.#read(this.#open + text, false);
  }

  /** Returns whether the value was decoded. */
  end(): boolean {
    this.#read(this.#open, true);
    if (this.#state !== 'held') return false;
    this.#emit(decode(this.#held.join('')));
    return true;
  }

  #read(text: string, ended: boolean): void {
    let from = 0;
    let at = 0;
    while (this.#state !== 'raw' && at < text.length) {
      const next = this.#look(text, { at, held: this.#heldLength + at - from });
      if (next === 'more' && !ended) break;
      if (typeof next === 'string') this.#state = 'raw';
      else {
        if (this.#state === 'plain' && text.charCodeAt(at) === ampersand) {
          this.#let(text.slice(from, at));
          this.#state = 'held';
          from = at;
        }
        at = next;
      }
    }
    this.#open = this.#state === 'raw' ? '' : text.slice(at);
    this.#take(this.#state === 'raw' ? text.slice(from) : text.slice(from, at));
  }

  /** The index behind the character or reference at `at`; `no` where it shows that the value is not escaped throughout. */
  #look(text: string, { at, held }: { readonly at: number; readonly held: number }): number | 'no' | 'more' {
    const code = text.charCodeAt(at);
    if (code === less || code === greater) return 'no';
    if (this.#state === 'held' && held >= mostHeld) return 'no';
    if (code !== ampersand) return at + 1;
    const reference = readReference(text, at);
    return typeof reference === 'string' ? reference : at + reference.length;
  }

  #take(text: string): void {
    if (this.#state === 'held') {
      this.#held.push(text);
      this.#heldLength += text.length;
      return;
    }
    this.#let(this.#held.join(''));
    this.#held = [];
    this.#let(text);
  }

  #let(text: string): void {
    if (text !== '') this.#emit(text);
  }
}

interface Reference {
  readonly text: string;
  readonly length: number;
}

/** The reference at `index`, where an `&` stands. */
function readReference(text: string, index: number): Reference | 'no' | 'more' {
  const length = text.slice(index, index + longestReference).indexOf(';');
  if (length < 0) return text.length - index < longestReference ? 'more' : 'no';
  const end = index + length;
  const name = text.slice(index + 1, end);
  const character = name.startsWith('#') ? numbered(name.slice(1)) : named.get(name);
  return character === undefined ? 'no' : { text: character, length: end + 1 - index };
}

function numbered(digits: string): string | undefined {
  const isHex = digits.startsWith('x') || digits.startsWith('X');
  const shown = isHex ? digits.slice(1) : digits;
  const allowed = isHex ? '0123456789abcdefABCDEF' : '0123456789';
  if (shown === '') return undefined;
  for (const digit of shown) if (!allowed.includes(digit)) return undefined;
  const code = Number.parseInt(shown, isHex ? 16 : 10);
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}

function decode(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const reference = readReference(text, at);
    if (typeof reference === 'string') continue;
    pieces.push(text.slice(done, at), reference.text);
    done = at + reference.length;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** A whole value, decoded by the same rule. */
export function decodeEntities(text: string): string {
  const pieces: string[] = [];
  const reader = new EntityText((piece) => pieces.push(piece));
  reader.push(text);
  reader.end();
  return pieces.join('');
}
