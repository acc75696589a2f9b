import { isDeepStrictEqual } from 'node:util';
import type { After } from '../after.ts';
import type { FoundUpstreams } from './find-upstreams.ts';

/** Milliseconds between two looks while somebody asks for models, and while nobody does. */
const soonest = 3_000;
const slowest = 15_000;

export interface UpstreamWatchOptions {
  /** What was found already. Absent: it looks at once. */
  readonly first?: FoundUpstreams | undefined;
  /** What is there now; where it rejects, nothing has changed. */
  readonly find: () => Promise<FoundUpstreams | undefined>;
  /** Hears of it when other upstreams are there than before. */
  readonly changed: (now: FoundUpstreams, before: FoundUpstreams | undefined) => void;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
  readonly after: After;
}

/** Looks for upstreams that come and go, for as long as a gateway runs. */
export class UpstreamWatch {
  readonly #options: UpstreamWatchOptions;
  #found: FoundUpstreams | undefined;
  #lookedAt: number;
  #looking: Promise<void> | undefined;
  #cancel: () => void = () => {};
  #closed = false;

  constructor(options: UpstreamWatchOptions) {
    this.#options = options;
    this.#found = options.first;
    this.#lookedAt = options.now();
    if (options.first === undefined) this.#look();
    else this.#wait();
  }

  /** Looks unless somebody has just looked. Never rejects. */
  look(): Promise<void> {
    const { now } = this.#options;
    if (this.#looking === undefined && !this.#closed && now() - this.#lookedAt >= soonest) this.#look();
    return this.#looking ?? Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #look(): void {
    const { find, changed, now } = this.#options;
    this.#cancel();
    this.#looking = find()
      .then((found) => {
        if (this.#closed || found === undefined) return;
        const before = this.#found;
        this.#found = found;
        if (!isDeepStrictEqual(found.upstreams, before?.upstreams ?? {})) changed(found, before);
      })
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined;
        this.#lookedAt = now();
        if (!this.#closed) this.#wait();
      });
  }

  #wait(): void {
    this.#cancel = this.#options.after(slowest, () => void this.#look());
  }
}
