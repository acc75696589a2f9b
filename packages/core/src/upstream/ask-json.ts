import { DragomanError } from '../errors.ts';
import { parsedJson } from '../json/parsed-json.ts';
import type { Transport, UpstreamRequest } from '../stream/transport.ts';
import type { UpstreamWire } from '../wires/wire.ts';
import { answeredError, nameUpstream } from './answered-error.ts';
import { WholeBody } from './whole-body.ts';

/** Bytes; the longest body that is read. The longest lists of models known have some hundred kilobytes. */
const longestBody = 16 * 1024 * 1024;

export interface AskOptions {
  readonly transport: Transport;
  /** Reads the answers that are errors. */
  readonly wire: UpstreamWire;
  /** Gives up; its reason is what the promise rejects with. */
  readonly signal: AbortSignal;
}

/** Asks an upstream for one JSON body. Rejects with a DragomanError of the upstream, or with the signal's reason. */
export function askJson(request: UpstreamRequest, { transport, wire, signal }: AskOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const whole = new WholeBody();
    let status = 0;
    let contentType = '';
    const connection = transport.send(request, {
      start: (givenStatus, givenType) => {
        status = givenStatus;
        contentType = givenType;
      },
      data: (chunk) => {
        whole.push(chunk);
        if (whole.length <= longestBody) return;
        connection.abort();
        finish(() => reject(new DragomanError('reply-too-large', `The answer is longer than ${longestBody} bytes.`)));
      },
      end: () =>
        finish(() => {
          const text = whole.text();
          const json = parsedJson(text);
          if (status < 200 || status >= 300)
            reject(nameUpstream(answeredError(wire, status, json ?? text), request.upstream));
          else if (json === undefined) reject(wire.readUnreadable?.(status, contentType) ?? notJson());
          else resolve(json);
        }),
      fail: (error) => finish(() => reject(error)),
    });
    const giveUp = () => {
      connection.abort();
      finish(() => reject(signal.reason));
    };
    const finish = (act: () => void) => {
      signal.removeEventListener('abort', giveUp);
      act();
    };
    signal.addEventListener('abort', giveUp);
  });
}

function notJson(): DragomanError {
  return new DragomanError('upstream-unreadable', 'The answer is not JSON.');
}
