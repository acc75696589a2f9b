import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { ChunkReader, readWholeChunk } from '../chunk-reader.ts';
import { FrameReader } from '../frame-reader.ts';
import { readProbabilities } from '../probabilities.ts';
import { argumentsText, isObject, type JsonObject, textIn } from '../read-values.ts';
import { leftOutProbabilities } from '../report-dropped.ts';
import type { Frame, Quirks } from '../wire.ts';
import { Assembler } from './assembler.ts';
import { reasoningIn } from './read-messages.ts';
import { wireId } from './types.ts';

/** Chat Completions chunks as chat events, with the promises of `FrameReader` and `ChunkReader`. */
export function createStreamReader(request: ChatRequest, quirks: Quirks = {}): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new DeltaReader(sink, request, quirks));
}

/** Reads deltas, and whole messages. */
class DeltaReader extends ChunkReader {
  readonly #assembler: Assembler;
  /** A client of this very wire asked for the probabilities of tokens. */
  readonly #keepsProbabilities: boolean;

  constructor(sink: Sink<ChatEvent>, request: ChatRequest, quirks: Quirks) {
    super(sink, request.model);
    this.#keepsProbabilities = request.extra[wireId]?.logprobs === true;
    this.#assembler = new Assembler(this.writer, {
      splitNames: quirks.splitNames === true,
      cumulativeArguments: quirks.cumulativeArguments === true,
    });
  }

  override get inCall(): boolean {
    return this.#assembler.inCall;
  }

  /** Arguments are mostly text; some servers write an object. */
  protected override holdsValues({ delta, message }: JsonObject): boolean {
    const said = isObject(delta) ? delta : message;
    if (!isObject(said)) return false;
    if (isObject(said.function_call)) return isObject(said.function_call.arguments);
    return Array.isArray(said.tool_calls) && said.tool_calls.some(hasObject);
  }

  protected override readChoice(choice: JsonObject): void {
    if (isObject(choice.delta)) this.#readDelta(choice.delta, choice.logprobs, { whole: false });
    else if (isObject(choice.message)) this.#readDelta(choice.message, choice.logprobs, { whole: true });
  }

  protected override finishChoice() {
    this.#assembler.finish();
    return this.#assembler.calls;
  }

  protected override cut(): void {
    this.#assembler.cut();
  }

  /** In a whole message each entry is a call of its own, told apart by its place. */
  #readDelta(delta: JsonObject, logprobs: unknown, { whole }: { readonly whole: boolean }): void {
    this.#assembler.prose('reasoning', reasoningIn(delta));
    if (Array.isArray(delta.content)) for (const part of delta.content) this.#readPart(part);
    if (isObject(logprobs)) this.#readLikelyText(delta, logprobs);
    else {
      this.#assembler.prose('text', textIn(delta.content));
      if (typeof delta.refusal === 'string' && delta.refusal !== '') {
        this.#assembler.prose('text', { text: delta.refusal, refusal: true });
      }
    }
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((call, place) => {
        if (isObject(call)) this.#readFragment(whole ? { ...call, index: place } : call);
      });
    }
    if (isObject(delta.function_call)) this.#readFragment({ function: delta.function_call });
  }

  /** Mistral's models send their content in parts where they think: the thinking is a list of parts once more. */
  #readPart(part: unknown): void {
    if (!isObject(part)) return;
    if (part.type === 'thinking') {
      const thoughts = Array.isArray(part.thinking) ? part.thinking : [{ text: part.thinking }];
      for (const thought of thoughts) if (isObject(thought)) this.#assembler.prose('reasoning', textIn(thought.text));
    } else if (typeof part.text === 'string') this.#assembler.prose('text', part.text);
    else {
      const kind = JSON.stringify(textIn(part.type).slice(0, 40));
      this.writer.warnOnce({
        code: 'field-ignored',
        message: `The upstream sent a part of type ${kind}, which is not read.`,
      });
    }
  }

  /** Some servers tell the tokens of calls and reasoning as well: those have no place. */
  #readLikelyText(delta: JsonObject, logprobs: JsonObject): void {
    const text = textIn(delta.content);
    const refusal = typeof delta.refusal === 'string' ? delta.refusal : '';
    // Half a character is a token with an empty text.
    const isText = text !== '' || (typeof delta.content === 'string' && !Array.isArray(delta.tool_calls));
    const ofText = this.#keepsProbabilities && isText ? readProbabilities(wireId, logprobs.content) : undefined;
    const ofRefusal = this.#keepsProbabilities ? readProbabilities(wireId, logprobs.refusal) : undefined;
    this.#assembler.prose('text', ofText === undefined ? text : { text, extra: ofText });
    if (ofRefusal !== undefined) this.#assembler.prose('text', { text: refusal, refusal: true, extra: ofRefusal });
    else if (refusal !== '') this.#assembler.prose('text', { text: refusal, refusal: true });
    if (ofText === undefined && ofRefusal === undefined) this.writer.warnOnce(leftOutProbabilities);
  }

  #readFragment(call: JsonObject): void {
    const about = isObject(call.function) ? call.function : {};
    this.#assembler.fragment({
      index: typeof call.index === 'number' ? call.index : undefined,
      id: typeof call.id === 'string' ? call.id : '',
      name: typeof about.name === 'string' ? about.name : '',
      arguments: argumentsText(about.arguments) ?? '',
    });
  }
}

function hasObject(call: unknown): boolean {
  return isObject(call) && isObject(call.function) && isObject(call.function.arguments);
}

/** A whole answer has the shape of a chunk with a message in place of a delta. */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  return readWholeChunk(body, {
    what: 'a chat completion',
    holdsReply: ({ message, delta }) => isObject(message) || isObject(delta),
    createReader: (sink) => new DeltaReader(sink, request, {}),
  });
}

/** Members that say more than that a text goes on, unless they are null. Within a text their quotation marks are escaped. */
const telling = ['"finish_reason"', '"usage"', '"error"', '"tool_calls"', '"function_call"', '"refusal"'] as const;

/** What those members begin with, after the quotation mark: most others begin otherwise. */
const initials: ReadonlySet<number> = new Set(telling.map((member) => member.charCodeAt(1)));

const [quote, colon, space, lineFeed] = [0x22, 0x3a, 0x20, 0x0a];

/** Whether a chunk only goes on with a text or with reasoning. */
export function isQuiet(frame: string): boolean {
  if (!frame.startsWith('data: {') || !frame.endsWith('}') || !frame.includes('"delta"')) return false;
  for (let at = 0; at < frame.length; at += 1) {
    const code = frame.charCodeAt(at);
    if (code === lineFeed || (code === quote && tells(frame, at))) return false;
  }
  return true;
}

/** Whether a member that begins at `at` says something. */
function tells(frame: string, at: number): boolean {
  if (!initials.has(frame.charCodeAt(at + 1))) return false;
  const member = telling.find((each) => frame.startsWith(each, at));
  if (member === undefined) return false;
  let value = at + member.length;
  for (let code = frame.charCodeAt(value); code === colon || code === space; code = frame.charCodeAt(value)) value += 1;
  return !frame.startsWith('null', value);
}
