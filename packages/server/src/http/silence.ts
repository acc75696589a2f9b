import { ActiveSet } from '@dragoman/core';

export interface Quiet {
  /** When it last wrote, on the clock of `Silence`. */
  readonly lastWrite: number;
  /** Milliseconds of silence that are too long for it. Default: those of `Silence`. */
  readonly patience?: number | undefined;
  /** It has been silent for long enough. */
  onSilence(): void;
}

export interface SilenceOptions {
  /** Milliseconds; 0 switches it off. */
  readonly after: number;
  /** The same for replies that have not begun; undefined: as long as the client waits. */
  readonly first?: number | undefined;
  readonly now: () => number;
}

/** Tells streams that they have been silent for too long. One coarse timer serves all; without streams there is none. */
export class Silence {
  readonly #after: number;
  /** Milliseconds of silence before a reply begins; undefined: as many as the client waits. */
  readonly first: number | undefined;
  readonly #now: () => number;
  readonly #streams = new ActiveSet<Quiet>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SilenceOptions) {
    this.#after = options.after;
    this.first = options.first;
    this.#now = options.now;
  }

  now(): number {
    return this.#now();
  }

  watch(stream: Quiet): void {
    if (this.#after === 0) return;
    this.#streams.add(stream);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.check(), Math.min(1000, Math.ceil(this.#after / 4)));
    this.#timer.unref();
  }

  forget(stream: Quiet): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks at every stream once. */
  check(): void {
    const now = this.#now();
    for (const stream of this.#streams) {
      if (now - stream.lastWrite >= (stream.patience ?? this.#after)) stream.onSilence();
    }
  }
}
