import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../../chat/event.ts';
import type { Extra, TextPart } from '../../chat/message.ts';
import type { ToolCall } from '../../chat/tool.ts';
import type { DragomanError } from '../../errors.ts';
import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { finishWithoutCalls } from '../finish-reasons.ts';
import { unwrapInput } from '../free-input.ts';
import { writeUsage } from '../openai-usage.ts';
import { probabilitiesIn } from '../probabilities.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { type ClientCallForm, callFormOf, customNames } from './call-form.ts';
import { type WireFinishReason, wireId } from './types.ts';

export interface StreamWriterOptions extends ConversationFieldOptions {
  /** Sends `delta.beginToolCalls` with the first call's id before that call. Clients derive it themselves; off. */
  readonly emitBeginToolCalls?: boolean;
}

/**
 * The finish reason of a reply that failed. Not `stop`: VS Code would take the part for a finished answer. Not a word of
 * our own: agents repeat the request for ever. `length` says that something is missing, and no client runs calls on it.
 */
const finishOfFailure: WireFinishReason = 'length';

/**
 * Chat events as Chat Completions chunks. Each output is whole frames, ready to be sent.
 *
 * The role chunk waits for the first event that shows, so that an early failure can still become an HTTP status. Calls
 * keep their order; the first fragment of a call names it, later ones have nothing but index and arguments. A call's
 * first fragment waits for its first arguments: clients read a call without any as one with `{}` and run it, so one that
 * was cut before them must not show. One that is cut later is not taken back, as nothing on this wire could, and its
 * arguments are no JSON. A client of the older API gets its one call as `function_call`, when it is whole. Exactly one final chunk and one `[DONE]` come last.
 */
export function createStreamWriter(
  context: ReplyContext,
  options: StreamWriterOptions = {},
): StageFactory<ChatEvent, string> {
  return (sink) => new StreamWriter(sink, context, options);
}

class StreamWriter extends ReplyWriter {
  readonly #form: ClientCallForm;
  readonly #custom: ReadonlySet<string>;
  readonly #options: StreamWriterOptions;
  /** A chunk up to its choices. */
  readonly #head: string;
  /** A chunk up to the delta, and from there on. */
  readonly #beforeDelta: string;
  readonly #afterDelta = ',"logprobs":null,"finish_reason":null}]}\n\n';
  /** Where the open text stands. */
  #textField: 'content' | 'refusal' = 'content';
  #begun = false;
  #calls = 0;
  /** The first fragment of a call that has no arguments yet. */
  #waitingCall: { readonly id: string; readonly name: string } | undefined;
  #wholeCalls = 0;
  #conversation: CollectedMessage['conversation'];

  constructor(sink: Sink<string>, context: ReplyContext, options: StreamWriterOptions) {
    super(sink, context);
    this.#form = callFormOf(context.request);
    this.#custom = customNames(context.request);
    this.#options = options;
    const constant = JSON.stringify({
      id: `chatcmpl-${context.replyId}`,
      object: 'chat.completion.chunk',
      created: context.created,
      model: context.request.model,
      system_fingerprint: null,
    });
    this.#head = `data: ${constant.slice(0, -1)},"choices":`;
    this.#beforeDelta = `${this.#head}[{"index":0,"delta":`;
  }

  protected override beginText(isRefusal: boolean): void {
    this.#textField = isRefusal ? 'refusal' : 'content';
  }

  protected override text(text: string, extra: Extra | undefined): void {
    const likely = probabilitiesIn(wireId, extra);
    if (likely.length > 0) {
      const logprobs = JSON.stringify({ content: null, refusal: null, [this.#textField]: likely });
      const after = `,"logprobs":${logprobs},"finish_reason":null}]}\n\n`;
      this.#delta(`{"${this.#textField}":${JSON.stringify(text)}}`, after);
    } else if (text !== '') this.#delta(`{"${this.#textField}":${JSON.stringify(text)}}`);
  }

  /** Under both names: each client knows at least one of them, and none shows it twice. */
  protected override reasoning(text: string): void {
    if (text === '') return;
    const json = JSON.stringify(text);
    this.#delta(`{"reasoning_content":${json},"reasoning_text":${json}}`);
  }

  protected override beginCall({ callId, name }: { readonly callId: string; readonly name: string }): void {
    this.#waitingCall = { id: callId, name };
  }

  protected override arguments(json: string): void {
    if (json === '' || this.#form !== 'tools' || this.#isCustom) return;
    this.#startCall();
    const index = this.#calls - 1;
    this.#delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(json)}}}]}`);
  }

  protected override endCall(json: string): void {
    if (this.#form === 'function') this.#functionCall(json);
    else if (this.#isCustom) this.#customCall(unwrapInput(json));
    else this.#startCall();
    this.#wholeCalls += 1;
  }

  protected override cutCall(): void {
    this.#waitingCall = undefined;
  }

  protected override conversation({ type: _, ...ids }: Extract<ChatEvent, { type: 'conversation' }>): void {
    this.#conversation = { ...this.#conversation, ...ids };
  }

  protected override finish({ finishReason }: { readonly finishReason: FinishReason }): void {
    this.#begin();
    this.#finish(writeFinishReason(finishReason, { wholeCalls: this.#wholeCalls, form: this.#form }));
  }

  /** The error follows the final chunk: VS Code shows one that stands before it as an answer that came without a word. */
  protected override fail(error: DragomanError): void {
    this.#finish(finishOfFailure, encodeSse(JSON.stringify(writeOpenaiError(error))));
  }

  #startCall(): void {
    this.#openCall((name) => ({ type: 'function', function: { name, arguments: '' } }));
  }

  #openCall(write: (name: string) => Readonly<Record<string, unknown>>): void {
    if (this.#waitingCall === undefined) return;
    const { id, name } = this.#waitingCall;
    this.#waitingCall = undefined;
    const index = this.#calls;
    this.#calls += 1;
    if (index === 0 && this.#options.emitBeginToolCalls === true) {
      this.#delta(JSON.stringify({ beginToolCalls: { toolCallIds: [id] } }));
    }
    this.#delta(JSON.stringify({ tool_calls: [{ index, id, ...write(name) }] }));
  }

  /** The call that is written takes free text, which is known when it is whole. */
  get #isCustom(): boolean {
    return this.#waitingCall !== undefined && this.#custom.has(this.#waitingCall.name);
  }

  #customCall(input: string): void {
    this.#openCall((name) => ({ type: 'custom', custom: { name, input: '' } }));
    this.#delta(JSON.stringify({ tool_calls: [{ index: this.#calls - 1, custom: { input } }] }));
  }

  /** A second beginning would add to the first, so a call leaves when it is whole; there is room for one. */
  #functionCall(json: string): void {
    const name = this.#waitingCall?.name;
    this.#waitingCall = undefined;
    if (name === undefined || this.#wholeCalls > 0) return;
    this.#delta(JSON.stringify({ function_call: { name, arguments: '' } }));
    this.#delta(JSON.stringify({ function_call: { arguments: json } }));
  }

  #delta(delta: string, after = this.#afterDelta): void {
    this.#begin();
    this.sink(this.#beforeDelta + delta + after);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.sink(`${this.#beforeDelta}{"role":"assistant","content":""}${this.#afterDelta}`);
  }

  #finalChunk(reason: WireFinishReason): string {
    const field = JSON.stringify(writeConversation(this.#conversation, this.#options));
    const rest = field === '{}' ? '}' : `,${field.slice(1)}`;
    return `${this.#beforeDelta}{},"logprobs":null,"finish_reason":"${reason}"}]${rest}\n\n`;
  }

  #finish(reason: WireFinishReason, error = ''): void {
    this.sink(`${this.#finalChunk(reason) + this.#usageFrame() + error}data: [DONE]\n\n`);
  }

  #usageFrame(): string {
    if (this.usage === undefined || !this.context.request.includeUsage) return '';
    return `${this.#head}[],"usage":${JSON.stringify(writeUsage(this.usage))}}\n\n`;
  }
}

export interface MessageWriterOptions extends ConversationFieldOptions {
  /** `content` of an answer that has calls and no text. Default: `null`. */
  readonly emptyContent?: null | '';
}

/** A whole answer out of its events. Reasoning is beside the content, usage wherever it is known. */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext, options: MessageWriterOptions = {}) {
  const message = collect(events);
  const { calls, reasoning, usage } = message;
  const text = joined(textsOf(message, 'text'));
  const refusal = joined(textsOf(message, 'refusal'));
  const form = callFormOf(context.request);
  const isSilent = text === '' && (calls.length > 0 || refusal !== '');
  return {
    id: `chatcmpl-${context.replyId}`,
    object: 'chat.completion',
    created: context.created,
    model: context.request.model,
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: isSilent ? (options.emptyContent ?? null) : text,
          refusal: refusal === '' ? null : refusal,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...writeCalls(calls, { form, custom: customNames(context.request) }),
        },
        logprobs: probabilitiesOf(message),
        finish_reason: writeFinishReason(message.finishReason ?? 'length', { wholeCalls: calls.length, form }),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
    ...writeConversation(message.conversation, options),
  };
}

/** What it says, or what it says instead of an answer. */
function textsOf({ content }: CollectedMessage, kind: 'text' | 'refusal'): readonly TextPart[] {
  return content
    .filter((part) => part.type === 'text')
    .filter((part) => (part.refusal === true) === (kind === 'refusal'));
}

function joined(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('');
}

function probabilitiesOf(message: CollectedMessage) {
  const [content, refusal] = (['text', 'refusal'] as const).map((kind) => {
    const list = textsOf(message, kind).flatMap(({ extra }) => probabilitiesIn(wireId, extra));
    return list.length === 0 ? null : list;
  });
  return content === null && refusal === null ? null : { content, refusal };
}

/** The older form has room for one call; whoever reads it asked for no more. */
function writeCalls(
  calls: readonly ToolCall[],
  { form, custom }: { readonly form: ClientCallForm; readonly custom: ReadonlySet<string> },
) {
  const [first] = calls;
  if (first === undefined) return {};
  if (form === 'function') return { function_call: { name: first.name, arguments: first.arguments } };
  return { tool_calls: calls.map((call) => writeCall(call, custom.has(call.name))) };
}

function writeCall({ callId: id, name, arguments: json }: ToolCall, isCustom: boolean) {
  if (isCustom) return { id, type: 'custom', custom: { name, input: unwrapInput(json) } };
  return { id, type: 'function', function: { name, arguments: json } };
}

/** The wire's word for it. `tool_calls` without a whole call confuses agent loops, so it becomes `stop`. */
function writeFinishReason(
  reason: FinishReason,
  { wholeCalls, form }: { readonly wholeCalls: number; readonly form: ClientCallForm },
): WireFinishReason {
  if (reason !== 'tool-calls' || wholeCalls === 0) return finishWithoutCalls(reason);
  return form === 'function' ? 'function_call' : 'tool_calls';
}

/** Whether replies name the upstream's own conversation. */
interface ConversationFieldOptions {
  /** Writes `_conversation` with `id` and `parent_id` into the final chunk and into whole answers. Default: no. */
  readonly conversationField?: boolean;
}

/** The field of our own, in no API: SDKs pass it on unread. Empty where it is not wanted, or nothing is known. */
function writeConversation(
  conversation: CollectedMessage['conversation'],
  { conversationField }: ConversationFieldOptions,
): { readonly _conversation?: { readonly id?: string; readonly parent_id?: string } } {
  if (conversationField !== true || conversation === undefined) return {};
  const { id, parentId } = conversation;
  return {
    _conversation: { ...(id === undefined ? {} : { id }), ...(parentId === undefined ? {} : { parent_id: parentId }) },
  };
}
