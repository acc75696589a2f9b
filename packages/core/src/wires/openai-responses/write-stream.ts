import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink } from '../../stream/stage.ts';
import type { ReplyContext, StreamWriter } from '../wire.ts';
import { EventSequence, type EventSequenceOptions } from './event-sequence.ts';

export interface StreamWriterOptions extends EventSequenceOptions {
  /**
   * Ends the stream with `data: [DONE]`, as the text of OpenResponses wants it. Off: no client needs it, and VS Code 0.42
   * takes a finished answer for a failed one because of it.
   */
  readonly done?: boolean;
  /** `ndjson`: each event is a line of JSON and nothing more, as WebSockets carry them. Default: `sse`. */
  readonly framing?: 'sse' | 'ndjson';
}

/**
 * Chat events as an event stream. Each output is one whole event, with its name in `type` and, as SSE, on the `event:`
 * line, and with a sequence number that rises by one from zero.
 */
export function createStreamWriter(
  context: ReplyContext,
  options: StreamWriterOptions = {},
): (sink: Sink<string>) => StreamWriter {
  return (sink) => {
    let number = -1;
    return new EventSequence(
      ({ type, ...fields }) => {
        number += 1;
        const json = JSON.stringify({ type, sequence_number: number, ...fields });
        if (options.framing === 'ndjson') {
          sink(`${json}\n`);
          return;
        }
        const frame = encodeSse(json, type);
        const isLast = options.done === true && terminalTypes.includes(type);
        sink(isLast ? `${frame}data: [DONE]\n\n` : frame);
      },
      context,
      options,
    );
  };
}

const terminalTypes: readonly string[] = ['response.completed', 'response.incomplete', 'response.failed'];
