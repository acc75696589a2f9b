import type { DragomanError } from '../errors.ts';
import type { Sink } from '../stream/stage.ts';
import type { ChatEvent, FinishReason, Usage } from './event.ts';
import type { Extra } from './message.ts';
import type { Warning } from './warning.ts';

/** Which kind of block is open. */
type Open = 'none' | TextKind | 'reasoning' | 'call';

/** A refusal is a text of its own kind. */
type TextKind = 'text' | 'refusal';

/** A slice of text with what is special about it. With `extra`, the text may be empty. */
export interface MarkedText {
  readonly text: string;
  readonly refusal?: true;
  readonly extra?: Extra;
}

/**
 * Writes a stream of chat events that keeps the grammar: opens and closes blocks, numbers them, joins arguments.
 * Readers of wires and the parse stage say what came; this says it in order.
 */
export class EventWriter {
  readonly #sink: Sink<ChatEvent>;
  #open: Open = 'none';
  #block = -1;
  #arguments: string[] = [];
  /** The text that `write` was told of last is a refusal. */
  #refuses = false;
  #started = false;
  #ended = false;
  /** Warnings before the start of the message, which nothing may come before. */
  #early: Warning[] = [];

  constructor(sink: Sink<ChatEvent>) {
    this.#sink = sink;
  }

  get started(): boolean {
    return this.#started;
  }

  get ended(): boolean {
    return this.#ended;
  }

  start(id: string, model: string, truncates = false): void {
    if (this.#started) return;
    this.#started = true;
    this.#sink(truncates ? { type: 'message-start', id, model, truncates } : { type: 'message-start', id, model });
    for (const warning of this.#early) this.warning(warning);
    this.#early = [];
  }

  text(text: string): void {
    if (text === '') return;
    if (this.#open !== 'text') this.#openText('text');
    this.#sink({ type: 'text-delta', block: this.#block, text });
  }

  marked({ text, refusal, extra }: MarkedText): void {
    if (text === '' && extra === undefined) return;
    const kind = refusal === true ? 'refusal' : 'text';
    if (this.#open !== kind) this.#openText(kind);
    const delta = { type: 'text-delta', block: this.#block, text } as const;
    this.#sink(extra === undefined ? delta : { ...delta, extra });
  }

  reasoning(text: string): void {
    if (text === '') return;
    if (this.#open !== 'reasoning') {
      this.closeBlock();
      this.#openBlock('reasoning');
      this.#sink({ type: 'reasoning-start', block: this.#block });
    }
    this.#sink({ type: 'reasoning-delta', block: this.#block, text });
  }

  /**
   * Closes the open reasoning block with its signature. Where none is open, an empty block carries it: some models send
   * only that. Without a signature, any other block closes the open one too.
   */
  reasoningEnd(extra: Extra): void {
    if (this.#open !== 'reasoning') {
      this.closeBlock();
      this.#openBlock('reasoning');
      this.#sink({ type: 'reasoning-start', block: this.#block });
    }
    this.#open = 'none';
    this.#sink({ type: 'reasoning-end', block: this.#block, extra });
  }

  /** Closes the open text with what one wire knows of it. Where none is open, an empty one carries it. */
  textEnd(extra: Extra): void {
    if (this.#open !== 'text' && this.#open !== 'refusal') this.#openText('text');
    this.#open = 'none';
    this.#sink({ type: 'text-end', block: this.#block, extra });
  }

  callStart(callId: string, name: string): void {
    this.closeBlock();
    this.#openBlock('call');
    this.#arguments = [];
    this.#sink({ type: 'tool-call-start', block: this.#block, callId, name });
  }

  callDelta(text: string): void {
    if (text === '' || this.#open !== 'call') return;
    this.#arguments.push(text);
    this.#sink({ type: 'tool-call-delta', block: this.#block, text });
  }

  callEnd(): void {
    if (this.#open !== 'call') return;
    if (this.#arguments.length === 0) this.callDelta('{}');
    this.#open = 'none';
    const joined = this.#arguments.join('');
    this.#arguments = [];
    this.#sink({ type: 'tool-call-end', block: this.#block, arguments: joined });
  }

  callCut(): void {
    if (this.#open !== 'call') return;
    this.#open = 'none';
    this.#arguments = [];
    this.#sink({ type: 'tool-call-cut', block: this.#block });
  }

  /**
   * Writes an event of another stream as it is, under this stream's own block numbers. What opens a block of text or
   * reasoning writes nothing: its first delta opens it.
   */
  write(event: ChatEvent): void {
    switch (event.type) {
      case 'message-start':
        this.start(event.id, event.model, event.truncates);
        break;
      case 'text-start':
        this.#refuses = event.refusal === true;
        break;
      case 'reasoning-start':
        break;
      case 'text-delta':
        if (!this.#refuses && event.extra === undefined) this.text(event.text);
        else this.marked(this.#refuses ? { ...event, refusal: true } : event);
        break;
      case 'reasoning-delta':
        this.reasoning(event.text);
        break;
      case 'text-end':
        if (event.extra === undefined) this.closeBlock();
        else this.textEnd(event.extra);
        break;
      case 'reasoning-end':
        if (event.extra === undefined) this.closeBlock();
        else this.reasoningEnd(event.extra);
        break;
      case 'tool-call-start':
        this.callStart(event.callId, event.name);
        break;
      case 'tool-call-delta':
        this.callDelta(event.text);
        break;
      case 'tool-call-end':
        this.callEnd();
        break;
      case 'tool-call-cut':
        this.callCut();
        break;
      case 'usage':
        this.usage(event.usage);
        break;
      case 'conversation':
        this.#sink(event);
        break;
      case 'warning':
        this.warning(event.warning);
        break;
      case 'message-end':
        this.#end(event);
        break;
      case 'error':
        this.fail(event.error);
        break;
      default:
        event satisfies never;
    }
  }

  usage(usage: Usage): void {
    this.#sink({ type: 'usage', usage });
  }

  /** One that comes before the message has started waits for its start. */
  warning(warning: Warning): void {
    if (this.#started) this.#sink({ type: 'warning', warning });
    else this.#early.push(warning);
  }

  /** Ends well. An open call is cut: only `callEnd` makes a call whole. */
  end(finishReason: FinishReason, rawFinishReason?: string): void {
    this.#end(
      rawFinishReason === undefined
        ? { type: 'message-end', finishReason }
        : { type: 'message-end', finishReason, rawFinishReason },
    );
  }

  /** Ends as far as anybody can tell: the upstream ended its stream in good order, without the mark that ends its replies. */
  endUnmarked(finishReason: FinishReason = 'stop'): void {
    this.warning({
      code: 'end-unmarked',
      message: 'The upstream ended its stream in good order, but did not say that the reply was over. It may be half.',
    });
    this.#end({ type: 'message-end', finishReason, unmarked: true });
  }

  /** Ends badly. */
  fail(error: DragomanError): void {
    this.#end({ type: 'error', error });
  }

  #end(event: Extract<ChatEvent, { readonly type: 'message-end' | 'error' }>): void {
    if (this.#ended) return;
    this.closeBlock();
    this.#ended = true;
    this.#sink(event);
  }

  closeBlock(): void {
    if (this.#open === 'text' || this.#open === 'refusal') this.#sink({ type: 'text-end', block: this.#block });
    else if (this.#open === 'reasoning') this.#sink({ type: 'reasoning-end', block: this.#block });
    else if (this.#open === 'call') this.callCut();
    this.#open = 'none';
  }

  #openText(kind: TextKind): void {
    this.closeBlock();
    this.#openBlock(kind);
    const start = { type: 'text-start', block: this.#block } as const;
    this.#sink(kind === 'refusal' ? { ...start, refusal: true } : start);
  }

  #openBlock(kind: Open): void {
    this.#block += 1;
    this.#open = kind;
  }
}
