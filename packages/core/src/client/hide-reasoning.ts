import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Leaves out a reply's reasoning, for a client that wants none and for models whose rule hides it. What a client has to
 * send back with the next request, such as a signature, still comes, in a block without text. `hidden` is called for
 * every piece that was left out: the model is at work although nobody sees it.
 */
export function createReasoningHide({ hidden }: { readonly hidden: () => void }): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const writer = new EventWriter(sink);
    const push = (event: ChatEvent) => {
      if (event.type === 'reasoning-delta') hidden();
      else writer.write(event);
    };
    return { push, end: () => {} };
  };
}
