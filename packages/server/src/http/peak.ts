import type { After } from '../after.ts';
import { collectGarbage, growCarefully, letGrow } from './garbage.ts';

/** So many requests at once make a peak; below it, what they leave is little. */
const leastPeak = 64;

/** A peak is over when so many times fewer run. */
const fewer = 8;

/** Milliseconds for which it has to stay over: peaks may follow each other. */
const calm = 2000;

/**
 * Keeps memory small while many requests run at once, and gives it back afterwards. Node collects garbage when something is made, so
 * what a peak has left would stay until the next one.
 */
export class Peak {
  readonly #collect: () => void;
  readonly #after: After;
  #most = 0;
  #stopWaiting: (() => void) | undefined;

  constructor({ collect = collectGarbage, after = afterwards }: { collect?: () => void; after?: After } = {}) {
    this.#collect = collect;
    this.#after = after;
  }

  /** So many requests run, one more than before. */
  rose(active: number): void {
    if (active === leastPeak) growCarefully();
    if (active > this.#most) this.#most = active;
    if (active * fewer <= this.#most) return;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  /** So many still run. */
  fell(active: number): void {
    if (active === leastPeak - 1) letGrow();
    if (this.#most < leastPeak || active * fewer > this.#most || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#after(calm, () => {
      this.#stopWaiting = undefined;
      this.#most = 0;
      this.#collect();
    });
  }
}

/** Nothing waits for it at the end of the process. */
const afterwards: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
};
