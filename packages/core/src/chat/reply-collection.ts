import type { DragomanError } from '../errors.ts';
import type { ChatEvent, FinishReason, Usage } from './event.ts';
import type { ReasoningPart, TextPart, ToolCallPart } from './message.ts';
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

type ContentPart = CollectedMessage['content'][number];

const emptyWhole = { id: '', model: '', complete: false };

/** Collects what a model itself can say. `collect` collects what APIs say besides. */
export class ReplyCollection {
  readonly #content: ContentPart[] = [];
  readonly #warnings: Warning[] = [];
  /** What is known of all of it. */
  #whole: Pick<CollectedMessage, 'id' | 'model' | 'complete' | 'finishReason' | 'error'> = emptyWhole;
  /** Which kind of block is open, and its deltas. */
  #open: 'text' | 'reasoning' | 'none' = 'none';
  #deltas: string[] = [];
  #call: { readonly callId: string; readonly name: string } | undefined;

  take(event: ChatEvent): void {
    switch (event.type) {
      case 'message-start':
        this.#whole = { ...this.#whole, id: event.id, model: event.model };
        break;
      case 'text-start':
        this.#open = 'text';
        break;
      case 'reasoning-start':
        this.#open = 'reasoning';
        break;
      case 'text-delta':
      case 'reasoning-delta':
        this.#deltas.push(event.text);
        break;
      case 'text-end':
      case 'reasoning-end':
        this.#close();
        break;
      case 'tool-call-start':
        this.#call = { callId: event.callId, name: event.name };
        break;
      case 'tool-call-end':
        if (this.#call !== undefined)
          this.#content.push({ type: 'tool-call', ...this.#call, arguments: event.arguments });
        this.#call = undefined;
        break;
      case 'tool-call-cut':
        this.#call = undefined;
        break;
      case 'warning':
        this.#warnings.push(event.warning);
        break;
      case 'message-end':
        this.#whole = { ...this.#whole, complete: true, finishReason: event.finishReason };
        break;
      case 'error':
        this.#whole = { ...this.#whole, error: event.error };
        break;
    }
  }

  message(): CollectedMessage {
    this.#close();
    const content = this.#content;
    const textOf = (type: 'text' | 'reasoning') =>
      content.map((part) => (part.type === type ? part.text : '')).join('');
    const calls = content
      .filter((part) => part.type === 'tool-call')
      .map(({ callId, name, arguments: json }) => ({ callId, name, arguments: json }));
    return {
      text: textOf('text'),
      reasoning: textOf('reasoning'),
      content,
      calls,
      warnings: this.#warnings,
      ...this.#whole,
    };
  }

  /** What an API said of the block that ends here, or of its deltas. */
  protected takeBeside(): Pick<TextPart, 'refusal' | 'extra'> {
    return {};
  }

  #close(): void {
    const beside = this.takeBeside();
    if (this.#open !== 'none') this.#content.push({ type: this.#open, text: this.#deltas.join(''), ...beside });
    this.#open = 'none';
    this.#deltas = [];
  }
}
