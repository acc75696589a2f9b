import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { OutputFormat } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import { AnswerReader } from '../json/answer-reader.ts';
import { findMisfit, misfitWords } from '../json/find-misfit.ts';
import { parsedJson } from '../json/parsed-json.ts';
import { SchemaView } from '../json/schema.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { ReplyHooks } from '../upstream/reply.ts';

/** Text beyond this many UTF-16 units of a reply is not judged. */
const longestJudged = 4_000_000;

/** What an answer of any shape is read as: a string would be one that holds the JSON. */
const anyShape = SchemaView.of({ type: ['object', 'array', 'number', 'boolean', 'null'] });

/** What the answer has to be, and who is told that the model writes what nobody sees yet. */
export interface BareJsonOptions extends Pick<ReplyHooks, 'hidden'> {
  readonly format: OutputFormat;
  /** The client gets the answer as a whole, so that nothing of it has to leave before all of it is known. */
  readonly waits: boolean;
}

/**
 * For a client that asked for JSON: of all that a reply says as text, only the JSON leaves, read as `AnswerReader` reads
 * it. What is no JSON after all, or does not fit the schema, is told (`format-missed`) and delivered. A refusal and a call need not be JSON; with either,
 * text passes as it is.
 */
export function createBareJson(options: BareJsonOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new BareJson(sink, options);
}

class BareJson implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  readonly #format: OutputFormat;
  readonly #hidden: () => void;
  readonly #reader: AnswerReader;
  readonly #warnings: Warning[] = [];
  readonly #text: string[] = [];
  #length = 0;
  #refuses = false;
  /** By something that need not be JSON: a call, or a refusal. */
  #answered = false;

  constructor(sink: Sink<ChatEvent>, { format, hidden, waits }: BareJsonOptions) {
    this.#writer = new EventWriter(sink);
    this.#format = format;
    this.#hidden = hidden;
    const isAny = format.type === 'json';
    this.#reader = new AnswerReader({
      schema: isAny ? anyShape : SchemaView.of(format.schema),
      fits: (json) => judge(json, format)?.code !== 'format-missed',
      waits,
      warning: (code, message) => {
        // Where any shape will do, a string that holds no JSON is the answer itself.
        if (!isAny || code !== 'value-kept') this.#warnings.push({ code, message });
      },
    });
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#refuses = event.refusal === true;
        if (this.#refuses) this.#pass();
        this.#answered ||= this.#refuses;
        this.#writer.write(event);
        return;
      case 'text-delta':
        if (this.#refuses) this.#writer.write(event);
        else this.#show({ ...event, text: this.#reader.read(event.text) });
        return;
      case 'tool-call-start':
        this.#pass();
        this.#writer.write(event);
        return;
      case 'tool-call-end':
        this.#answered = true;
        this.#writer.write(event);
        return;
      case 'message-end':
        this.#say(this.#reader.end({ cut: event.finishReason !== 'stop' }));
        this.#report();
        if (event.finishReason === 'stop' && !this.#answered) this.#judge();
        this.#writer.write(event);
        return;
      case 'error':
        this.end();
        this.#writer.write(event);
        return;
      default:
        this.#writer.write(event);
    }
  }

  end(): void {
    if (this.#writer.ended) return;
    this.#say(this.#reader.end({ cut: true }));
    this.#report();
  }

  /** What comes need not be JSON, and neither need what was said before it. */
  #pass(): void {
    this.#say(this.#reader.release());
    this.#report();
  }

  #say(text: string): void {
    this.#keep(text);
    this.#writer.text(text);
  }

  #show(delta: Extract<ChatEvent, { readonly type: 'text-delta' }>): void {
    if (delta.text === '') this.#hidden();
    this.#keep(delta.text);
    this.#writer.write(delta);
  }

  #keep(text: string): void {
    this.#length += text.length;
    if (this.#length <= longestJudged) this.#text.push(text);
  }

  #report(): void {
    for (const warning of this.#warnings.splice(0)) this.#writer.warning(warning);
  }

  #judge(): void {
    const warning = this.#length > longestJudged ? unjudged : judge(this.#text.join(''), this.#format);
    if (warning !== undefined) this.#writer.warning(warning);
  }
}

const unjudged: Warning = {
  code: 'limit-reached',
  message: 'Not all of the answer was checked: its schema asks for what is not checked, or for too much work.',
};

/** What is wrong with an answer, if anything is. */
function judge(text: string, format: OutputFormat): Warning | undefined {
  const value = parsedJson(text);
  if (value === undefined) return { code: 'format-missed', message: 'The answer is not JSON.' };
  const misfit = format.type === 'json' ? undefined : findMisfit(value, format.schema);
  if (misfit === undefined || misfit === 'unjudged') return misfit && unjudged;
  return { code: 'format-missed', message: `The answer does not fit its schema: ${misfitWords(misfit)}.` };
}
