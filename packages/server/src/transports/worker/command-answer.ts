import { DragomanError, exactly, type Receiver, writeJson } from '@dragoman/core';
import type { ErrorMessage } from '@dragoman/worker';
import type { CommandListener } from './command.ts';
import { failAnswer } from './failed-answer.ts';

const encoder = new TextEncoder();

/** The answer to a command: each piece is a line of JSON, and so is a result that holds one more. */
export class CommandAnswer implements CommandListener {
  readonly #upstream: string;
  readonly #receiver: Receiver;
  #started = false;

  constructor(upstream: string, receiver: Receiver) {
    this.#upstream = upstream;
    this.#receiver = receiver;
  }

  delta(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      throw new DragomanError(
        'upstream-unreadable',
        `A worker of the upstream "${this.#upstream}" sent a piece that is no object.`,
      );
    }
    if (!this.#started) this.#receiver.start(200, 'application/x-ndjson');
    this.#started = true;
    this.#receiver.data(encoder.encode(`${writeJson(exactly(value))}\n`));
  }

  result(value: unknown): void {
    if (value !== undefined && value !== null) this.delta(value);
    if (!this.#started) this.#receiver.start(200, 'application/x-ndjson');
    this.#receiver.end();
  }

  fail(failure: ErrorMessage | DragomanError): void {
    failAnswer(failure, { upstream: this.#upstream, receiver: this.#receiver, started: this.#started });
  }
}
