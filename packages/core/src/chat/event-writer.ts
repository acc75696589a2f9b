import { BlockWriter } from './block-writer.ts';
import type { ChatEvent, FinishReason, Usage } from './event.ts';
import type { Extra } from './message.ts';
import type { Warning } from './warning.ts';

/** A slice of text with what is special about it. With `extra`, the text may be empty. */
export interface MarkedText {
  readonly text: string;
  readonly refusal?: true;
  readonly extra?: Extra;
}

/** More than so many different things are not warned of once each: nobody reads them. */
const mostWarned = 20;

/**
 * Writes all that readers of wires and the stages say as chat events, in order: besides what a model says also refusals,
 * usage, what one wire knows, and the events of another stream.
 */
export class EventWriter extends BlockWriter {
  #started = false;
  /** Warnings before the start of the message, which nothing may come before. */
  #early: Warning[] = [];
  /** The text that `write` was told of last is a refusal. */
  #refuses = false;

  /** What `warnOnce` has warned of. */
  #warned: Set<string> | undefined;

  get started(): boolean {
    return this.#started;
  }

  /** Once; what comes again counts for nothing. */
  override start(id: string, model: string, truncates = false): void {
    if (this.#started) return;
    this.#started = true;
    if (truncates) this.send({ type: 'message-start', id, model, truncates });
    else super.start(id, model);
    for (const warning of this.#early) this.warning(warning);
    this.#early = [];
  }

  /** One that comes before the message has started waits for its start. */
  override warning(warning: Warning): void {
    if (this.#started) super.warning(warning);
    else this.#early.push(warning);
  }

  override end(finishReason: FinishReason, rawFinishReason?: string): void {
    if (rawFinishReason === undefined) super.end(finishReason);
    else this.endWith({ type: 'message-end', finishReason, rawFinishReason });
  }

  marked({ text, refusal, extra }: MarkedText): void {
    if (text === '' && extra === undefined) return;
    const block = this.openText(refusal === true ? 'refusal' : 'text');
    const delta = { type: 'text-delta', block, text } as const;
    this.send(extra === undefined ? delta : { ...delta, extra });
  }

  /**
   * Closes the open reasoning block with its signature. Where none is open, an empty block carries it: some models send
   * only that. Without a signature, any other block closes the open one too.
   */
  reasoningEnd(extra: Extra): void {
    this.closeWith({ type: 'reasoning-end', block: this.openReasoning(), extra });
  }

  /** Closes the open text with what one wire knows of it. Where none is open, an empty one carries it. */
  textEnd(extra: Extra): void {
    const block = this.openText(this.open === 'refusal' ? 'refusal' : 'text');
    this.closeWith({ type: 'text-end', block, extra });
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
        this.send(event);
        break;
      case 'warning':
        this.warning(event.warning);
        break;
      case 'message-end':
        this.endWith(event);
        break;
      case 'error':
        this.fail(event.error);
        break;
      default:
        event satisfies never;
    }
  }

  /** Warns once of each thing, as some come with every piece of a reply. */
  warnOnce(warning: Warning, about = warning.message): void {
    this.#warned ??= new Set();
    if (this.#warned.has(about) || this.#warned.size >= mostWarned) return;
    this.#warned.add(about);
    this.warning(warning);
  }

  usage(usage: Usage): void {
    this.send({ type: 'usage', usage });
  }

  /** Ends as far as anybody can tell: the upstream ended its stream in good order, without the mark that ends its replies. */
  endUnmarked(finishReason: FinishReason = 'stop'): void {
    this.warning({
      code: 'end-unmarked',
      message: 'The upstream ended its stream in good order, but did not say that the reply was over. It may be half.',
    });
    this.endWith({ type: 'message-end', finishReason, unmarked: true });
  }
}
