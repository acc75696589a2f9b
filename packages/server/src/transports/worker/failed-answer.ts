import { DragomanError, type Receiver } from '@dragoman/core';
import { type ErrorMessage, errorStatus } from '@dragoman/worker';

/** Where an answer stands. */
export interface AnswerState {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  readonly receiver: Receiver;
  /** The receiver has heard its beginning. */
  readonly started: boolean;
}

/**
 * Tells a receiver why there is no answer, or no more of it. A worker's failure before the beginning looks like the error
 * answer of a server, so the wire reads it as it reads those.
 */
export function failAnswer(failure: ErrorMessage | DragomanError, { upstream, receiver, started }: AnswerState): void {
  if (failure instanceof DragomanError) {
    receiver.fail(failure);
    return;
  }
  const { code, message } = failure;
  if (started) {
    const words = `A worker of the upstream "${upstream}" failed amid its answer: ${message}`;
    receiver.fail(new DragomanError('upstream-failed', words));
    return;
  }
  receiver.start(failure.status ?? errorStatus[code] ?? 500, 'application/json', failure.retryAfter);
  receiver.data(new TextEncoder().encode(JSON.stringify({ error: { message, code } })));
  receiver.end();
}
