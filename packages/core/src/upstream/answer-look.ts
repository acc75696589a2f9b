import { type DragomanError, toDragomanError } from '../errors.ts';
import type { Receiver } from '../stream/transport.ts';
import { jsonOrText, WholeBody } from './whole-body.ts';

/** Of an answer no more bytes are looked at; a refusal is shorter. */
const longestLook = 65_536;

/** What is asked of whoever looks. */
export interface LookOptions {
  /** By the headers alone: the receiver gets the answer as it comes. */
  readonly passes: (status: number, contentType: string) => boolean;
  /**
   * The answer has not passed, and is over or longer than anybody looks. True: that was all, and the receiver hears
   * nothing of it; false: it gets the answer now, byte for byte. What it throws, the receiver gets as an error. `body` is
   * parsed JSON, or text when it was not JSON.
   */
  readonly over: (status: number, body: unknown) => boolean;
}

/** Looks at an answer before its receiver gets it. */
export class AnswerLook implements Receiver {
  readonly #receiver: Receiver;
  readonly #options: LookOptions;
  /** `looking`: all that has come is held; `passing`: the receiver gets it; `over`: the receiver hears nothing more. */
  #state: 'looking' | 'passing' | 'over' = 'looking';
  #head: { readonly status: number; readonly contentType: string; readonly retryAfter: number | undefined } | undefined;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(receiver: Receiver, options: LookOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    this.#head = { status, contentType, retryAfter };
    if (this.#options.passes(status, contentType)) this.#pass();
  }

  data(chunk: Uint8Array): void {
    if (this.#state === 'passing') this.#receiver.data(chunk);
    if (this.#state !== 'looking') return;
    this.#held.push(chunk);
    this.#length += chunk.length;
    if (this.#length > longestLook) this.#decide();
  }

  end(): void {
    if (this.#state === 'looking') this.#decide();
    if (this.#state === 'passing') this.#receiver.end();
  }

  fail(error: DragomanError): void {
    if (this.#state !== 'over') this.#receiver.fail(error);
  }

  #decide(): void {
    const body = new WholeBody();
    for (const chunk of this.#held) body.push(chunk);
    try {
      if (this.#head !== undefined && this.#options.over(this.#head.status, jsonOrText(body.text()))) {
        this.#state = 'over';
        this.#held = [];
      } else this.#pass();
    } catch (thrown) {
      this.#state = 'over';
      this.#receiver.fail(toDragomanError(thrown));
    }
  }

  #pass(): void {
    this.#state = 'passing';
    if (this.#head === undefined) return;
    const { status, contentType, retryAfter } = this.#head;
    this.#receiver.start(status, contentType, retryAfter);
    for (const chunk of this.#held) this.#receiver.data(chunk);
    this.#held = [];
  }
}
