import { createJsonUnescape, createUnescape } from '../chat/escape.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Takes the escapes of the conversation out of what the model wrote: out of text, reasoning, and names and arguments of
 * calls. It comes after everything that reads text for calls, so what a model copies never becomes one.
 */
export function createUnescapeStage(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let inText = createUnescape();
    let inJson = createJsonUnescape();

    const push = (event: ChatEvent): void => {
      switch (event.type) {
        case 'text-start':
        case 'reasoning-start':
          inText = createUnescape();
          sink(event);
          return;
        case 'text-delta':
        case 'reasoning-delta': {
          const text = inText(event.text);
          if (text === event.text) {
            sink(event);
            return;
          }
          if (text !== '' || (event.type === 'text-delta' && event.extra !== undefined)) sink({ ...event, text });
          return;
        }
        case 'tool-call-start':
          inJson = createJsonUnescape();
          sink({ ...event, name: createUnescape()(event.name) });
          return;
        case 'tool-call-delta': {
          const text = inJson(event.text);
          if (text !== '') sink(text === event.text ? event : { ...event, text });
          return;
        }
        case 'tool-call-end':
          sink({ ...event, arguments: createJsonUnescape()(event.arguments) });
          return;
        default:
          sink(event);
      }
    };
    return { push, end: () => {} };
  };
}
