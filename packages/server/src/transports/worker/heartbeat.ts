export interface HeartbeatOptions {
  /** Milliseconds between two pings. */
  readonly every: number;
  readonly ping: () => void;
  /** Nothing was heard for twice as long; why, in words. */
  readonly silent: (why: string) => void;
}

/** Notices a worker that is gone without a word. */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();

  constructor({ every, ping, silent }: HeartbeatOptions) {
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heardAt < 2 * every) ping();
      else silent(`it was silent for ${(2 * every) / 1000} s`);
    }, every);
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
