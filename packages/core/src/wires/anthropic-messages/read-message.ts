import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { jsonOf } from '../../json/exact-json.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { StreamReader, type StreamReaderOptions } from './read-stream.ts';

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader, block by block.
 * Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  if (!isObject(body)) throw unreadableAnswer(body, 'a message');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model, options);
  if (body.type === 'error' || isObject(body.error)) {
    reader.read({ ...body, type: 'error' });
    return events;
  }
  if (!Array.isArray(body.content)) throw unreadableAnswer(body, 'a message');
  reader.read({ type: 'message_start', message: body });
  body.content.forEach((block: unknown, index) => {
    for (const event of eventsOf(block)) reader.read({ ...event, index });
  });
  reader.read({
    type: 'message_delta',
    delta: { stop_reason: body.stop_reason, stop_sequence: body.stop_sequence },
    usage: body.usage,
  });
  reader.finish();
  return events;
}

/** A block as a stream would bring it: the arguments of a call come after its opening. */
function eventsOf(block: unknown): readonly JsonObject[] {
  const closing = { type: 'content_block_stop' };
  if (!isObject(block) || block.type !== 'tool_use' || !isObject(block.input)) {
    return [{ type: 'content_block_start', content_block: block }, closing];
  }
  const delta = { type: 'input_json_delta', partial_json: jsonOf(block.input) };
  const opening = { type: 'content_block_start', content_block: { ...block, input: {} } };
  return [opening, { type: 'content_block_delta', delta }, closing];
}
