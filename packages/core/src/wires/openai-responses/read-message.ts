import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject } from '../read-values.ts';
import { StreamReader, type StreamReaderOptions } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as the event that
 * ends one. Throws `upstream-unreadable` for what is neither a response nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  const isError = isObject(body) && !isAbsent(body.error);
  const isAnswer = isObject(body) && Array.isArray(body.output);
  if (!isError && !isAnswer) throw unreadableAnswer(body, 'a response');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request, options);
  const type = isAnswer ? typeOf(body.status) : 'error';
  reader.read(isAnswer ? { type, response: body } : { ...body, type });
  reader.end();
  return events;
}

/** A response that is not over yet has no place in a whole answer: its end is missing. */
function typeOf(status: unknown): string {
  switch (status) {
    case 'queued':
    case 'in_progress':
      return 'response.in_progress';
    case 'failed':
    case 'cancelled':
      return 'response.failed';
    default:
      return 'response.done';
  }
}
