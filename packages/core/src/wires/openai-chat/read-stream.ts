import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { jsonOf } from '../../framing/exact-json.ts';
import type { Sink, StageFactory } from '../../stage.ts';
import { type ChoiceReader, type ChoiceSinks, ChunkReader } from '../chunk-reader.ts';
import { mintCallId } from '../mint-call-id.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { leftOutProbabilities } from '../tell-dropped.ts';
import type { Frame, Quirks } from '../wire.ts';
import { Assembler } from './assembler.ts';
import { reasoningFields } from './read-messages.ts';

export interface StreamReaderOptions {
  readonly quirks?: Quirks;
  /** Makes an id for a call that came without a usable one. Must never repeat. Default: `mintCallId`. */
  readonly mintId?: () => string;
}

/** Chat Completions chunks as chat events, with the promises of `ChunkReader`. */
export function createStreamReader(
  request: ChatRequest,
  options: StreamReaderOptions = {},
): StageFactory<Frame, ChatEvent> {
  return (sink) => createChunkReader(sink, request.model, options);
}

/** The same reader for parsed bodies, too. */
export function createChunkReader(sink: Sink<ChatEvent>, model: string, options: StreamReaderOptions): ChunkReader {
  return new ChunkReader(sink, { model, choices: (sinks) => new DeltaReader(sinks, options) });
}

/** Reads deltas, and whole messages. */
class DeltaReader implements ChoiceReader {
  readonly #assembler: Assembler;
  readonly #warn: ChoiceSinks['warn'];
  #toldProbabilities = false;

  constructor({ writer, warn }: ChoiceSinks, { quirks, mintId = mintCallId }: StreamReaderOptions) {
    this.#warn = warn;
    this.#assembler = new Assembler(writer, warn, {
      splitNames: quirks?.splitNames === true,
      cumulativeArguments: quirks?.cumulativeArguments === true,
      mintId,
    });
  }

  get wholeCalls(): number {
    return this.#assembler.wholeCalls;
  }

  /** Arguments are mostly text; some servers write an object. */
  holdsValues({ delta, message }: JsonObject): boolean {
    const said = isObject(delta) ? delta : message;
    if (!isObject(said)) return false;
    if (isObject(said.function_call)) return isObject(said.function_call.arguments);
    return Array.isArray(said.tool_calls) && said.tool_calls.some(hasObject);
  }

  read(choice: JsonObject): void {
    if (isObject(choice.logprobs) && !this.#toldProbabilities) {
      this.#toldProbabilities = true;
      this.#warn(leftOutProbabilities);
    }
    if (isObject(choice.delta)) this.#readDelta(choice.delta, { whole: false });
    else if (isObject(choice.message)) this.#readDelta(choice.message, { whole: true });
  }

  finish(): void {
    this.#assembler.finish();
  }

  cut(): void {
    this.#assembler.cut();
  }

  /** In a whole message each entry is a call of its own, told apart by its place. */
  #readDelta(delta: JsonObject, { whole }: { readonly whole: boolean }): void {
    this.#assembler.reasoning(readReasoningText(delta));
    this.#assembler.text(readText(delta.content));
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#assembler.text({ text: delta.refusal, refusal: true });
    }
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((call, place) => {
        if (isObject(call)) this.#readFragment(whole ? { ...call, index: place } : call);
      });
    }
    if (isObject(delta.function_call)) this.#readFragment({ function: delta.function_call });
  }

  #readFragment(call: JsonObject): void {
    const about = isObject(call.function) ? call.function : {};
    this.#assembler.fragment({
      index: typeof call.index === 'number' ? call.index : undefined,
      id: typeof call.id === 'string' ? call.id : '',
      name: typeof about.name === 'string' ? about.name : '',
      arguments: readArguments(about.arguments),
    });
  }
}

/** Several fields at once hold the same text, so the first with text counts. */
function readReasoningText(delta: JsonObject): string {
  for (const field of reasoningFields) {
    const text = delta[field];
    if (typeof text === 'string' && text !== '') return text;
  }
  return '';
}

/** A string; or a list of parts, as some servers send, of which the text is taken. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function hasObject(call: unknown): boolean {
  return isObject(call) && isObject(call.function) && isObject(call.function.arguments);
}

/** JSON text. An object is written as JSON text once. */
function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? jsonOf(value) : '';
}
