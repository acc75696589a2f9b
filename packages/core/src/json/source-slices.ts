/** What happens to a captured range: `copy` leaves and is remembered, `hold` is only remembered, `drop` neither. */
export type Capture = 'copy' | 'hold' | 'drop';

/**
 * Copies source text in slices as long as possible, with replacements where it has to differ. Per read: `open`, any
 * number of edits from left to right, `close`.
 *
 * A token is a short range that may still have to be replaced: it is held back over reads until `keepToken` or
 * `replaceToken`. A capture remembers what a range became, replacements included.
 */
export class SourceSlices {
  #text = '';
  /** Start of the source that is not yet in `#out`. */
  #from = 0;
  #out = '';
  #tokenOpen = false;
  #tokenAt = 0;
  /** What earlier reads brought of the open token. */
  #held = '';
  #capture: Capture | 'none' = 'none';
  /** What came before the capture in this read. */
  #before = '';
  #captured = '';

  open(text: string, at: number): void {
    this.#text = text;
    this.#from = at;
    this.#tokenAt = at;
    this.#out = '';
    this.#before = '';
  }

  /** Ends a read that came to `at` and returns what may leave. */
  close(at: number): string {
    this.#advance(this.#tokenOpen ? this.#tokenAt : at);
    if (this.#tokenOpen) this.#held += this.#text.slice(this.#tokenAt, at);
    this.#text = '';
    if (this.#capture === 'none') return this.#out;
    if (this.#capture !== 'drop') this.#captured += this.#out;
    return this.#capture === 'copy' ? this.#before + this.#out : this.#before;
  }

  /** Between reads: what was read and has not left, as far as it is decided. */
  get held(): string {
    return (this.#capture === 'hold' ? this.#captured : '') + this.#held;
  }

  /** Source from `at` to `end` becomes `replacement`. */
  replace(at: number, end: number, replacement: string): void {
    this.#advance(at);
    this.#out += replacement;
    this.#from = end;
  }

  /** Source from `at` to `end` is left out, also out of an open token. */
  skip(at: number, end: number): void {
    if (!this.#tokenOpen) {
      this.replace(at, end, '');
      return;
    }
    this.#advance(this.#tokenAt);
    this.#held += this.#text.slice(this.#tokenAt, at);
    this.#tokenAt = end;
    this.#from = end;
  }

  openToken(at: number): void {
    this.#tokenOpen = true;
    this.#tokenAt = at;
  }

  /** The open token as far as it was read. */
  token(at: number): string {
    return this.#held + this.#text.slice(this.#tokenAt, at);
  }

  /** How long the open token is at `at`. */
  tokenLength(at: number): number {
    return this.#held.length + at - this.#tokenAt;
  }

  /** The token is as it was written. */
  keepToken(): void {
    // A token from an earlier read is the first thing in this one.
    this.#out += this.#held;
    this.#held = '';
    this.#tokenOpen = false;
  }

  /** The token ends before `end` and becomes `replacement`. */
  replaceToken(end: number, replacement: string): void {
    this.#tokenOpen = false;
    this.#held = '';
    this.replace(this.#tokenAt, end, replacement);
  }

  startCapture(at: number, capture: Capture): void {
    this.#advance(at);
    this.#before = this.#out;
    this.#out = '';
    this.#captured = '';
    this.#capture = capture;
  }

  /** Ends the capture before `end` and returns it, if it is remembered. */
  endCapture(end: number): string {
    this.#advance(end);
    const captured = this.#captured + this.#out;
    this.#out = this.#capture === 'copy' ? this.#before + this.#out : this.#before;
    this.#before = '';
    this.#captured = '';
    this.#capture = 'none';
    return captured;
  }

  #advance(at: number): void {
    if (at > this.#from) this.#out += this.#text.slice(this.#from, at);
    this.#from = Math.max(this.#from, at);
  }
}
