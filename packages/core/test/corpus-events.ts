import { cutText } from '@dragoman/testkit';
import type { ChatEvent } from '../src/chat/event.ts';
import { DragomanError } from '../src/errors.ts';
import type { WrittenEvent } from './read-corpus.ts';

/** An event of the corpus as wires see it. */
export function asEvent(event: WrittenEvent): ChatEvent {
  switch (event.type) {
    case 'error':
      return { type: 'error', error: new DragomanError(event.code, event.message) };
    case 'warning':
      return { type: 'warning', warning: { code: event.code, message: '' } };
    default:
      return event;
  }
}

/** The same events with every delta in single units, as a model may write them. */
export function inPieces(events: readonly ChatEvent[]): ChatEvent[] {
  return events.flatMap((event): readonly ChatEvent[] => {
    const isDelta = event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-call-delta';
    return isDelta ? cutText(event.text, 'chars').map((text) => ({ ...event, text })) : [event];
  });
}

/**
 * Events as the corpus writes them: each block in one delta, the last usage before a good end, no ids of the upstream's
 * conversations, no wire's own word for the finish reason, ids without a wire's prefix, of a warning its code, and of an error its code and the words of `wanted`.
 */
export function comparable(events: readonly ChatEvent[], wanted: readonly WrittenEvent[]): WrittenEvent[] {
  const joined: WrittenEvent[] = [];
  const usage = events.findLast((event) => event.type === 'usage');
  for (const event of events) {
    const last = joined.at(-1);
    switch (event.type) {
      case 'usage':
      case 'conversation':
        break;
      case 'warning':
        joined.push({ type: 'warning', code: event.warning.code });
        break;
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        if (last?.type === event.type) joined[joined.length - 1] = { ...last, text: last.text + event.text };
        else joined.push(event);
        break;
      case 'message-start':
        joined.push({ ...event, id: event.id.endsWith('r1') ? 'r1' : event.id });
        break;
      case 'message-end':
        if (usage !== undefined) joined.push(usage);
        joined.push({ type: 'message-end', finishReason: event.finishReason });
        break;
      case 'error': {
        const { code, message } = event.error;
        const words = wanted.flatMap((one) => (one.type === 'error' ? [one.message] : []))[0] ?? '';
        joined.push({ type: 'error', code, message: words !== '' && message.endsWith(words) ? words : message });
        break;
      }
      default:
        joined.push(event);
    }
  }
  return joined;
}
