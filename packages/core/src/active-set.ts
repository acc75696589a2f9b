/**
 * What comes and goes with each request. A `Set` would do, but each time that it makes room it leaves a table behind; in
 * a process that has run for a while the collector of young objects takes such a table for needed, with all that was in it just then.
 * So a third of all requests would stay until the next full collection. Nothing is added that is in it.
 */
export class ActiveSet<Item> implements Iterable<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Whether it was there. */
  delete(item: Item): boolean {
    const at = this.#items.indexOf(item);
    if (at >= 0) this.#items.splice(at, 1);
    return at >= 0;
  }

  /** Those that are there now, whatever comes and goes meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return [...this.#items].values();
  }
}
