/** In UTF-16 units; what is made of shorter texts is made as fast as it is found. */
const shortest = 100;

/** UTF-16 units in one generation: of texts, and of what was made of them. */
const mostInGeneration = 4_000_000;

/**
 * So many units at the beginning of a text, behind what is written around results, and so many at each of so many places tell most
 * texts apart, without a look at all of it.
 */
const sample = { first: 80, units: 16, places: 3 };

interface Known<Value> {
  readonly text: string;
  readonly by: unknown;
  readonly value: Value;
}

/**
 * What was made of texts, found again by their content: an agent sends its whole history with every request, and only its end is new.
 * There are two generations of at most four million units each: what nobody asks for while the younger one fills is forgotten with the
 * elder one. A text says the same for whoever said it, so nothing of one client reaches another.
 */
export class KnownTexts<Value> {
  /** Of texts that look alike the last one. */
  #young = new Map<string, Known<Value>>();
  #old = new Map<string, Known<Value>>();
  #units = 0;
  #oldUnits = 0;
  readonly #sizeOf: (value: Value, text: string) => number;

  /** `sizeOf`: units that a value takes beside its text. */
  constructor(sizeOf: (value: Value, text: string) => number) {
    this.#sizeOf = sizeOf;
  }

  /** What was made of this very text by the same; else what `make` makes of it. */
  of(text: string, make: () => Value, by?: unknown): Value {
    if (text.length < shortest || text.length > mostInGeneration) return make();
    const key = sampleOf(text);
    const young = this.#young.get(key);
    if (young?.text === text && young.by === by) return young.value;
    const old = this.#old.get(key);
    const value = old?.text === text && old.by === by ? old.value : make();
    this.#keep(key, { text, by, value });
    return value;
  }

  /** UTF-16 units of all that is held. */
  get units(): number {
    return this.#units + this.#oldUnits;
  }

  #keep(key: string, known: Known<Value>): void {
    const units = this.#unitsOf(known);
    if (this.#units + units > mostInGeneration) {
      this.#old = this.#young;
      this.#oldUnits = this.#units;
      this.#young = new Map();
      this.#units = 0;
    }
    const before = this.#young.get(key);
    this.#young.set(key, known);
    this.#units += units - (before === undefined ? 0 : this.#unitsOf(before));
  }

  #unitsOf({ text, value }: Known<Value>): number {
    return text.length + this.#sizeOf(value, text);
  }
}

function sampleOf(text: string): string {
  const step = Math.floor((text.length - sample.units) / sample.places);
  let key = `${text.length} ${text.slice(0, sample.first)}`;
  for (let at = step; at + sample.units <= text.length; at += step) key += text.slice(at, at + sample.units);
  return key;
}

/** Remembers what was made last, by what it was made of. */
export class Remembered<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of `key`; `make` is called when it is not remembered. */
  of(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    // Asked for again, it becomes the newest; the oldest goes first.
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
