import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isObject } from '../read-values.ts';
import { hasError } from './errors.ts';
import { StreamReader, type StreamReaderOptions } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as one line. One
 * that does not say `done` broke off. Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  if (!isObject(body) || (!isObject(body.message) && !hasError(body))) throw unreadableAnswer(body, 'one of /api/chat');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model, options);
  reader.read(body);
  reader.end();
  return events;
}
