import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject } from '../read-values.ts';
import { createChunkReader, type StreamReaderOptions } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as one chunk.
 * Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  const isError = isObject(body) && (!isAbsent(body.error) || body.object === 'error');
  const isAnswer = isObject(body) && Array.isArray(body.choices) && body.choices.some(holdsMessage);
  if (!isError && !isAnswer) throw unreadableAnswer(body, 'a chat completion');
  const events: ChatEvent[] = [];
  const reader = createChunkReader((event) => events.push(event), request, options);
  reader.read(body);
  reader.finish();
  return events;
}

/** A choice without one says nothing, and an empty reply would be a lie. */
function holdsMessage(choice: unknown): boolean {
  return isObject(choice) && (isObject(choice.message) || isObject(choice.delta));
}
