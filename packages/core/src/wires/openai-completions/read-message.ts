import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject } from '../read-values.ts';
import { createChunkReader } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give. Throws `upstream-unreadable` for what is neither an answer
 * nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  const isError = isObject(body) && (!isAbsent(body.error) || body.object === 'error');
  const isAnswer = isObject(body) && Array.isArray(body.choices) && body.choices.some(holdsText);
  if (!isError && !isAnswer) throw unreadableAnswer(body, 'a text completion');
  const events: ChatEvent[] = [];
  const reader = createChunkReader((event) => events.push(event), request.model);
  reader.read(body);
  reader.finish();
  return events;
}

function holdsText(choice: unknown): boolean {
  return isObject(choice) && typeof choice.text === 'string';
}
