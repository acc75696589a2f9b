import type { ChatEvent } from '../chat/event.ts';
import { movedBlock } from '../chat/moved-block.ts';
import { allowedCalls, quoteName } from '../chat/warning.ts';
import type { StageFactory } from '../stream/stage.ts';

/** Which calls reach the client. */
export interface CallLimitOptions {
  /** So many whole ones. Default: all. */
  readonly most?: number | undefined;
  /** Only those of these tools: the client has others, and the model is not to call them. Default: all. */
  readonly allowed?: ReadonlySet<string> | undefined;
}

/**
 * Lets at most `most` whole calls through, and only of `allowed` tools, however they came; a reply that may have none does not end
 * with calls. A further one is held back, and a warning says it all: its
 * tool and its arguments as they were. It does not become text: a model that finds its calls as text in the history
 * begins to write them so, and after the first call's result it asks for the next one anyway. A call that was cut does
 * not count, and its text passes.
 */
export function createCallLimit({ most, allowed }: CallLimitOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let whole = 0;
    /** The name of the call that is held back. */
    let surplus: string | undefined;
    // How many blocks have been taken out; every later block moves up by so much.
    let missing = 0;

    const isAllowed = (name: string) => allowed === undefined || allowed.has(name);
    const holdBack = (name: string, written: string): void => {
      const why = isAllowed(name) ? allowedCalls(most ?? 0) : 'The request does not allow all tools';
      const message = `${why}: a call of ${quoteName(name)} was held back. Its arguments: ${written}`;
      sink({ type: 'warning', warning: { code: 'call-surplus', message } });
    };

    const push = (event: ChatEvent): void => {
      switch (event.type) {
        case 'tool-call-start':
          if (isAllowed(event.name) && (most === undefined || whole < most)) break;
          surplus = event.name;
          missing += 1;
          return;
        case 'tool-call-delta':
          if (surplus === undefined) break;
          return;
        case 'tool-call-end':
          if (surplus === undefined) {
            whole += 1;
            break;
          }
          holdBack(surplus, event.arguments);
          surplus = undefined;
          return;
        case 'tool-call-cut':
          if (surplus === undefined) break;
          surplus = undefined;
          return;
        case 'message-end':
          sink(whole === 0 && event.finishReason === 'tool-calls' ? { ...event, finishReason: 'stop' } : event);
          return;
        default:
      }
      sink(movedBlock(event, -missing));
    };
    return { push, end: () => {} };
  };
}
