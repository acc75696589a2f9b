/** Beyond so many keys they are hashed. */
const fewKeys = 8;

/** The keys of one object after the other, to find those that come twice. */
export class SeenKeys {
  /** Most objects have so few keys that looking through them is faster than hashing, and nothing is made for the next one. */
  readonly #few: string[] = [];
  #many: Set<string> | undefined;
  #length = 0;

  /** How long all remembered keys are, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  has(key: string): boolean {
    return this.#many?.has(key) ?? this.#few.includes(key);
  }

  add(key: string): void {
    this.#length += key.length;
    if (this.#many !== undefined) this.#many.add(key);
    else if (this.#few.push(key) > fewKeys) this.#many = new Set(this.#few);
  }

  /** Another object begins. */
  clear(): void {
    this.#few.length = 0;
    this.#many = undefined;
    this.#length = 0;
  }
}
