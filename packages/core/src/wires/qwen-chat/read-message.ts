import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import { readUsage } from '../read-openai-usage.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { textAt } from '../value-at.ts';
import { readFailure, tellsFailure, unreadable } from './errors.ts';
import type { ReplyReaderOptions } from './read-stream.ts';

/**
 * A whole body as chat events, from a server that streams to nobody. Throws DragomanError for one that tells of a failure,
 * and `upstream-unreadable` for one without an answer.
 */
export function readMessage(body: unknown, { model, settings }: ReplyReaderOptions): ChatEvent[] {
  const text = answerIn(body);
  if (tellsFailure(body)) throw readFailure(body);
  if (text === undefined || !isObject(body)) throw unreadable(body, 'a reply');
  const data: JsonObject = isObject(body.data) ? body.data : {};
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start(textAt(data, ['message_id']) ?? '', model);
  const id = textAt(data, ['chat_id']);
  // What a stream announces in a frame of its own is here beside the answer, under the same name.
  const parentId = textAt(data, settings.parent.slice(-1));
  if (id !== undefined || parentId !== undefined) {
    writer.write({
      type: 'conversation',
      ...(id === undefined ? {} : { id }),
      ...(parentId === undefined ? {} : { parentId }),
    });
  }
  writer.text(text);
  const usage = readUsage(body.usage) ?? readUsage(data.usage);
  if (usage !== undefined) writer.usage(usage);
  writer.end('stop');
  return events;
}

/** The text of the answer in a whole body; undefined where there is none. */
export function answerIn(body: unknown): string | undefined {
  const data = isObject(body) ? body.data : undefined;
  const choice: unknown = isObject(data) && Array.isArray(data.choices) ? data.choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  return isObject(message) && typeof message.content === 'string' ? message.content : undefined;
}
