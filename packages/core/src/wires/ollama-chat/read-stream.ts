import type { ChatEvent, Usage } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { rememberNumbers } from '../../json/exact-json.ts';
import type { StageFactory } from '../../stream/stage.ts';
import { ReplyBlock } from '../block-queue.ts';
import { readFinishReason } from '../finish-reasons.ts';
import { FrameReader, ReplyReader } from '../frame-reader.ts';
import { readStreamError, unreadableAnswer } from '../read-upstream-error.ts';
import { argumentsText, countIn, isAbsent, isObject, type JsonObject, textIn } from '../read-values.ts';
import { ReplyCalls } from '../reply-calls.ts';
import { leftOutProbabilities } from '../report-dropped.ts';
import type { Frame } from '../wire.ts';

/**
 * The lines of `/api/chat` as chat events, with the promises of `FrameReader`. A whole answer is one line that says everything.
 *
 * The reply is good once a line says `done`, whatever happens to the connection afterwards; before that, its end is an
 * error, and so is a line with `error`. Calls come whole; older servers give them no ids.
 */
export function createStreamReader(request: ChatRequest): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new StreamReader(sink, request.model));
}

/** Reads lines, and parsed bodies through the same path. A call is one line, and the line that says `done` the last. */
class StreamReader extends ReplyReader {
  readonly #calls = new ReplyCalls(this.writer);

  override readFrame(value: unknown, { data }: Frame): boolean {
    if (!isObject(value)) return false;
    // Nothing but calls holds values of the model's own.
    if (hasCalls(value)) rememberNumbers(data, value);
    this.read(value);
    return true;
  }

  /** One line, or one whole body. */
  read(value: JsonObject): void {
    if (this.writer.ended) return;
    if (typeof value.model === 'string' && value.model !== '') this.model = value.model;
    if (isObject(value.message)) this.#readMessage(value.message);
    if (Array.isArray(value.logprobs)) this.writer.warnOnce(leftOutProbabilities);
    if (hasError(value)) this.fail(readStreamError(value));
    else if (value.done === true) this.#finish(value);
  }

  #readMessage(message: JsonObject): void {
    this.start();
    if (typeof message.thinking === 'string') this.writer.reasoning(message.thinking);
    if (typeof message.content === 'string') this.writer.text(message.content);
    if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) this.#readCall(call);
  }

  #readCall(entry: unknown): void {
    const { id, function: about }: JsonObject = isObject(entry) ? entry : {};
    const { name, arguments: given }: JsonObject = isObject(about) ? about : {};
    const call = new ReplyBlock('call');
    call.callId = textIn(id);
    call.name = textIn(name);
    // Servers in front of Ollama may send the text itself.
    call.waiting.push(call.gate.push(argumentsText(given)?.trim() ?? JSON.stringify(given ?? null)));
    if (call.name === '') this.#calls.drop(call, 'it has no name', JSON.stringify(entry));
    else this.#calls.end(call);
  }

  #finish(line: JsonObject): void {
    this.start();
    const usage = readUsage(line);
    if (usage !== undefined) this.writer.usage(usage);
    const word = typeof line.done_reason === 'string' ? line.done_reason : '';
    this.writer.end(readFinishReason(word, this.#calls.whole), word === '' ? undefined : word);
  }
}

function hasCalls(line: JsonObject): boolean {
  return isObject(line.message) && line.message.tool_calls !== undefined;
}

/** Numbers that are zero are left out by the server; without those of the prompt nothing was counted. */
function readUsage(line: JsonObject): Usage | undefined {
  const input = countIn(line.prompt_eval_count);
  const cached = countIn(line.prompt_eval_cached_count);
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    outputTokens: countIn(line.eval_count) ?? 0,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    source: 'upstream',
  };
}

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as one line. One
 * that does not say `done` broke off. Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  if (!isObject(body) || (!isObject(body.message) && !hasError(body))) throw unreadableAnswer(body, 'one of /api/chat');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model);
  reader.read(body);
  reader.end();
  return events;
}

function hasError(value: JsonObject): boolean {
  return !isAbsent(value.error);
}
