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
