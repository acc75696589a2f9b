import type { DragomanError } from '../errors.ts';
import type { Sink } from '../stream/stage.ts';
import type { ChatEvent, FinishReason } from './event.ts';
import type { Warning } from './warning.ts';

/** Which kind of block is open. A refusal is a text of its own kind. */
type Open = 'none' | TextKind | 'reasoning' | 'call';

export type TextKind = 'text' | 'refusal';

/**
 * Writes what a model itself can say as a stream of chat events that keeps the grammar: opens and closes blocks, numbers
 * them, joins arguments. `EventWriter` writes what APIs say besides.
 */
export class BlockWriter {
  readonly #sink: Sink<ChatEvent>;
  #open: Open = 'none';
  #block = -1;
  #arguments: string[] = [];
  #ended = false;

  constructor(sink: Sink<ChatEvent>) {
    this.#sink = sink;
  }

  get ended(): boolean {
    return this.#ended;
  }

  protected get open(): Open {
    return this.#open;
  }

  start(id: string, model: string): void {
    this.#sink({ type: 'message-start', id, model });
  }

  text(text: string): void {
    if (text === '') return;
    this.#sink({ type: 'text-delta', block: this.openText('text'), text });
  }

  reasoning(text: string): void {
    if (text === '') return;
    this.#sink({ type: 'reasoning-delta', block: this.openReasoning(), text });
  }

  callStart(callId: string, name: string): void {
    this.closeBlock();
    this.#arguments = [];
    this.#sink({ type: 'tool-call-start', block: this.#next('call'), callId, name });
  }

  callDelta(text: string): void {
    if (text === '' || this.#open !== 'call') return;
    this.#arguments.push(text);
    this.#sink({ type: 'tool-call-delta', block: this.#block, text });
  }

  callEnd(): void {
    if (this.#open !== 'call') return;
    if (this.#arguments.length === 0) this.callDelta('{}');
    const joined = this.#arguments.join('');
    this.#arguments = [];
    this.closeWith({ type: 'tool-call-end', block: this.#block, arguments: joined });
  }

  callCut(): void {
    if (this.#open !== 'call') return;
    this.#arguments = [];
    this.closeWith({ type: 'tool-call-cut', block: this.#block });
  }

  warning(warning: Warning): void {
    this.#sink({ type: 'warning', warning });
  }

  /** Ends well. An open call is cut: only `callEnd` makes a call whole. */
  end(finishReason: FinishReason): void {
    this.endWith({ type: 'message-end', finishReason });
  }

  /** Ends badly. */
  fail(error: DragomanError): void {
    this.endWith({ type: 'error', error });
  }

  closeBlock(): void {
    if (this.#open === 'text' || this.#open === 'refusal') this.closeWith({ type: 'text-end', block: this.#block });
    else if (this.#open === 'reasoning') this.closeWith({ type: 'reasoning-end', block: this.#block });
    else this.callCut();
  }

  /** The number of the open text, which may have to be opened first. */
  protected openText(kind: TextKind): number {
    if (this.#open === kind) return this.#block;
    this.closeBlock();
    const start = { type: 'text-start', block: this.#next(kind) } as const;
    this.#sink(kind === 'refusal' ? { ...start, refusal: true } : start);
    return this.#block;
  }

  /** The same for reasoning. */
  protected openReasoning(): number {
    if (this.#open === 'reasoning') return this.#block;
    this.closeBlock();
    this.#sink({ type: 'reasoning-start', block: this.#next('reasoning') });
    return this.#block;
  }

  /** The open block is over with this event. */
  protected closeWith(event: ChatEvent): void {
    this.#open = 'none';
    this.#sink(event);
  }

  protected endWith(event: Extract<ChatEvent, { readonly type: 'message-end' | 'error' }>): void {
    if (this.#ended) return;
    this.closeBlock();
    this.#ended = true;
    this.#sink(event);
  }

  /** In between blocks, or in the middle of one. */
  protected send(event: ChatEvent): void {
    this.#sink(event);
  }

  /** The number of a block that begins. */
  #next(kind: Open): number {
    this.#open = kind;
    this.#block += 1;
    return this.#block;
  }
}
