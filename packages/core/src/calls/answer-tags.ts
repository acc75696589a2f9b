import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { answerCloser, answerOpener } from '../prepare/constrain-calls.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';

/**
 * For a model that is taught to put what is no call between tags: they are left out where the text of a reply begins with one and
 * ends with the other, and the answer leaves while it is written. Tags elsewhere are text.
 */
export function createAnswerTags(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new AnswerTags(sink);
}

class AnswerTags implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  /** Where the reply stands: its text may begin with the opener, it is after it, or there is none. */
  #place: 'front' | 'answer' | 'none' = 'front';
  /** What may still be a tag. */
  #held = '';
  #refuses = false;

  constructor(sink: Sink<ChatEvent>) {
    this.#writer = new EventWriter(sink);
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#refuses = event.refusal === true;
        if (this.#refuses) this.#between(event);
        return;
      case 'text-delta':
        if (this.#refuses || event.extra !== undefined) this.#between(event);
        else this.#read(event.text);
        return;
      case 'text-end':
        if (this.#refuses || event.extra !== undefined) this.#between(event);
        return;
      case 'message-start':
      case 'usage':
      case 'warning':
      case 'conversation':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#writer.write(event);
        return;
      default:
        this.#between(event);
    }
  }

  end(): void {}

  #read(text: string): void {
    if (this.#place === 'none') {
      this.#writer.text(text);
      return;
    }
    this.#held += text;
    if (this.#place === 'front') this.#readFront();
    if (this.#place === 'answer') this.#readAnswer();
  }

  #readFront(): void {
    const front = this.#held.trimStart();
    if (answerOpener.startsWith(front)) return;
    const rest = front.startsWith(answerOpener) ? front.slice(answerOpener.length) : undefined;
    this.#place = rest === undefined ? 'none' : 'answer';
    if (rest === undefined) this.#letOut();
    else this.#held = rest.startsWith('\n') ? rest.slice(1) : rest;
  }

  /** Lets out all but what may be the closer: only after the whole text is it known to end it. */
  #readAnswer(): void {
    const from = this.#held.length - heldBack(this.#held);
    this.#writer.text(this.#held.slice(0, from));
    this.#held = this.#held.slice(from);
  }

  /** Something else than text is here, or the end of the reply. */
  #between(event: ChatEvent): void {
    if (this.#place === 'answer' && closers.includes(this.#held)) this.#held = '';
    this.#letOut();
    if (event.type === 'error') this.#writer.fail(event.error);
    else this.#writer.write(event);
  }

  #letOut(): void {
    this.#writer.text(this.#held);
    this.#held = '';
  }
}

const closers = [`\n${answerCloser}`, answerCloser];

/** How many characters at the end of a text are a closer, or the beginning of one. */
function heldBack(text: string): number {
  for (let length = Math.min(answerCloser.length + 1, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (closers.some((closer) => closer.startsWith(end))) return length;
  }
  return 0;
}
