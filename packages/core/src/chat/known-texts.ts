/** In UTF-16 units; what is made of shorter texts is usually made as fast as it is found. */
const usuallyShortest = 100;

/** UTF-16 units in one generation: of texts, and of what was made of them. */
const mostInGeneration = 2_000_000;

/**
 * So many units at the beginning of a text, behind what is written around results, and so many at each of so many places tell most
 * texts apart, without a look at all of it.
 */
const sample = { first: 80, units: 16, places: 3 };

/** Texts that look alike, of which the oldest goes first. */
const mostAlike = 16;

interface Known<Value> {
  /** As it came last: the very same string need not be compared. */
  text: string;
  readonly by: unknown;
  readonly value: Value;
}

/**
 * What was made of texts, found again by their content: an agent sends its whole history with every request, and only its end is new.
 * There are two generations of at most two million units each: what nobody asks for while the younger one fills is forgotten with the
 * elder one. A text says the same for whoever said it, so nothing of one client reaches another.
 */
export class KnownTexts<Value> {
  /** By what texts look like. */
  #young = new Map<number, Known<Value>[]>();
  #old = new Map<number, Known<Value>[]>();
  #units = 0;
  #oldUnits = 0;
  readonly #sizeOf: (value: Value, text: string) => number;
  readonly #shortest: number;

  /** `sizeOf`: units that a value takes beside its text. */
  constructor(sizeOf: (value: Value, text: string) => number, shortest = usuallyShortest) {
    this.#sizeOf = sizeOf;
    this.#shortest = shortest;
  }

  /** What was made of this very text by the same; else what `make` makes of it. */
  of(text: string, make: () => Value, by?: unknown): Value {
    if (text.length < this.#shortest) return make();
    const known = this.find(text, by);
    if (known !== undefined) return known;
    const value = make();
    this.keep(text, value, by);
    return value;
  }

  /** What is known of this very text. */
  find(text: string, by?: unknown): Value | undefined {
    const key = sampleOf(text);
    const same = (each: Known<Value>) => each.text === text && each.by === by;
    const young = this.#young.get(key)?.find(same);
    const known = young ?? this.#old.get(key)?.find(same);
    if (known === undefined) return undefined;
    known.text = text;
    if (young === undefined) this.#keep(key, known);
    return known.value;
  }

  /** Holds the text itself, and all that it was cut out of. */
  keep(text: string, value: Value, by?: unknown): void {
    if (text.length <= mostInGeneration) this.#keep(sampleOf(text), { text, by, value });
  }

  /** UTF-16 units of all that is held. */
  get units(): number {
    return this.#units + this.#oldUnits;
  }

  #keep(key: number, known: Known<Value>): void {
    const units = this.#unitsOf(known);
    if (this.#units + units > mostInGeneration) {
      this.#old = this.#young;
      this.#oldUnits = this.#units;
      this.#young = new Map();
      this.#units = 0;
    }
    const alike = this.#young.get(key);
    if (alike === undefined) this.#young.set(key, [known]);
    else alike.push(known);
    const oldest = alike !== undefined && alike.length > mostAlike ? alike.shift() : undefined;
    this.#units += units - (oldest === undefined ? 0 : this.#unitsOf(oldest));
  }

  #unitsOf({ text, value }: Known<Value>): number {
    return text.length + this.#sizeOf(value, text);
  }
}

/** What a text looks like: a number, as a string would be made and hashed for each look. */
export function sampleOf(text: string): number {
  const step = Math.max(0, Math.floor((text.length - sample.units) / sample.places));
  let key = text.length;
  for (let place = 0; place <= sample.places; place += 1) {
    const start = place * step;
    const end = Math.min(start + (place === 0 ? sample.first : sample.units), text.length);
    for (let at = start; at < end; at += 1) key = Math.imul(key ^ text.charCodeAt(at), 0x01000193);
  }
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
