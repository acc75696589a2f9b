import { collect } from '../../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../../chat/event.ts';
import type { DragomanError } from '../../errors.ts';
import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { finishWithoutCalls } from '../finish-reasons.ts';
import { writeUsage } from '../openai-usage.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { promptOf, type WireFinishReason, wireId } from './types.ts';

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

class StreamWriter extends ReplyWriter {
  readonly #leaveOut: ReturnType<typeof leavesOut>;
  /** A chunk up to its choices, and up to the text of its choice. */
  readonly #head: string;
  readonly #beforeText: string;
  /** What still has to leave before the first text. */
  #echo: string;

  constructor(sink: Sink<string>, context: ReplyContext) {
    super(sink, context);
    this.#leaveOut = leavesOut(context);
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

  protected override text(text: string): void {
    if (text !== '') this.sink(this.#chunk(this.#withEcho(text), null));
  }

  protected override beginReasoning(): void {
    this.#leaveOut('Reasoning');
  }

  protected override beginCall(): void {
    this.#leaveOut('A call');
  }

  protected override finish({ finishReason }: { readonly finishReason: FinishReason }): void {
    this.#finish(this.#chunk(this.#withEcho(''), finishWithoutCalls(finishReason)));
  }

  protected override fail(error: DragomanError): void {
    this.#finish(encodeSse(JSON.stringify(writeOpenaiError(error))) + this.#chunk('', finishOfFailure));
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

  #finish(frames: string): void {
    this.sink(`${frames + this.#usageFrame()}data: [DONE]\n\n`);
  }

  #usageFrame(): string {
    if (this.usage === undefined || !this.context.request.includeUsage) return '';
    return `${this.#head}[],"usage":${JSON.stringify(writeUsage(this.usage))}}\n\n`;
  }
}

/** A whole answer out of its events: its text, after the prompt where the client asked for an echo. */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext) {
  const { text, usage, finishReason = 'length' } = collect(events);
  const leaveOut = leavesOut(context);
  for (const { type } of events) {
    if (type === 'reasoning-start') leaveOut('Reasoning');
    else if (type === 'tool-call-start') leaveOut('A call');
  }
  const prompt = promptOf(context.request);
  return {
    id: `cmpl-${context.replyId}`,
    object: 'text_completion',
    created: context.created,
    model: context.request.model,
    choices: [
      {
        text: prompt?.echo === true ? prompt.text + text : text,
        index: 0,
        logprobs: null,
        finish_reason: finishWithoutCalls(finishReason),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  };
}

/** Tells, once for each thing, what a reply holds and this API has no place for. It is left out. */
function leavesOut({ report }: ReplyContext): (what: 'Reasoning' | 'A call') => void {
  const told = new Set<string>();
  return (what) => {
    if (told.has(what)) return;
    told.add(what);
    const message = `${what} was left out of the reply: ${wireId} has no field for it. Clients of the other APIs get it.`;
    report?.({ code: 'field-dropped', message });
  };
}
