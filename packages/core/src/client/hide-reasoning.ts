import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';

/**
 * Leaves out a reply's reasoning, for a client that wants none and for models whose rule hides it. What a client has to
 * send back with the next request, such as a signature, still comes, in a block without text. `hidden` is called for
 * every piece that was left out: the model is at work although nobody sees it.
 */
export function createReasoningHide(options: { readonly hidden: () => void }): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new ReasoningHide(sink, options.hidden);
}

class ReasoningHide implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  readonly #hidden: () => void;

  constructor(sink: Sink<ChatEvent>, hidden: () => void) {
    this.#writer = new EventWriter(sink);
    this.#hidden = hidden;
  }

  push(event: ChatEvent): void {
    if (event.type === 'reasoning-delta') this.#hidden();
    else this.#writer.write(event);
  }

  end(): void {}
}
