import { DragomanError, type Receiver, retryAfterOf, withExactNumbers, writeJson } from '@dragoman/core';
import { type ErrorMessage, errorStatus } from '@dragoman/worker';
import { isRecord } from '../../is-record.ts';
import type { CommandListener } from './command.ts';

const encoder = new TextEncoder();

/** What a worker answers, told a receiver as the answer of a server. */
abstract class WorkerAnswer implements CommandListener {
  readonly #upstream: string;
  protected readonly receiver: Receiver;
  /** The receiver has heard the beginning. */
  protected started = false;

  constructor(upstream: string, receiver: Receiver) {
    this.#upstream = upstream;
    this.receiver = receiver;
  }

  abstract delta(value: unknown): void;
  abstract result(value: unknown): void;

  /** A worker's failure before the beginning looks like the error answer of a server, so the wire reads it as it reads those. */
  fail(failure: ErrorMessage | DragomanError): void {
    const { receiver } = this;
    if (failure instanceof DragomanError) {
      receiver.fail(failure);
      return;
    }
    const { code, message, status, retryAfter } = failure;
    if (this.started) {
      const words = `A worker of the upstream "${this.#upstream}" failed in the middle of its answer: ${message}`;
      receiver.fail(new DragomanError('upstream-failed', words));
      return;
    }
    receiver.start(status ?? errorStatus[code] ?? 500, 'application/json', retryAfter);
    receiver.data(encoder.encode(JSON.stringify({ error: { message, code } })));
    receiver.end();
  }

  protected unreadable(what: string): DragomanError {
    return new DragomanError('upstream-unreadable', `A worker of the upstream "${this.#upstream}" ${what}.`);
  }
}

/** The answer to an HTTP request that a worker has made: its head, then its body in pieces. */
export class RequestAnswer extends WorkerAnswer {
  delta(value: unknown): void {
    const { status, headers, data } = isRecord(value) ? value : {};
    if (this.started) {
      if (typeof data !== 'string') throw this.unreadable('sent a piece of a reply without "data"');
      this.receiver.data(encoder.encode(data));
      return;
    }
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
      throw this.unreadable('began a reply without a "status" from 200 to 599');
    }
    this.started = true;
    const contentType = headerIn(headers, 'content-type').split(';')[0] ?? '';
    this.receiver.start(status, contentType.trim().toLowerCase(), retryAfterOf(headerIn(headers, 'retry-after')));
  }

  result(): void {
    if (!this.started) throw this.unreadable('ended a reply that has no status');
    this.receiver.end();
  }
}

function headerIn(headers: unknown, name: string): string {
  const value = isRecord(headers) ? headers[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The answer to a command: each piece is a line of JSON, and so is a result that holds one more. */
export class CommandAnswer extends WorkerAnswer {
  delta(value: unknown): void {
    if (typeof value !== 'object' || value === null) throw this.unreadable('sent a piece that is not an object');
    this.#begin();
    this.receiver.data(encoder.encode(`${writeJson(withExactNumbers(value))}\n`));
  }

  result(value: unknown): void {
    if (value !== undefined && value !== null) this.delta(value);
    this.#begin();
    this.receiver.end();
  }

  #begin(): void {
    if (!this.started) this.receiver.start(200, 'application/x-ndjson');
    this.started = true;
  }
}
