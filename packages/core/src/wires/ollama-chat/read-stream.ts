import type { ChatEvent, FinishReason, Usage } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import { jsonOf, rememberNumbers } from '../../json/exact-json.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { FrameReader, type ReplyReader } from '../frame-reader.ts';
import { readStreamError, unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject, type JsonObject } from '../read-values.ts';
import { mintCallId, ReplyCallIds } from '../reply-call-ids.ts';
import { leftOutProbabilities } from '../report-dropped.ts';
import type { Frame } from '../wire.ts';

export interface StreamReaderOptions {
  /** Makes an id for a call that came without a usable one. Must never repeat. Default: `mintCallId`. */
  readonly mintId?: () => string;
}

/**
 * The lines of `/api/chat` as chat events, with the promises of `FrameReader`. A whole answer is one line that says everything.
 *
 * The reply is good once a line says `done`, whatever happens to the connection afterwards; before that, its end is an
 * error, and so is a line with `error`. Calls come whole; older servers give them no ids.
 */
export function createStreamReader(
  request: ChatRequest,
  options: StreamReaderOptions = {},
): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new StreamReader(sink, request.model, options));
}

/** Reads lines, and parsed bodies through the same path. */
class StreamReader implements ReplyReader {
  readonly writer: EventWriter;
  readonly #callIds: ReplyCallIds;
  #model: string;
  #wholeCalls = 0;
  #toldProbabilities = false;

  constructor(sink: Sink<ChatEvent>, model: string, options: StreamReaderOptions) {
    this.writer = new EventWriter(sink);
    this.#model = model;
    this.#callIds = new ReplyCallIds(options.mintId ?? mintCallId, (warning) => this.writer.warning(warning));
  }

  /** Each is one line. */
  readonly inCall = false;
  /** The line that says so is the last one. */
  readonly isWhole = false;

  readFrame(value: unknown, { data }: Frame): boolean {
    if (!isObject(value)) return false;
    // Nothing but calls holds values of the model's own.
    if (hasCalls(value)) rememberNumbers(data, value);
    this.read(value);
    return true;
  }

  /** The word of another API; a line with `done` ends a reply. */
  done(): void {}

  end(cut?: DragomanError): void {
    if (this.writer.ended) return;
    this.fail(cut ?? new DragomanError('upstream-cut', 'The upstream closed the stream before the reply was over.'));
  }

  /** One line, or one whole body. */
  read(value: JsonObject): void {
    if (this.writer.ended) return;
    if (typeof value.model === 'string' && value.model !== '') this.#model = value.model;
    if (isObject(value.message)) this.#readMessage(value.message);
    if (Array.isArray(value.logprobs) && !this.#toldProbabilities) {
      this.#toldProbabilities = true;
      this.writer.warning(leftOutProbabilities);
    }
    if (hasError(value)) this.fail(readStreamError(value));
    else if (value.done === true) this.#finish(value);
  }

  #readMessage(message: JsonObject): void {
    this.#start();
    if (typeof message.thinking === 'string') this.writer.reasoning(message.thinking);
    if (typeof message.content === 'string') this.writer.text(message.content);
    if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) this.#readCall(call);
  }

  #readCall(call: unknown): void {
    const about = isObject(call) && isObject(call.function) ? call.function : {};
    const name = typeof about.name === 'string' ? about.name : '';
    const json = readArguments(about.arguments);
    if (name === '' || json === undefined) {
      const problem = name === '' ? 'it has no name' : 'its arguments are no JSON object';
      const began = JSON.stringify(call).slice(0, 200);
      this.writer.warning({
        code: 'call-cut',
        message: `A call was not delivered: ${problem}. It began with ${began}`,
      });
      return;
    }
    const id = isObject(call) && typeof call.id === 'string' ? call.id : '';
    this.writer.callStart(this.#callIds.of(id, name), name);
    this.writer.callDelta(json);
    this.writer.callEnd();
    this.#wholeCalls += 1;
  }

  #finish(line: JsonObject): void {
    this.#start();
    const usage = readUsage(line);
    if (usage !== undefined) this.writer.usage(usage);
    const word = typeof line.done_reason === 'string' ? line.done_reason : '';
    this.writer.end(readFinishReason(word, this.#wholeCalls), word === '' ? undefined : word);
  }

  #start(): void {
    this.writer.start('', this.#model);
  }

  fail(error: DragomanError): void {
    if (this.writer.ended) return;
    this.#start();
    this.writer.fail(error);
  }
}

function hasCalls(line: unknown): boolean {
  return isObject(line) && isObject(line.message) && line.message.tool_calls !== undefined;
}

/** Ollama says `stop` after calls too. A word that is not known means that the model ended by itself. */
function readFinishReason(word: string, wholeCalls: number): FinishReason {
  if (word === 'length') return 'length';
  if (word === 'content_filter') return 'content-filter';
  return wholeCalls > 0 ? 'tool-calls' : 'stop';
}

/** Numbers that are zero are left out by the server; without those of the prompt nothing was counted. */
function readUsage(line: JsonObject): Usage | undefined {
  const { prompt_eval_count: input, eval_count: output, prompt_eval_cached_count: cached } = line;
  if (!isCount(input)) return undefined;
  return {
    inputTokens: input,
    outputTokens: isCount(output) ? output : 0,
    ...(isCount(cached) ? { cachedInputTokens: cached } : {}),
    source: 'upstream',
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** An object, written as JSON text once. Servers in front of Ollama may send the text itself. */
function readArguments(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '{}';
  if (isObject(value)) return jsonOf(value);
  if (typeof value !== 'string') return undefined;
  try {
    return isObject(JSON.parse(value)) ? value.trim() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as one line. One
 * that does not say `done` broke off. Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest, options: StreamReaderOptions = {}): ChatEvent[] {
  if (!isObject(body) || (!isObject(body.message) && !hasError(body))) throw unreadableAnswer(body, 'one of /api/chat');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model, options);
  reader.read(body);
  reader.end();
  return events;
}

function hasError(value: unknown): boolean {
  return isObject(value) && !isAbsent(value.error);
}
