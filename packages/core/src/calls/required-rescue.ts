import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import { quoteName } from '../chat/warning.ts';
import type { ParseLimits, Span } from '../dialects/dialect.ts';
import { createRequiredJsonParser } from '../dialects/required-json.ts';
import { onlyNamed } from '../plan/call-policy.ts';
import type { CallIds } from '../prepare/call-ids.ts';
import { runStage, type Sink, type Stage, type StageFactory } from '../stream/stage.ts';
import type { ReplyHooks } from '../upstream/reply.ts';
import { leftOutProbabilities } from '../wires/report-dropped.ts';
import { callsIn, type ParsedCall } from './found-calls.ts';

/** What it takes to find a call that is required in the text of a model that calls natively. */
export interface RequiredRescueOptions extends Pick<ReplyHooks, 'hidden'> {
  /** As the client sent it. */
  readonly request: ChatRequest;
  readonly limits: Partial<ParseLimits>;
  readonly callIds: CallIds;
}

/** The most that is held back, text and thinking after it, in UTF-16 units; what is longer is no call. */
const longestHeld = 1 << 20;

/** Whether a reply that is plain JSON can only be the call that the request needs, and not an answer in JSON. */
export function requiresOnlyCall(request: ChatRequest): boolean {
  return requiresCall(request) && request.outputFormat === undefined;
}

/**
 * For a model that calls natively, where a call is required: a reply whose whole text is that call as plain JSON, in a code fence or
 * not, becomes the call, with a warning (`call-rescued`). Any other text passes as the events that came, as soon as it is
 * something else: words, behind a native call or before one, a refusal, or what stopped short.
 */
export function createRequiredRescue(options: RequiredRescueOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new RequiredRescue(options, sink);
}

class RequiredRescue implements Stage<ChatEvent> {
  readonly #options: RequiredRescueOptions;
  readonly #writer: EventWriter;
  /** Nothing of the text can be the call any more. */
  #passes = false;
  #held: ChatEvent[] = [];
  /** The beginning of the text, until it shows what it is. */
  #front = '';
  #length = 0;

  constructor(options: RequiredRescueOptions, sink: Sink<ChatEvent>) {
    this.#options = options;
    this.#writer = new EventWriter(sink);
  }

  push(event: ChatEvent): void {
    if (this.#passes) {
      this.#writer.write(event);
      return;
    }
    switch (event.type) {
      case 'message-start':
      case 'conversation':
      case 'usage':
      case 'warning':
        this.#writer.write(event);
        return;
      case 'text-start':
        this.#held.push(event);
        if (event.refusal === true) this.#pass();
        return;
      case 'text-delta':
        this.#look(event);
        this.#hold(event);
        return;
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        if (this.#length === 0) this.#writer.write(event);
        else this.#hold(event);
        return;
      case 'message-end':
        this.#end(event);
        return;
      default:
        this.#pass();
        this.#writer.write(event);
    }
  }

  end(): void {
    this.#pass();
  }

  #look({ text }: Extract<ChatEvent, { readonly type: 'text-delta' }>): void {
    if (this.#front.length < longestFront) this.#front = (this.#front + text).trimStart().slice(0, longestFront);
  }

  #hold(event: ChatEvent): void {
    this.#held.push(event);
    if ('text' in event) this.#length += event.text.length;
    if (this.#length > longestHeld || !mayBeJson(this.#front)) this.#pass();
    else this.#options.hidden();
  }

  #pass(): void {
    this.#passes = true;
    for (const event of this.#held.splice(0)) this.#writer.write(event);
  }

  #end(event: Extract<ChatEvent, { readonly type: 'message-end' }>): void {
    const calls = event.finishReason === 'stop' || event.finishReason === 'tool-calls' ? this.#find() : [];
    if (calls.length === 0) {
      this.#pass();
      this.#writer.write(event);
      return;
    }
    const held = this.#held.splice(0);
    if (held.some((each) => each.type === 'text-delta' && each.extra !== undefined))
      this.#writer.warning(leftOutProbabilities);
    for (const each of held) if (!each.type.startsWith('text')) this.#writer.write(each);
    for (const call of calls) this.#deliver(call);
    const finishReason: FinishReason = 'tool-calls';
    this.#writer.write({ ...event, finishReason });
  }

  /** The calls that the text is; none if anything else is in it. */
  #find(): readonly ParsedCall[] {
    const { request, limits } = this.#options;
    const text = this.#held.map((each) => (each.type === 'text-delta' ? each.text : '')).join('');
    if (text.trim() === '') return [];
    const context = { tools: request.tools, limits, policy: { answers: 'text', ...onlyNamed(request) } } as const;
    const spans = runStage(createRequiredJsonParser(context, { choice: request.toolChoice, strays: [] }), [text]);
    const isOther = (span: Span) => span.kind === 'call-cut' || ('text' in span && isSaid(span));
    return spans.some(isOther) ? [] : callsIn(spans);
  }

  #deliver({ name, nativeId, arguments: json, warnings }: ParsedCall): void {
    const message = `A call of ${quoteName(name)} was in the text, written in plain JSON: it was delivered as a call.`;
    this.#writer.warning({ code: 'call-rescued', message });
    this.#writer.callStart(this.#options.callIds.mint(name, nativeId), name);
    this.#writer.callDelta(json);
    for (const warning of warnings) this.#writer.warning(warning);
    this.#writer.callEnd();
  }
}

/** So much of the beginning of a text shows whether it is JSON, after white space. */
const longestFront = 3;

function mayBeJson(front: string): boolean {
  return front === '' || front.startsWith('{') || front.startsWith('[') || '```'.startsWith(front);
}

function isSaid(span: Extract<Span, { readonly text: string }>): boolean {
  return span.kind !== 'arguments' && span.text.trim() !== '';
}
