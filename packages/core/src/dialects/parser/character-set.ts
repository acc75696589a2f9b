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

  #addBits(place: number, bits: number): void {
    this.#bits[place] = (this.#bits[place] ?? 0) | bits;
  }
}

function isIn(bits: readonly number[], code: number): boolean {
  return (((bits[code >> 4] ?? 0) >> (code & 15)) & 1) === 1;
}
