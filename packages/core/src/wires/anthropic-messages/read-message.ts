import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { isObject } from '../read-values.ts';
import { unreadableAnswer } from './errors.ts';
import { StreamReader, type StreamReaderOptions } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader, block by block.
 * Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  if (!isObject(body)) throw unreadableAnswer(body);
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model, options);
  if (body.type === 'error' || isObject(body.error)) {
    reader.read({ ...body, type: 'error' });
    return events;
  }
  if (!Array.isArray(body.content)) throw unreadableAnswer(body);
  reader.read({ type: 'message_start', message: body });
  body.content.forEach((block: unknown, index) => {
    reader.read({ type: 'content_block_start', index, content_block: block });
    reader.read({ type: 'content_block_stop', index });
  });
  reader.read({ type: 'message_delta', delta: { stop_reason: body.stop_reason }, usage: body.usage });
  reader.finish();
  return events;
}
