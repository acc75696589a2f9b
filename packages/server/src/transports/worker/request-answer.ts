import { DragomanError, type Receiver, retryAfterOf } from '@dragoman/core';
import type { ErrorMessage } from '@dragoman/worker';
import type { CommandListener } from './command.ts';
import { failAnswer } from './failed-answer.ts';
import { isFields } from './read-message.ts';

const encoder = new TextEncoder();

/** The answer to an HTTP request that a worker has made: its head, then its body in pieces. */
export class RequestAnswer implements CommandListener {
  readonly #upstream: string;
  readonly #receiver: Receiver;
  #started = false;

  constructor(upstream: string, receiver: Receiver) {
    this.#upstream = upstream;
    this.#receiver = receiver;
  }

  delta(value: unknown): void {
    const piece = isFields(value) ? value : {};
    if (!this.#started) this.#start(piece.status, piece.headers);
    else if (typeof piece.data === 'string') this.#receiver.data(encoder.encode(piece.data));
    else throw this.#unreadable('sent a piece of a reply without "data"');
  }

  result(): void {
    if (!this.#started) throw this.#unreadable('ended a reply that has no status');
    this.#receiver.end();
  }

  fail(failure: ErrorMessage | DragomanError): void {
    failAnswer(failure, { upstream: this.#upstream, receiver: this.#receiver, started: this.#started });
  }

  #start(status: unknown, headers: unknown): void {
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
      throw this.#unreadable('began a reply without a "status" from 200 to 599');
    }
    this.#started = true;
    const contentType = headerIn(headers, 'content-type').split(';')[0] ?? '';
    this.#receiver.start(status, contentType.trim().toLowerCase(), retryAfterOf(headerIn(headers, 'retry-after')));
  }

  #unreadable(what: string): DragomanError {
    return new DragomanError('upstream-unreadable', `A worker of the upstream "${this.#upstream}" ${what}.`);
  }
}

function headerIn(headers: unknown, name: string): string {
  const value = isFields(headers) ? headers[name] : undefined;
  return typeof value === 'string' ? value : '';
}
