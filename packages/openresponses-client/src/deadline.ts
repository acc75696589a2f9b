import { clientError } from './responses-error.ts';

/** How long a server may be silent, in milliseconds. */
export interface Patience {
  readonly connectTimeout: number;
  readonly idleTimeout: number;
}

/**
 * Watches one exchange: it ends when the caller says so, or when nothing has come for too long. The time it takes as a
 * whole has no limit.
 *
 * A server that works on a long prompt may be silent until the first word of its answer. So halfway to the connect time-out
 * `isThere` asks it something else; when it answers that, it has the idle time-out.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #patience: Patience;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(abortedBy(this.#caller));
  /** Ends what was asked besides. */
  readonly #aside = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when the server is waited for; undefined while what it sent is being read. */
  #since: number | undefined;
  #answers = false;

  constructor(patience: Patience, caller: AbortSignal | undefined) {
    this.#patience = patience;
    this.#caller = caller;
    if (caller?.aborted === true) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborts what belongs to the exchange. Its reason is a `ResponsesError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The request has been sent. */
  awaitAnswer(isThere?: (signal: AbortSignal) => Promise<unknown>): void {
    const { connectTimeout } = this.#patience;
    this.listen();
    if (isThere === undefined) {
      this.#timer = setTimeout(() => this.#giveUp(), connectTimeout);
      return;
    }
    this.#timer = setTimeout(() => {
      isThere(this.#aside.signal).then(
        () => {
          this.#answers = true;
        },
        () => undefined,
      );
      this.#timer = setTimeout(() => this.#giveUp(), connectTimeout / 2);
    }, connectTimeout / 2);
  }

  #giveUp(): void {
    if (this.#answers) this.#watch();
    else {
      const message = `The server did not answer within ${seconds(this.#patience.connectTimeout)}.`;
      this.#controller.abort(clientError('connect_timeout', message));
    }
  }

  /** The answer has begun. */
  awaitBytes(): void {
    clearTimeout(this.#timer);
    this.#aside.abort();
    this.listen();
    this.#watch();
  }

  /** Somebody waits for bytes. */
  listen(): void {
    this.#since = Date.now();
  }

  /** Bytes have come. However long their reader takes, the server is not silent. */
  hear(): void {
    this.#since = undefined;
  }

  #watch(): void {
    const { idleTimeout } = this.#patience;
    const silent = this.#since === undefined ? 0 : Date.now() - this.#since;
    if (silent < idleTimeout) this.#timer = setTimeout(() => this.#watch(), idleTimeout - silent);
    else {
      const message = `The server sent nothing for ${seconds(idleTimeout)}.`;
      this.#controller.abort(clientError('idle_timeout', message));
    }
  }

  /** The exchange is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#aside.abort();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

export function abortedBy(signal: AbortSignal | undefined): Error {
  return clientError('aborted', 'The request was cancelled.', { cause: signal?.reason });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
