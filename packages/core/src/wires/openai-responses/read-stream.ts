import type { ChatEvent, FinishReason } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { quoteName } from '../../chat/warning.ts';
import { rememberNumbers } from '../../json/exact-json.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { FrameReader, piecesDiffer, ReplyReader, secondReply } from '../frame-reader.ts';
import { readUsage } from '../openai-usage.ts';
import { readStreamError, unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject, type JsonObject } from '../read-values.ts';
import type { Frame } from '../wire.ts';
import { Assembler } from './assembler.ts';
import { ItemsOfReply } from './items-of-reply.ts';
import { wireId } from './types.ts';

/**
 * Events of any server that speaks the Responses API as chat events, with the promises of `FrameReader`.
 *
 * The reply is good once its terminal event, or `[DONE]` after whole items, has come, whatever happens to the connection
 * afterwards; before that, its end is an error. Text and arguments may come as deltas, only at the end of a part, of an
 * item or of the response, or in all of these places: they leave once. A gap in the sequence numbers is reported. Usage
 * leaves just before the terminal event.
 */
export function createStreamReader(request: ChatRequest): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new StreamReader(sink, request));
}

/** Reads frames, and parsed bodies through the same path. Its terminal event is the last frame. */
class StreamReader extends ReplyReader {
  readonly #assembler: Assembler;
  readonly #items: ItemsOfReply;
  /** The most tokens that were asked for. */
  readonly #limit: number | undefined;
  #sequence: number | undefined;

  constructor(sink: Sink<ChatEvent>, request: ChatRequest) {
    super(sink, request.model);
    this.#limit = request.sampling.maxTokens;
    this.#assembler = new Assembler(this.writer);
    this.#items = new ItemsOfReply(this.writer, this.#assembler, asksForProbabilities(request));
  }

  override get inCall(): boolean {
    return this.#assembler.inCall;
  }

  override readFrame(value: unknown, { event, data }: Frame): boolean {
    if (!isObject(value)) return false;
    if (holdsValues(value)) rememberNumbers(data, value);
    this.read(typeof value.type === 'string' ? value : { ...value, type: event });
    return true;
  }

  /** One event. */
  read(event: JsonObject): void {
    if (this.writer.ended) return;
    this.#checkSequence(event.sequence_number);
    if (isObject(event.response)) this.#readHead(event.response);
    switch (event.type) {
      case 'response.created':
        // Two streams have become one: what follows belongs to another reply.
        if (this.#assembler.items.length > 0) this.fail(secondReply());
        return;
      case 'response.queued':
      case 'response.in_progress':
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
        this.#finish(isObject(event.response) ? event.response : {}, event.type);
        return;
      case 'response.failed':
      case 'response.cancelled':
      case 'error':
        this.fail(readStreamError(event));
        return;
      default:
        this.#readPart(event);
    }
  }

  #readPart(event: JsonObject): void {
    if (isObject(event.error)) {
      this.fail(readStreamError(event));
      return;
    }
    this.start();
    if (!this.#items.read(event)) {
      this.#report(`type ${String(event.type)}`, `Events of type ${quoteName(event.type)} are not read.`);
      return;
    }
    if (!this.#failContradicted()) this.#assembler.advance();
  }

  /** What says something twice has to say the same, as something was lost or changed else. */
  #failContradicted(): boolean {
    const { contradicted } = this.#items;
    if (contradicted !== undefined) this.fail(piecesDiffer(contradicted));
    return contradicted !== undefined;
  }

  #readHead({ id, model, usage }: JsonObject): void {
    if (typeof id === 'string' && id !== '') this.id = id;
    if (typeof model === 'string' && model !== '') this.model = model;
    this.usage = readUsage(usage) ?? this.usage;
  }

  /** The terminal event; its `response` holds the whole reply once more, or for the first time. */
  #finish(response: JsonObject, type: string): void {
    const { status, incomplete_details: details } = response;
    if (status === 'failed' || status === 'cancelled' || isObject(response.error)) {
      this.fail(readStreamError(response));
      return;
    }
    this.start();
    if (Array.isArray(response.output)) this.#items.readOutput(response.output);
    if (this.#failContradicted()) return;
    const word = isObject(details) && typeof details.reason === 'string' ? details.reason : '';
    const isIncomplete = status === 'incomplete' || type === 'response.incomplete';
    if (isIncomplete) this.#endWell(word || 'incomplete');
    else this.#endWell(this.#isAtLimit() ? 'max_output_tokens' : '');
  }

  /** llama.cpp and Ollama say `completed` of a reply that was cut at the limit; their numbers tell. */
  #isAtLimit(): boolean {
    return this.#limit !== undefined && this.usage !== undefined && this.usage.outputTokens >= this.#limit;
  }

  /** Without a terminal event, the mark of the end is worth as much as the items that came whole. */
  override done(): void {
    const { items } = this.#assembler;
    if (items.length > 0 && items.every((item) => item.over)) this.#endWell();
    else this.end();
  }

  /** `word`: why the reply is not complete; empty when it is, and undefined where the upstream did not say. */
  #endWell(word?: string): void {
    this.start();
    this.#assembler.finish();
    this.tellUsage();
    const reason = readFinishReason(word ?? '', this.#assembler.calls.whole);
    if (word === undefined) this.writer.endUnmarked(reason);
    else this.writer.end(reason, word === '' ? 'completed' : word);
  }

  #checkSequence(value: unknown): void {
    if (typeof value !== 'number') return;
    const expected = this.#sequence === undefined ? value : this.#sequence + 1;
    if (value !== expected) this.#report('sequence', `The sequence numbers jumped from ${this.#sequence} to ${value}.`);
    this.#sequence = value;
  }

  #report(what: string, message: string): void {
    this.writer.warnOnce({ code: 'event-unreadable', message }, what);
  }

  protected override cut(): void {
    this.#assembler.cut();
  }
}

/** Whether a client of this very wire asked for the probabilities of tokens. */
function asksForProbabilities({ extra }: ChatRequest): boolean {
  const own = extra[wireId];
  const isIncluded = Array.isArray(own?.include) && own.include.includes('message.output_text.logprobs');
  return isIncluded || (typeof own?.top_logprobs === 'number' && own.top_logprobs > 0);
}

function readFinishReason(word: string, wholeCalls: number): FinishReason {
  if (word === '') return wholeCalls > 0 ? 'tool-calls' : 'stop';
  return word === 'content_filter' || word === 'content-filter' ? 'content-filter' : 'length';
}

/** Arguments are mostly text; some servers write an object. */
function holdsValues({ arguments: own, item, response }: JsonObject): boolean {
  if (isObject(own) || (isObject(item) && isObject(item.arguments))) return true;
  if (!isObject(response) || !Array.isArray(response.output)) return false;
  return response.output.some((one) => isObject(one) && isObject(one.arguments));
}

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as the event that
 * ends one. Throws `upstream-unreadable` for what is neither a response nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  const isError = isObject(body) && !isAbsent(body.error);
  const isAnswer = isObject(body) && Array.isArray(body.output);
  if (!isError && !isAnswer) throw unreadableAnswer(body, 'a response');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request);
  const type = isAnswer ? typeOf(body.status) : 'error';
  reader.read(isAnswer ? { type, response: body } : { ...body, type });
  reader.end();
  return events;
}

/** A response that is not over yet has no place in a whole answer: its end is missing. */
function typeOf(status: unknown): string {
  switch (status) {
    case 'queued':
    case 'in_progress':
      return 'response.in_progress';
    case 'failed':
    case 'cancelled':
      return 'response.failed';
    default:
      return 'response.done';
  }
}
