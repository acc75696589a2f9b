import { DragomanError, type ErrorCode, errorKinds, type Transport, writeJson } from '@dragoman/core';
import { PacedConnection } from '../transports/scripted/paced-connection.ts';
import type { RecordedAnswer } from './recording.ts';

/** What a recorded upstream was asked, in order: the JSON text of each body. */
export interface Asking {
  readonly bodies: string[];
}

/**
 * An upstream that answers each request as it was recorded, in the same pieces, whatever it is asked. `stalled` is told
 * when it has said all that it said before a deadline passed.
 */
export function createRecordedTransport(
  answers: readonly RecordedAnswer[],
  { asking, stalls, stalled }: { readonly asking: Asking; readonly stalls: boolean; readonly stalled: () => void },
): Transport {
  return {
    send(request, receiver) {
      const answer = answers[asking.bodies.length];
      asking.bodies.push(writeJson(request.body));
      const connection = new PacedConnection(receiver, 0);
      const isLast = asking.bodies.length === answers.length;
      void play(answer, connection).then(() => {
        if (stalls && isLast) stalled();
        else if (answer?.error !== undefined) connection.fail(errorOf(answer.error));
        else if (answer === undefined) connection.fail(unrecorded(asking.bodies.length));
        else connection.end();
      });
      return connection;
    },
  };
}

async function play(recorded: RecordedAnswer | undefined, connection: PacedConnection): Promise<void> {
  const head = recorded?.answer;
  if (recorded === undefined || head === undefined) return;
  if (await connection.turn()) connection.start(head.status, head.contentType, head.retryAfter);
  for (const piece of recorded.pieces) if (await connection.turn()) connection.data(piece);
  await connection.turn();
}

function errorOf({ code, message }: NonNullable<RecordedAnswer['error']>): DragomanError {
  return new DragomanError(isCode(code) ? code : 'upstream-failed', message);
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorKinds, code);
}

function unrecorded(count: number): DragomanError {
  return new DragomanError(
    'upstream-failed',
    `The upstream is asked ${count} times, and the recording has fewer answers.`,
  );
}
