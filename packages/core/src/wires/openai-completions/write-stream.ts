import type { ChatEvent } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink, Stage, StageFactory } from '../../stream/stage.ts';
import { WholeCharacters } from '../whole-characters.ts';
import type { ReplyContext } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { writeUsage } from '../write-openai-usage.ts';
import { promptOf } from './prompt-of.ts';
import type { WireFinishReason } from './types.ts';
import { Unsaid } from './unsaid.ts';
import { writeFinishReason } from './write-finish-reason.ts';

/** Of a reply that failed. Not `stop`, which would make its part a finished text. */
const finishOfFailure: WireFinishReason = 'length';

/**
 * Chat events as Completions chunks. Each output is whole frames, ready to be sent.
 *
 * Only text can be said: reasoning and calls are left out, and `context.tell` hears of it. An echoed prompt leaves with
 * the first text, so that an early failure can still become an HTTP status. A failure is told by an error frame in front
 * of the last chunk. Exactly one chunk has a finish reason, and one `[DONE]` comes last.
 */
export function createStreamWriter(context: ReplyContext): StageFactory<ChatEvent, string> {
  return (sink) => new StreamWriter(sink, context);
}

class StreamWriter implements Stage<ChatEvent> {
  readonly #sink: Sink<string>;
  readonly #includeUsage: boolean;
  readonly #unsaid: Unsaid;
  readonly #characters = new WholeCharacters();
  /** A chunk up to its choices, and up to the text of its choice. */
  readonly #head: string;
  readonly #beforeText: string;
  /** What still has to leave in front of the first text. */
  #echo: string;
  #ended = false;
  #usageFrame = '';

  constructor(sink: Sink<string>, context: ReplyContext) {
    this.#sink = sink;
    this.#includeUsage = context.request.includeUsage;
    this.#unsaid = new Unsaid(context);
    const prompt = promptOf(context.request);
    this.#echo = prompt?.echo === true ? prompt.text : '';
    const constant = JSON.stringify({
      id: `cmpl-${context.replyId}`,
      object: 'text_completion',
      created: context.created,
      model: context.request.model,
    });
    this.#head = `data: ${constant.slice(0, -1)},"choices":`;
    this.#beforeText = `${this.#head}[{"text":`;
  }

  push(event: ChatEvent): void {
    if (this.#ended) return;
    switch (event.type) {
      case 'text-delta':
        this.#text(this.#characters.push(event.text));
        break;
      case 'text-end':
        this.#text(this.#characters.flush());
        break;
      case 'reasoning-start':
      case 'tool-call-start':
        this.#unsaid.see(event);
        break;
      case 'message-start':
      case 'text-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'tool-call-delta':
      case 'tool-call-end':
      case 'tool-call-cut':
      case 'warning':
      case 'conversation':
        break;
      case 'usage':
        if (this.#includeUsage) {
          this.#usageFrame = `${this.#head}[],"usage":${JSON.stringify(writeUsage(event.usage))}}\n\n`;
        }
        break;
      case 'message-end':
        this.#finish(this.#chunk(this.#withEcho(''), writeFinishReason(event.finishReason)));
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        event satisfies never;
    }
  }

  /** A stream that ends without its terminal event is a failure too, so the client never waits in vain. */
  end(cut?: DragomanError): void {
    if (!this.#ended) this.#fail(cut ?? new DragomanError('internal', 'The reply ended without saying how.'));
  }

  #text(text: string): void {
    if (text !== '') this.#sink(this.#chunk(this.#withEcho(text), null));
  }

  #withEcho(text: string): string {
    const whole = this.#echo + text;
    this.#echo = '';
    return whole;
  }

  #chunk(text: string, reason: WireFinishReason | null): string {
    const ending = reason === null ? 'null' : `"${reason}"`;
    return `${this.#beforeText}${JSON.stringify(text)},"index":0,"logprobs":null,"finish_reason":${ending}}]}\n\n`;
  }

  #fail(error: DragomanError): void {
    this.#finish(encodeSse(JSON.stringify(writeOpenaiError(error))) + this.#chunk('', finishOfFailure));
  }

  #finish(frames: string): void {
    this.#ended = true;
    this.#sink(`${frames + this.#usageFrame}data: [DONE]\n\n`);
  }
}
