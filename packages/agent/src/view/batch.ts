/**
 * Gathers what comes and gives it on in one piece each time that the host draws: `schedule` is `requestAnimationFrame` in a
 * page. Nothing is lost and the order stays.
 */
export class Batch<Item> {
  readonly #schedule: (flush: () => void) => void;
  readonly #take: (items: readonly Item[]) => void;
  #items: Item[] = [];

  constructor(schedule: (flush: () => void) => void, take: (items: readonly Item[]) => void) {
    this.#schedule = schedule;
    this.#take = take;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#items.length === 1) this.#schedule(() => this.flush());
  }

  /** Gives on at once what waits. */
  flush(): void {
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#take(items);
  }
}
