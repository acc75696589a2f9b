import type { ChatEvent } from '../chat/event.ts';
import type { Message } from '../chat/message.ts';
import { movedBlock } from '../chat/moved-block.ts';
import { quoteName } from '../chat/warning.ts';
import type { FinalAnswerRule } from '../plan/rules.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';

const names = ['final_answer', 'FINAL_ANSWER'];

/** How the marks are read of a model that was told these messages; they are asked for only where they count. */
export function readMarks({ marks }: FinalAnswerRule, told: () => readonly Message[]): FinalAnswerRule['marks'] {
  if (marks !== 'auto') return marks;
  const asks = ({ role, content }: Message) =>
    role !== 'assistant' &&
    content.some((part) => part.type === 'text' && names.some((name) => part.text.includes(name)));
  return told().some(asks) ? 'read' : 'auto';
}

/**
 * What becomes of calls in a reply whose model marked its final answer, as `answered` tells; it has to tell before the
 * answer's text comes. With `drop-tools` nothing after a call is shown before it is known whether there is an answer.
 */
export function createFinalAnswer(
  withTools: Exclude<FinalAnswerRule['withTools'], 'run-tools'>,
  answered: () => boolean,
): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => (withTools === 'stop' ? endsWithStop(sink, answered) : new CallDrop(sink, answered));
}

function endsWithStop(sink: Sink<ChatEvent>, answered: () => boolean): Stage<ChatEvent> {
  return { push: (event) => sink(answered() ? ended(event) : event), end: () => {} };
}

function ended(event: ChatEvent): ChatEvent {
  const isEnd = event.type === 'message-end' && event.finishReason === 'tool-calls';
  return isEnd ? { ...event, finishReason: 'stop' } : event;
}

class CallDrop implements Stage<ChatEvent> {
  readonly #sink: Sink<ChatEvent>;
  readonly #answered: () => boolean;
  /** The first call and all that came after it, while there is no answer. */
  #held: ChatEvent[] = [];
  /** The tool of the call that is being left out. */
  #leftOut = '';
  /** How many blocks have been left out; every later block moves up by so much. */
  #missing = 0;

  constructor(sink: Sink<ChatEvent>, answered: () => boolean) {
    this.#sink = sink;
    this.#answered = answered;
  }

  push(event: ChatEvent): void {
    if (this.#answered()) {
      this.#letOut((each) => this.#withoutCall(each));
      this.#withoutCall(event);
      return;
    }
    const isOver = event.type === 'message-end' || event.type === 'error';
    if (isOver) this.#letOut(this.#sink);
    if (!isOver && (this.#held.length > 0 || event.type === 'tool-call-start')) this.#held.push(event);
    else this.#sink(event);
  }

  end(): void {
    this.#letOut(this.#sink);
  }

  #letOut(sink: Sink<ChatEvent>): void {
    const held = this.#held;
    this.#held = [];
    for (const event of held) sink(event);
  }

  #withoutCall(event: ChatEvent): void {
    switch (event.type) {
      case 'tool-call-start':
        this.#leftOut = event.name;
        this.#missing += 1;
        return;
      case 'tool-call-delta':
      case 'tool-call-cut':
        return;
      case 'tool-call-end': {
        const message = `The reply holds a final answer: a call of ${quoteName(this.#leftOut)} was held back. Its arguments: ${event.arguments}`;
        this.#sink({ type: 'warning', warning: { code: 'call-surplus', message } });
        return;
      }
      default:
        this.#sink(ended(movedBlock(event, -this.#missing)));
    }
  }
}
