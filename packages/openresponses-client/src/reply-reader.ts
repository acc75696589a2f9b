import {
  type ChatEvent,
  type ChatRequest,
  createCallValidator,
  type DragomanError,
  decodeSse,
  type FinishReason,
  openaiResponsesUpstream,
  type SseFrame,
  type Stage,
  through,
  type Usage,
} from '@dragoman/core';
import type { ResponseEvent } from './event-types.ts';
import type { Log } from './exchange.ts';
import { type AnswerFacts, readError, requestIdOf } from './read-error.ts';
import { readEvent, readResponse } from './read-event.ts';
import { isObject, parsed } from './read-values.ts';
import type { FunctionTool, JsonObject, ResponsesRequest } from './request-types.ts';
import type { OutputItem, ResponseResource } from './response-types.ts';
import { clientError, type ResponsesError } from './responses-error.ts';

/** What one frame has brought. */
export interface Step {
  /** Absent for what is no event of OpenResponses. */
  readonly event?: ResponseEvent;
  readonly parts: readonly ReplyPart[];
}

export interface ReplyReaderOptions {
  readonly request: ResponsesRequest;
  readonly answer: AnswerFacts;
  readonly log: Log;
}

/**
 * Reads one stream. Core's reader of this API says what the parts are, whether the answer is whole, and whether what it says
 * twice is the same; core validates the calls by the tools that were declared. Events are told beside it, under one spelling.
 */
export class ReplyReader {
  readonly #options: ReplyReaderOptions;
  readonly #decoder: Stage<Uint8Array>;
  readonly #reader: Stage<SseFrame>;
  readonly #writer: PartWriter;
  #steps: Step[] = [];
  #events: ChatEvent[] = [];
  #sequence = -1;
  #error: ResponsesError | undefined;

  constructor(options: ReplyReaderOptions) {
    this.#options = options;
    this.#writer = new PartWriter(options.log);
    const request = chatRequestOf(options.request);
    const validate = createCallValidator({ tools: request.tools, callIds: new ReplyCallIds(options.request) });
    const read = through(openaiResponsesUpstream.createStreamReader(request), validate);
    this.#reader = read((event) => this.#events.push(event));
    this.#decoder = decodeSse({ fail: (error) => this.end(error) })((frame) => this.#read(frame));
  }

  /** The answer is whole, or there is an error. */
  get over(): boolean {
    return this.#error !== undefined || this.whole;
  }

  get whole(): boolean {
    return this.#writer.over;
  }

  /** Why the answer is not whole. */
  get error(): ResponsesError | undefined {
    return this.#error;
  }

  push(chunk: Uint8Array): readonly Step[] {
    if (!this.over) this.#decoder.push(chunk);
    return this.#take();
  }

  /** Nothing more comes. `cut`: why. */
  end(cut?: DragomanError): readonly Step[] {
    this.#decoder.end();
    if (!this.over) {
      this.#reader.end(cut);
      this.#steps.push({ parts: this.#partsOf(undefined) });
    }
    return this.#take();
  }

  /** A whole answer as JSON, from a server that does not stream: the event that ends a stream. */
  readWhole(json: string): readonly Step[] {
    this.#read({ event: '', data: `{"type":"response.done","response":${json}}` });
    return this.#take();
  }

  #take(): readonly Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  #read(frame: SseFrame): void {
    if (this.over) return;
    const value = parsed(frame.data);
    const event = isObject(value) ? this.#eventOf(value, frame.event) : undefined;
    this.#reader.push(isObject(value) ? readable(frame, value) : frame);
    const parts = this.#partsOf(value ?? (frame.event === 'error' ? frame.data : undefined));
    if (event !== undefined || parts.length > 0) this.#steps.push(event === undefined ? { parts } : { event, parts });
  }

  #eventOf(value: JsonObject, name: string): ResponseEvent | undefined {
    const event = readEvent(value, { type: name, sequence: this.#sequence + 1 });
    if (event === undefined) return undefined;
    this.#sequence = event.sequence_number;
    this.#writer.hear(event);
    return event;
  }

  /** `value`: what the frame says, where there is one. */
  #partsOf(value: unknown): readonly ReplyPart[] {
    const parts: ReplyPart[] = [];
    for (const event of this.#events) {
      parts.push(...this.#writer.write(event));
      if (event.type === 'error') this.#error = this.#errorOf(event.error, value);
    }
    this.#events = [];
    return parts;
  }

  /** The server's own words where it has said so; else what the reader has found. */
  #errorOf(error: DragomanError, value: unknown): ResponsesError {
    const { answer } = this.#options;
    if (typeof value === 'string' || (isObject(value) && holdsError(value))) return readError(value, answer);
    const code = error.code === 'upstream-cut' || error.code === 'reply-too-large' ? 'stream_cut' : 'unreadable';
    const message = error.message.replaceAll('The upstream', 'The server');
    return clientError(code, message, { ...requestIdOf(answer), cause: error });
  }
}

/** Core looks for an object in `error`; some servers write a text there. */
function readable(frame: SseFrame, { error, ...others }: JsonObject): SseFrame {
  if (typeof error !== 'string') return frame;
  return { ...frame, data: JSON.stringify({ ...others, error: { message: error } }) };
}

function holdsError({ type, error, response }: JsonObject): boolean {
  const isFailed = type === 'error' || type === 'response.failed' || type === 'response.cancelled';
  if (isFailed || isObject(error) || typeof error === 'string') return true;
  return isObject(response) && (isObject(response.error) || response.status === 'failed');
}

/** What core wants to know of a request: its model, tools and limit. */
function chatRequestOf({ model, tools, max_output_tokens: limit }: ResponsesRequest): ChatRequest {
  return {
    model: model ?? '',
    messages: [],
    tools: (tools ?? []).filter(isNamed).map(({ name, parameters }) => ({ name, inputSchema: parameters ?? {} })),
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: true,
    includeUsage: true,
    sampling: typeof limit === 'number' ? { maxTokens: limit } : {},
    extra: {},
    warnings: [],
  };
}

/** A server's own tools have no name, and their calls never come here. */
function isNamed({ name }: FunctionTool): boolean {
  return typeof name === 'string';
}

/** The longest id of a call that OpenResponses takes. */
const longestId = 64;

/** The ids of the calls of one answer: the server's own, unless an earlier call has one already. Some count from zero in every turn. */
class ReplyCallIds {
  readonly #taken: Set<string>;

  constructor({ input }: ResponsesRequest) {
    const items = Array.isArray(input) ? input : [];
    this.#taken = new Set(items.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])));
  }

  claim(_: string, id: string): string {
    let own = id.slice(0, longestId);
    for (let count = 2; own === '' || this.#taken.has(own); count += 1) {
      const end = `_${count}`;
      own = (id === '' ? 'call' : id).slice(0, longestId - end.length) + end;
    }
    this.#taken.add(own);
    return own;
  }
}

/** What core's events of this API carry in `extra` under this name. */
const wire = 'openai-responses';

/** Chat events of one answer as its parts, and the whole answer after them. */
class PartWriter {
  readonly #log: Log;
  /** The answer, as the last event that tells of all of it had it. */
  #response: ResponseResource | undefined;
  /** The items that came whole, by place. */
  readonly #items = new Map<number, OutputItem>();
  #refuses = false;
  #call = { callId: '', name: '' };
  /** A call was cut. Core tells what was written for it as the text that follows. */
  #cut: 'no' | 'cut' | 'telling' = 'no';
  #written: string[] = [];
  #over = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `end` has been written. */
  get over(): boolean {
    return this.#over;
  }

  /** An event of which the whole answer is made. */
  hear(event: ResponseEvent): void {
    if ('response' in event) this.#response = event.response;
    else if (event.type === 'response.output_item.done' && event.item !== null) {
      this.#items.set(event.output_index, event.item);
    }
  }

  write(event: ChatEvent): readonly ReplyPart[] {
    if (this.#cut === 'no' || event.type === 'warning') return this.#writeOne(event);
    if (this.#cut === 'cut' && event.type === 'text-start') this.#cut = 'telling';
    else if (event.type === 'text-delta') this.#written.push(event.text);
    else {
      const parts = [this.#cutCall()];
      return event.type === 'text-end' ? parts : [...parts, ...this.#writeOne(event)];
    }
    return [];
  }

  #cutCall(): ReplyPart {
    const part: ReplyPart = { type: 'call-cut', ...this.#call, arguments: this.#written.join('') };
    this.#cut = 'no';
    this.#written = [];
    return part;
  }

  #writeOne(event: ChatEvent): readonly ReplyPart[] {
    switch (event.type) {
      case 'text-start':
        this.#refuses = event.refusal === true;
        return [];
      case 'text-delta':
        return event.text === '' ? [] : [{ type: this.#refuses ? 'refusal' : 'text', text: event.text }];
      case 'reasoning-delta':
        return [{ type: 'reasoning', text: event.text }];
      case 'text-end': {
        const annotations = event.extra?.[wire]?.annotations;
        const known = Array.isArray(annotations) ? annotations.filter(isObject) : [];
        return known.length === 0 ? [] : [{ type: 'annotations', annotations: known }];
      }
      case 'reasoning-end': {
        const encrypted = event.extra?.[wire]?.encrypted_content;
        return typeof encrypted === 'string' ? [{ type: 'reasoning-sealed', encrypted }] : [];
      }
      case 'tool-call-start':
        this.#call = { callId: event.callId, name: event.name };
        return [];
      case 'tool-call-end':
        return [{ type: 'call', ...this.#call, arguments: event.arguments }];
      case 'tool-call-cut':
        this.#cut = 'cut';
        return [];
      case 'usage':
        return [{ type: 'usage', usage: event.usage }];
      case 'warning':
        // What only events and the whole answer tell is no reason to worry.
        this.#log({ level: event.warning.code === 'field-dropped' ? 'debug' : 'warn', message: event.warning.message });
        return [];
      case 'message-end':
        this.#over = true;
        return [{ type: 'end', reason: event.finishReason, response: this.#whole() }];
      default:
        return [];
    }
  }

  /** Servers that leave the output out of their last event, or have none, have told its items before. */
  #whole(): ResponseResource {
    const said = this.#response ?? readResponse({});
    const isOpen = said.status === 'in_progress' || said.status === 'queued';
    const response: ResponseResource = isOpen ? { ...said, status: 'completed' } : said;
    if (response.output.length > 0 || this.#items.size === 0) return response;
    const places = [...this.#items].sort(([one], [other]) => one - other);
    return { ...response, output: places.map(([, item]) => item) };
  }
}

/**
 * What an answer consists of, in order, each piece once, whatever the events said twice. `end` comes last, or an error is
 * thrown.
 */
export type ReplyPart =
  /** A piece of text, as soon as it came. Pieces of white space are pieces, too. */
  | { readonly type: 'text'; readonly text: string }
  /** A piece of what the model says instead of an answer. */
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** What the server wants back with the thoughts before it, as an item of the next request. */
  | { readonly type: 'reasoning-sealed'; readonly encrypted: string }
  /** What the text before it cites; places count from the start of that text. */
  | { readonly type: 'annotations'; readonly annotations: readonly JsonObject[] }
  /** A whole call. `arguments` is the JSON text of an object, repaired where it was nearly that, by the tool's schema. */
  | { readonly type: 'call'; readonly callId: string; readonly name: string; readonly arguments: string }
  /** A call that broke off or whose arguments are no object, with what came of them. It must not run. */
  | { readonly type: 'call-cut'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The answer is over. `response` is the whole answer. */
  | { readonly type: 'end'; readonly reason: FinishReason; readonly response: ResponseResource };
