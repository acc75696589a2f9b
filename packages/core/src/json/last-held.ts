/**
 * Collects what one read emits and lets it leave as one piece. The last character of a value that still lacks its outer
 * closer can stay back, so that what has left never looks complete too early.
 */
export class LastHeld {
  readonly #emit: (json: string) => void;
  #text = '';

  constructor(emit: (json: string) => void) {
    this.#emit = emit;
  }

  get held(): string {
    return this.#text;
  }

  add(json: string): void {
    this.#text += json;
  }

  leave(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#emit(text);
  }

  leaveButLast(): void {
    if (this.#text.length < 2) return;
    const last = this.#text.slice(-1);
    const text = this.#text.slice(0, -1);
    this.#text = last;
    this.#emit(text);
  }
}
