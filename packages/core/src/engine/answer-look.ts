import { type GatewayError, toGatewayError } from '../errors.ts';
import type { Receiver } from './transport.ts';
import { jsonOrText, WholeBody } from './whole-body.ts';

/** The most of an answer that is kept, in bytes; the rest is left out. */
const longestBody = 65_536;

/** What is asked of whoever looks. */
export interface LookOptions {
  /** By the status alone: the receiver gets the answer as it comes. */
  readonly passes: (status: number) => boolean;
  /**
   * The answer has not passed and is over. True: that was all, and the receiver hears nothing of it; false: it gets the
   * answer now. What it throws, the receiver gets as an error. `body` is parsed JSON, or text when it was not JSON.
   */
  readonly over: (status: number, body: unknown) => boolean;
}

/** Looks at an answer before its receiver gets it. */
export class AnswerLook implements Receiver {
  readonly #receiver: Receiver;
  readonly #options: LookOptions;
  readonly #body = new WholeBody();
  #passing = false;
  #head: { readonly status: number; readonly contentType: string; readonly retryAfter: number | undefined } | undefined;

  constructor(receiver: Receiver, options: LookOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    this.#passing = this.#options.passes(status);
    if (this.#passing) this.#receiver.start(status, contentType, retryAfter);
    else this.#head = { status, contentType, retryAfter };
  }

  data(chunk: Uint8Array): void {
    if (this.#passing) this.#receiver.data(chunk);
    else if (this.#body.length < longestBody) this.#body.push(chunk.subarray(0, longestBody - this.#body.length));
  }

  end(): void {
    if (this.#passing || this.#head === undefined) {
      this.#receiver.end();
      return;
    }
    const { status, contentType, retryAfter } = this.#head;
    const text = this.#body.text();
    try {
      if (this.#options.over(status, jsonOrText(text))) return;
    } catch (thrown) {
      this.#receiver.fail(toGatewayError(thrown));
      return;
    }
    this.#receiver.start(status, contentType, retryAfter);
    this.#receiver.data(new TextEncoder().encode(text));
    this.#receiver.end();
  }

  fail(error: GatewayError): void {
    this.#receiver.fail(error);
  }
}
