import type { ChatEvent, FinishReason, Usage } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import type { Issue } from '../../chat/issue.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { GatewayError } from '../../errors.ts';
import { nestsTooDeeply } from '../../framing/json-depth.ts';
import type { Sink, Stage, StageFactory } from '../../stage.ts';
import { mintCallId } from '../mint-call-id.ts';
import { readUsage } from '../read-openai-usage.ts';
import { isAbsent, isObject, type JsonObject } from '../read-values.ts';
import type { Frame, Quirks } from '../wire.ts';
import { Assembler } from './assembler.ts';
import { readStreamError } from './errors.ts';
import { reasoningFields } from './read-messages.ts';

export interface StreamReaderOptions {
  readonly quirks?: Quirks;
  /** Makes an id for a call that came without a usable one. Must never repeat. Default: `mintCallId`. */
  readonly mintId?: () => string;
}

/**
 * Chat Completions chunks as chat events. Only the first choice is read.
 *
 * The reply is good once a finish reason or `[DONE]` has come, whatever happens to the connection afterwards; before
 * that, its end is an error. A frame that is not JSON is reported and passed over. Usage comes from any chunk, the last
 * one counts, and leaves just before the terminal event.
 */
export function createStreamReader(
  request: ChatRequest,
  options: StreamReaderOptions = {},
): StageFactory<Frame, ChatEvent> {
  return (sink) => new StreamReader(sink, request.model, options);
}

/** Reads frames, and parsed bodies through the same path. */
export class StreamReader implements Stage<Frame> {
  readonly #writer: EventWriter;
  readonly #assembler: Assembler;
  #id = '';
  #model: string;
  #early: Issue[] = [];
  #usage: Usage | undefined;
  #finishWord = '';

  constructor(sink: Sink<ChatEvent>, model: string, options: StreamReaderOptions) {
    this.#model = model;
    this.#writer = new EventWriter(sink);
    this.#assembler = new Assembler(this.#writer, (issue) => this.#warn(issue), {
      splitNames: options.quirks?.splitNames === true,
      cumulativeArguments: options.quirks?.cumulativeArguments === true,
      mintId: options.mintId ?? mintCallId,
    });
  }

  push(frame: Frame): void {
    if (this.#writer.ended) return;
    const data = frame.data.trim();
    if (data === '') return;
    if (data === '[DONE]') {
      this.finish();
      return;
    }
    if (nestsTooDeeply(data)) {
      this.#warn({ code: 'frame-unreadable', message: `A frame of ${data.length} characters nests too deeply.` });
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      this.#warn({ code: 'frame-unreadable', message: `A frame of ${data.length} characters is not JSON.` });
      return;
    }
    if (frame.event === 'error') this.#fail(readStreamError(value));
    else this.read(value);
  }

  end(cut?: GatewayError): void {
    if (this.#writer.ended) return;
    if (this.#finishWord !== '') this.finish();
    else
      this.#fail(cut ?? new GatewayError('upstream-cut', 'The upstream closed the stream before the reply was over.'));
  }

  /** One chunk, or one whole body. */
  read(value: unknown): void {
    if (this.#writer.ended) return;
    if (!isObject(value)) {
      this.#warn({ code: 'frame-unreadable', message: 'A frame is JSON but not an object.' });
      return;
    }
    if (typeof value.id === 'string' && value.id !== '') this.#id = value.id;
    if (typeof value.model === 'string' && value.model !== '') this.#model = value.model;
    this.#usage = readUsage(value.usage) ?? this.#usage;
    if (Array.isArray(value.choices)) for (const choice of value.choices) this.#readChoice(choice);
    if (!isAbsent(value.error) || value.object === 'error') this.#fail(readStreamError(value));
  }

  /** The reply is over, and the upstream says so. */
  finish(): void {
    if (this.#writer.ended) return;
    if (failureWords.includes(this.#finishWord)) {
      this.#fail(new GatewayError('upstream-failed', `The upstream ended the reply with "${this.#finishWord}".`));
      return;
    }
    this.#start();
    this.#assembler.finish();
    if (this.#usage !== undefined) this.#writer.usage(this.#usage);
    const reason = readFinishReason(this.#finishWord, this.#assembler.wholeCalls);
    this.#writer.end(reason, this.#finishWord === '' ? undefined : this.#finishWord);
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice) || (typeof choice.index === 'number' && choice.index !== 0)) return;
    this.#start();
    if (isObject(choice.delta)) this.#readDelta(choice.delta, { whole: false });
    else if (isObject(choice.message)) this.#readDelta(choice.message, { whole: true });
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.#finishWord = choice.finish_reason;
    }
  }

  /** In a whole message each entry is a call of its own, told apart by its place. */
  #readDelta(delta: JsonObject, { whole }: { readonly whole: boolean }): void {
    this.#assembler.reasoning(readReasoningText(delta));
    this.#assembler.text(readText(delta.content));
    if (typeof delta.refusal === 'string') this.#assembler.text(delta.refusal);
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

  #start(): void {
    if (this.#writer.started) return;
    this.#writer.start(this.#id, this.#model);
    for (const issue of this.#early) this.#writer.warning(issue);
    this.#early = [];
  }

  /** Warnings before the first chunk wait for it, as nothing may come before the start of the message. */
  #warn(issue: Issue): void {
    if (this.#writer.started) this.#writer.warning(issue);
    else this.#early.push(issue);
  }

  #fail(error: GatewayError): void {
    if (this.#writer.ended) return;
    this.#start();
    this.#assembler.cut();
    if (this.#usage !== undefined) this.#writer.usage(this.#usage);
    this.#writer.fail(error);
  }
}

/** Finish reasons that servers give when they broke off (gateways, vLLM, SGLang, DeepSeek). */
const failureWords: readonly string[] = ['error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource'];

/**
 * The upstream's word, seen together with the calls that came: several servers say `stop` after calls. A word that is
 * not known means that the model ended by itself; it travels on as the raw reason.
 */
function readFinishReason(word: string, wholeCalls: number): FinishReason {
  switch (word) {
    case 'length':
    case 'max_tokens':
    case 'max_output_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
    case 'content-filter':
    case 'safety':
      return 'content-filter';
    default:
      return wholeCalls > 0 ? 'tool-calls' : 'stop';
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

/** JSON text. An object is written as JSON text once; its numbers are then those that JavaScript read. */
function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? JSON.stringify(value) : '';
}
