import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Dialect, ParseContext, Span } from '../dialects/dialect.ts';
import { DragomanError } from '../errors.ts';
import { parsePolicyOf } from '../plan/call-policy.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import { leftOutProbabilities } from '../wires/report-dropped.ts';
import { SpanWriter, type SpanWriterOptions } from './span-writer.ts';

type MessageEnd = Extract<ChatEvent, { readonly type: 'message-end' }>;

/** What it takes to read the calls of one reply. */
export interface ParseOptions extends SpanWriterOptions {
  readonly dialect: Pick<Dialect, 'createParser'>;
  readonly context: ParseContext;
  /** A call that has been read already ends the text before it. Default: the text goes on after it. */
  readonly endsAtCalls?: boolean;
}

/**
 * Reads the calls that a text model writes. The text of a reply runs through the dialect's parser as one stream,
 * whatever blocks the upstream's wire cut it into; everything else passes, native calls as they were validated. Exactly one
 * terminal event leaves: a reply that stops without one becomes an error.
 */
export function createCallParser(options: ParseOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new CallParser(options, sink);
}

/** What a parser may decide by, for this request: only its tools, and as many calls as it allows. */
export function parseContextOf(request: ChatRequest, rule: ModelRule): ParseContext {
  const { marks } = rule.finalAnswer;
  return {
    tools: request.tools,
    policy: {
      ...parsePolicyOf(request, rule),
      ...(marks === 'auto' ? {} : { answers: marks }),
    },
    limits: rule.limits,
    ...(rule.opened === undefined ? {} : { opened: rule.opened }),
  };
}

class CallParser implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  readonly #spans: SpanWriter;
  readonly #createParser: () => Stage<string>;
  readonly #endsAtCalls: boolean;
  /** Absent until there is something to read: its table takes a while where the tools are new, and the request is to leave. */
  #begun: Stage<string> | undefined;
  #inCall = false;
  /** How many calls broke off so far, those that stayed text included. */
  #callsCut = 0;
  #refuses = false;
  #hasNativeCalls = false;
  #parserEnded = false;
  /** What the upstream said beside the text while a call was open: it must not break the call apart. */
  #waiting: ChatEvent[] = [];

  constructor(options: ParseOptions, sink: Sink<ChatEvent>) {
    this.#writer = new EventWriter(sink);
    this.#spans = new SpanWriter(this.#writer, options);
    this.#endsAtCalls = options.endsAtCalls === true;
    const { dialect, context } = options;
    let create: StageFactory<string, Span> | undefined;
    this.#createParser = () => {
      create ??= dialect.createParser(context);
      return create((span) => {
        this.#follow(span);
        this.#spans.write(span);
        this.#letWaiting();
      });
    };
  }

  #follow(span: Span): void {
    if (span.kind === 'call') this.#inCall = true;
    else if (span.kind === 'call-end' || span.kind === 'call-cut') this.#inCall = false;
    const isCut = span.kind === 'warning' ? span.warning.code === 'call-cut' : span.kind === 'call-cut';
    if (isCut) this.#callsCut += 1;
  }

  get #parser(): Stage<string> {
    this.#begun ??= this.#createParser();
    return this.#begun;
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-delta':
        if (this.#refuses) this.#between(event);
        else {
          // Tokens of markup belong to no text.
          if (event.extra !== undefined) this.#writer.warnOnce(leftOutProbabilities);
          this.#parser.push(event.text);
        }
        return;
      case 'text-end':
        // A block of another kind came as the extra of an empty text; what it says of a text stays with that text.
        if (event.extra !== undefined || this.#refuses) this.#between(event);
        return;
      case 'text-start':
        // Where the upstream itself tells a refusal from text, no call can be in it.
        this.#refuses = event.refusal === true;
        if (this.#refuses) this.#between(event);
        return;
      case 'reasoning-start':
        return;
      case 'tool-call-start':
        if (this.#endsAtCalls) this.#endText();
        this.#between(event);
        return;
      case 'message-start':
      case 'conversation':
      case 'usage':
      case 'warning':
        this.#writer.write(event);
        return;
      case 'message-end':
        this.#end(event);
        return;
      case 'error':
        this.#endParser(event.error);
        this.#writer.fail(event.error);
        return;
      default:
        this.#between(event);
    }
  }

  end(cut?: DragomanError): void {
    if (this.#writer.ended) return;
    const error = cut ?? new DragomanError('upstream-cut', 'The upstream stopped before its reply was finished.');
    this.#endParser(error);
    this.#writer.fail(error);
  }

  #end({ unmarked, ...event }: MessageEnd): void {
    const cut = cutOf(event) ?? (unmarked === true ? closedEarly() : undefined);
    const callsCut = this.#callsCut;
    this.#endParser(cut);
    // A reply that nobody called whole is none if it stops within a call.
    if (unmarked === true && this.#callsCut > callsCut) this.#writer.fail(closedEarly());
    else this.#writer.write({ ...event, finishReason: this.#finishReason(event) });
  }

  #between(event: ChatEvent): void {
    if (this.#inCall) this.#waiting.push(event);
    else this.#beside(event);
  }

  /** What the upstream sent beside its text. A native call of a model that has a dialect is still a call. */
  #beside(event: ChatEvent): void {
    // Several blocks of reasoning in a row are one, unless a signature closes them.
    if (event.type === 'reasoning-end' && event.extra === undefined) return;
    if (event.type === 'tool-call-end') this.#hasNativeCalls = true;
    this.#writer.write(event);
  }

  #letWaiting(): void {
    if (this.#waiting.length === 0 || this.#inCall) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#beside(event);
  }

  /** What the parser holds leaves, and what follows is another text. */
  #endText(): void {
    this.#parser.end();
    this.#inCall = false;
    this.#letWaiting();
    this.#begun = this.#createParser();
  }

  #endParser(cut: DragomanError | undefined): void {
    if (this.#parserEnded) return;
    this.#parserEnded = true;
    this.#parser.end(cut);
    this.#inCall = false;
    this.#letWaiting();
  }

  #finishReason(event: MessageEnd): FinishReason {
    if (event.finishReason === 'length' || event.finishReason === 'content-filter') return event.finishReason;
    return this.#hasNativeCalls ? 'tool-calls' : this.#spans.finishReason;
  }
}

/** A reply that ran into a limit or a filter has stopped short: its last call may not be taken for whole. */
function cutOf(event: MessageEnd): DragomanError | undefined {
  switch (event.finishReason) {
    case 'length':
      return new DragomanError('upstream-cut', 'The reply reached its token limit. Raise the limit.');
    case 'content-filter':
      return new DragomanError('upstream-cut', 'The upstream filtered the rest of the reply.');
    case 'stop':
    case 'tool-calls':
      return undefined;
    default:
      throw new Error(`no rule for the finish reason ${event.finishReason satisfies never}`);
  }
}

function closedEarly(): DragomanError {
  return new DragomanError('upstream-cut', 'The upstream closed the stream in the middle of a tool call.');
}
