import type { ChatEvent } from './event.ts';
import { JoinedExtra } from './joined-extra.ts';
import type { Extra, TextPart } from './message.ts';
import { type CollectedMessage, ReplyCollection } from './reply-collection.ts';

export type { CollectedMessage } from './reply-collection.ts';

/**
 * Collects a reply. A whole answer is a collected stream, so both say the same. Events of a broken stream are collected
 * as far as they go: an open text is kept, an open call is not.
 */
export function collect(events: Iterable<ChatEvent>): CollectedMessage {
  const collection = new Collection();
  for (const event of events) collection.take(event);
  return collection.message();
}

/** What only some replies have. */
type TailField = 'usage' | 'conversation' | 'rawFinishReason' | 'stopSequence';

class Collection extends ReplyCollection {
  readonly #tail: { -readonly [Field in TailField]?: CollectedMessage[Field] } = {};
  readonly #extra = new JoinedExtra();
  #refuses = false;

  override take(event: ChatEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#refuses = event.refusal === true;
        break;
      case 'text-delta':
      case 'text-end':
      case 'reasoning-end':
        this.#add(event.extra);
        break;
      case 'usage':
        this.#tail.usage = event.usage;
        break;
      case 'conversation': {
        const { type: _, ...ids } = event;
        this.#tail.conversation = { ...this.#tail.conversation, ...ids };
        break;
      }
      case 'message-end':
        if (event.rawFinishReason !== undefined) this.#tail.rawFinishReason = event.rawFinishReason;
        if (event.stopSequence !== undefined) this.#tail.stopSequence = event.stopSequence;
        break;
    }
    super.take(event);
  }

  override message(): CollectedMessage {
    return Object.assign(super.message(), this.#tail);
  }

  protected override takeBeside(): Pick<TextPart, 'refusal' | 'extra'> {
    const extra = this.#extra.take();
    const refuses = this.#refuses;
    this.#refuses = false;
    return { ...(refuses && { refusal: true }), ...(extra !== undefined && { extra }) };
  }

  #add(extra: Extra | undefined): void {
    if (extra !== undefined) this.#extra.add(extra);
  }
}
