import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { ChatEvent, DragomanError, Sink, Warning } from '@dragoman/core';
import type { KeptMetadata } from './kept-metadata.ts';

type MessageEnd = Extract<ChatEvent, { readonly type: 'message-end' }>;

/** Writes chat events as the SDK's parts. Warnings of the reply are in the metadata of `finish`, under `dragoman`. */
export class PartWriter {
  readonly #sink: Sink<LanguageModelV4StreamPart>;
  readonly #kept: KeptMetadata;
  readonly #warnings: Warning[] = [];
  #call = { id: '', name: '' };

  constructor(sink: Sink<LanguageModelV4StreamPart>, kept: KeptMetadata) {
    this.#sink = sink;
    this.#kept = kept;
  }

  write(event: ChatEvent): void {
    switch (event.type) {
      case 'message-start':
      case 'conversation':
      case 'usage':
        return;
      case 'text-start':
      case 'reasoning-start':
        this.#sink({ type: event.type, id: idOf(event) });
        return;
      case 'text-delta':
      case 'reasoning-delta':
        this.#sink({ type: event.type, id: idOf(event), delta: event.text });
        return;
      case 'text-end':
        this.#sink({ type: event.type, id: idOf(event), ...this.#kept.endingOf(event.extra) });
        return;
      case 'reasoning-end': {
        const { citations: _, ...ending } = this.#kept.endingOf(event.extra);
        this.#sink({ type: event.type, id: idOf(event), ...ending });
        return;
      }
      case 'tool-call-start':
        this.#call = { id: event.callId, name: event.name };
        this.#sink({ type: 'tool-input-start', id: event.callId, toolName: event.name });
        return;
      case 'tool-call-delta':
        this.#sink({ type: 'tool-input-delta', id: this.#call.id, delta: event.text });
        return;
      case 'tool-call-end':
        this.#endCall(event.arguments);
        return;
      case 'tool-call-cut':
        // Without the part `tool-call` nothing is run.
        this.#sink({ type: 'tool-input-end', id: this.#call.id });
        return;
      case 'warning':
        this.#warnings.push(event.warning);
        return;
      case 'message-end':
        this.#finish(event);
        return;
      case 'error':
        this.#fail(event.error);
        return;
      default:
        throw new Error(`no rule for the event ${JSON.stringify(event satisfies never)}`);
    }
  }

  #endCall(input: string): void {
    const { id, name } = this.#call;
    const { citations: _, ...metadata } = this.#kept.ofCall(id);
    this.#sink({ type: 'tool-input-end', id });
    this.#sink({ type: 'tool-call', toolCallId: id, toolName: name, input, ...metadata });
  }

  #finish({ finishReason }: MessageEnd): void {
    const { finish } = this.#kept;
    if (finish === undefined) return;
    const { unified, raw } = finish.finishReason;
    // "other" says more than the "stop" that it was read as.
    const reason = unified === 'other' && finishReason === 'stop' ? unified : finishReason;
    this.#sink({ ...finish, ...this.#metadata(), finishReason: { unified: reason, raw } });
  }

  /** The provider's own words for a bad end, or ours where it had none. */
  #fail(error: DragomanError): void {
    const { finish, failed } = this.#kept;
    if (finish !== undefined) this.#sink({ ...finish, ...this.#metadata() });
    else if (!failed) this.#sink({ type: 'error', error });
  }

  #metadata(): { readonly providerMetadata?: SharedV4ProviderMetadata } {
    if (this.#warnings.length === 0) return {};
    const warnings = this.#warnings.map((warning) => ({ ...warning }));
    return { providerMetadata: { ...this.#kept.finish?.providerMetadata, dragoman: { warnings } } };
  }
}

function idOf({ type, block }: { readonly type: string; readonly block: number }): string {
  return `${type.startsWith('text') ? 'text' : 'reasoning'}-${block}`;
}
