import type { Marker } from '../grammar.ts';
import type { AroundCalls } from './around-calls.ts';

/** What a closer may close. */
export type CloserOf = Extract<Marker, { readonly kind: 'closer' }>['of'];

/** What is open around visible text: sections of calls, which their forms follow, and blocks that were delivered as text and are still to be closed. */
export class OpenBlocks {
  readonly #around: AroundCalls | undefined;
  /** Closers to come of what was delivered as text (a broken block, an opener that opens nothing): they are text too. */
  #strays = 0;
  /** A broken block held openers of calls: nothing fires until all of them are closed. */
  #inBroken = false;
  /** The last closer that was text, by offset in the reply. */
  #text = { from: 0, to: 0 };

  constructor(around: AroundCalls | undefined) {
    this.#around = around;
  }

  /** Nothing fires here. */
  get inBroken(): boolean {
    return this.#inBroken;
  }

  /** A block was delivered as text; so many closers of it are still to come. */
  breakOff(strays: number): void {
    this.#strays = strays;
    this.#inBroken = strays > 1;
  }

  /** An opener inside a broken block has a closer, too. */
  nest(): void {
    this.#strays += 1;
  }

  /** An opener opens nothing: its closer is text. */
  leaveOpen(): void {
    this.#strays = Math.max(1, this.#strays);
  }

  /** A closer of this length was text. */
  passText(from: number, length: number): void {
    this.#text = { from, to: from + length };
  }

  /** Does this offset lie inside a closer that was text? A shorter one there, such as a tag after its token, is text with it. */
  isInText(at: number): boolean {
    return at > this.#text.from && at < this.#text.to;
  }

  /** Whether something is open that such a closer may close. */
  awaits(of: CloserOf): boolean {
    return this.#strays > 0 || this.#closesSection(of);
  }

  /** What a closer closes: a section, which the caller closes, a block that is text, or nothing. */
  close(of: CloserOf): 'section' | 'text' | 'nothing' {
    if (this.#closesSection(of)) return 'section';
    if (of === 'section' || this.#strays === 0) return 'nothing';
    if (of !== 'value') this.#strays -= 1;
    this.#inBroken &&= this.#strays > 0;
    return 'text';
  }

  #closesSection(of: CloserOf): boolean {
    return this.#around?.mayClose(of, this.#strays > 0) ?? false;
  }
}
