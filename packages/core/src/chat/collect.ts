import type { DragomanError } from '../errors.ts';
import type { ChatEvent, FinishReason, Usage } from './event.ts';
import { JoinedExtra } from './joined-extra.ts';
import type { Extra, ReasoningPart, TextPart, ToolCallPart } from './message.ts';
import type { ToolCall } from './tool.ts';
import type { Warning } from './warning.ts';

/** A whole reply, collected out of its events. */
export interface CollectedMessage {
  readonly id: string;
  readonly model: string;
  /** All text, refusals as well, joined without separators. */
  readonly text: string;
  /** All reasoning, joined without separators. */
  readonly reasoning: string;
  /** One part for each block, in order, with what its deltas told in `extra`. Calls that were cut are not parts. */
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[];
  /** The calls that are whole, in order. */
  readonly calls: readonly ToolCall[];
  readonly warnings: readonly Warning[];
  /** The last one counts. */
  readonly usage?: Usage;
  /** The upstream's own conversation, and what it last called the parent of the next message. */
  readonly conversation?: { readonly id?: string; readonly parentId?: string };
  /** Absent when the reply ended badly or has not ended. */
  readonly finishReason?: FinishReason;
  readonly rawFinishReason?: string;
  readonly stopSequence?: string;
  readonly error?: DragomanError;
  /** True when the reply ended with `message-end`. */
  readonly complete: boolean;
}

/** What only some replies have. */
type TailField = 'usage' | 'conversation' | 'finishReason' | 'rawFinishReason' | 'stopSequence' | 'error';

type ContentPart = CollectedMessage['content'][number];

/**
 * Collects a reply. A whole answer is a collected stream, so both say the same. Events of a broken stream are collected
 * as far as they go: an open text is kept, an open call is not.
 */
export function collect(events: Iterable<ChatEvent>): CollectedMessage {
  const collection = new Collection();
  for (const event of events) collection.take(event);
  return collection.message();
}

class Collection {
  readonly #content: ContentPart[] = [];
  readonly #warnings: Warning[] = [];
  readonly #tail: { -readonly [Field in TailField]?: CollectedMessage[Field] } = {};
  #head = { id: '', model: '' };
  /** Which kind of block is open, and its deltas. */
  #open: 'text' | 'refusal' | 'reasoning' | 'none' = 'none';
  #deltas: string[] = [];
  readonly #extra = new JoinedExtra();
  #call: { readonly callId: string; readonly name: string } | undefined;

  take(event: ChatEvent): void {
    switch (event.type) {
      case 'message-start':
        this.#head = { id: event.id, model: event.model };
        break;
      case 'text-start':
        this.#open = event.refusal === true ? 'refusal' : 'text';
        break;
      case 'reasoning-start':
        this.#open = 'reasoning';
        break;
      case 'text-delta':
        this.#deltas.push(event.text);
        if (event.extra !== undefined) this.#extra.add(event.extra);
        break;
      case 'reasoning-delta':
        this.#deltas.push(event.text);
        break;
      case 'text-end':
        this.#close(event.extra);
        break;
      case 'reasoning-end':
        this.#close(event.extra);
        break;
      case 'tool-call-start':
        this.#call = { callId: event.callId, name: event.name };
        break;
      case 'tool-call-delta':
        break;
      case 'tool-call-end':
        if (this.#call !== undefined)
          this.#content.push({ type: 'tool-call', ...this.#call, arguments: event.arguments });
        this.#call = undefined;
        break;
      case 'tool-call-cut':
        this.#call = undefined;
        break;
      case 'usage':
        this.#tail.usage = event.usage;
        break;
      case 'conversation': {
        const { type: _, ...ids } = event;
        this.#tail.conversation = { ...this.#tail.conversation, ...ids };
        break;
      }
      case 'warning':
        this.#warnings.push(event.warning);
        break;
      case 'message-end':
        this.#tail.finishReason = event.finishReason;
        if (event.rawFinishReason !== undefined) this.#tail.rawFinishReason = event.rawFinishReason;
        if (event.stopSequence !== undefined) this.#tail.stopSequence = event.stopSequence;
        break;
      case 'error':
        this.#tail.error = event.error;
        break;
      default:
        event satisfies never;
    }
  }

  message(): CollectedMessage {
    this.#close();
    const { text, reasoning, calls } = summarise(this.#content);
    const { id, model } = this.#head;
    const complete = this.#tail.finishReason !== undefined;
    const message = { id, model, text, reasoning, content: this.#content, calls, warnings: this.#warnings, complete };
    return Object.assign(message, this.#tail);
  }

  #close(end?: Extra): void {
    if (end !== undefined) this.#extra.add(end);
    const extra = this.#extra.take();
    const text = this.#deltas.join('');
    const own = extra === undefined ? {} : { extra };
    if (this.#open === 'refusal') this.#content.push({ type: 'text', text, refusal: true, ...own });
    else if (this.#open !== 'none') this.#content.push({ type: this.#open, text, ...own });
    this.#open = 'none';
    this.#deltas = [];
  }
}

/** What follows from the parts alone. */
function summarise(content: readonly ContentPart[]): Pick<CollectedMessage, 'text' | 'reasoning' | 'calls'> {
  const text: string[] = [];
  const reasoning: string[] = [];
  const calls: ToolCall[] = [];
  for (const part of content) {
    if (part.type === 'text') text.push(part.text);
    else if (part.type === 'reasoning') reasoning.push(part.text);
    else calls.push({ callId: part.callId, name: part.name, arguments: part.arguments });
  }
  return { text: text.join(''), reasoning: reasoning.join(''), calls };
}
