import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent, Usage } from '../../chat/event.ts';
import type { Extra } from '../../chat/message.ts';
import type { DragomanError } from '../../errors.ts';
import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink } from '../../stream/stage.ts';
import { ArgumentsGate } from '../arguments-gate.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext, StreamWriter } from '../wire.ts';
import { writeError } from './errors.ts';
import { stopSequenceOf, writeStopReason } from './stop-reasons.ts';
import { ownFields } from './types.ts';

/**
 * Chat events as events of the Messages API. Each output is whole frames, ready to be sent.
 *
 * `message_start` waits for the first event that shows, so that an early failure can still become an HTTP status and
 * input tokens that the upstream told early are in it. Blocks open with their first piece. So does a call: clients read
 * one without arguments as one with `{}` and run it, so one that was cut before them must not show. A call that is cut
 * later is spoilt: nothing on this wire can take it back, and clients complete arguments that only break off. What follows
 * a cut waits for one event more, because a reply that fails there needs neither: `error` then comes inside the open
 * block, and clients never take that for a finished call. Nothing comes after `error`.
 */
export function createStreamWriter(context: ReplyContext): (sink: Sink<string>) => StreamWriter {
  return (sink) => new MessageWriter(sink, context);
}

/** Events that leave open how a call that was cut is to be told. */
const saysNothing: readonly ChatEvent['type'][] = ['error', 'usage', 'warning', 'message-start'];

class MessageWriter extends ReplyWriter {
  #begun = false;
  /** The index of the open block, or of the next one. */
  #index = 0;
  #isOpen = false;
  /** How a delta of the open block looks that adds nothing; empty where there is none. */
  #nothing = '';
  /** The open block is an empty text that was only opened to wait in. Text goes on in it, anything else closes it. */
  #isWaiting = false;
  /** A call that has no arguments yet. */
  #waitingCall: { readonly id: string; readonly name: string } | undefined;
  /** Follows what is sent of the arguments of the open call. */
  #arguments = new ArgumentsGate();
  /** A call was cut after it had shown; what came since then waits here for what tells how that is said. */
  #afterCut: ChatEvent[] | undefined;
  #wholeCalls = 0;

  override push(event: ChatEvent): void {
    if (this.hasEnded || !this.#waits(event)) super.push(event);
  }

  /** Claude Code gives up where no event has come for five minutes. A ping is none to it, and neither is `message_start`. */
  wait(): void {
    if (this.hasEnded) return;
    if (!this.#isOpen) {
      this.#openText();
      this.#isWaiting = true;
    }
    if (this.#nothing !== '') this.#delta(this.#nothing);
  }

  protected override text(text: string): void {
    if (text === '') return;
    if (!this.#isOpen) this.#openText();
    this.#isWaiting = false;
    this.#delta(`{"type":"text_delta","text":${JSON.stringify(text)}}`);
  }

  #openText(): void {
    this.#open('{"type":"text","text":""}', '{"type":"text_delta","text":""}');
  }

  /** A text may quote, or be nothing but the carrier of a block that only this wire knows. */
  protected override endText(extra: Extra | undefined): void {
    const { block, citations } = ownFields(extra);
    if (isObject(block)) this.#openOwn(block);
    else if (this.#isOpen && Array.isArray(citations)) {
      for (const citation of citations) this.#delta(JSON.stringify({ type: 'citations_delta', citation }));
    }
    this.#close();
  }

  /** A block that only this wire knows. Inputs come in pieces, as clients refuse one that is not empty when its block opens. */
  #openOwn(block: JsonObject): void {
    const { input } = block;
    if (input === undefined) {
      this.#open(JSON.stringify(block));
      return;
    }
    this.#open(JSON.stringify({ ...block, input: {} }));
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    if (json !== '{}' && json !== '') this.#delta(JSON.stringify({ type: 'input_json_delta', partial_json: json }));
  }

  protected override reasoning(text: string): void {
    if (text === '') return;
    this.#openThinking();
    this.#delta(`{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`);
  }

  #openThinking(): void {
    this.#endWaiting();
    if (this.#isOpen) return;
    this.#open('{"type":"thinking","thinking":"","signature":""}', '{"type":"thinking_delta","thinking":""}');
  }

  /** Thinking may be nothing but a signature, or kept secret as a whole; both have to come back in the next request. */
  protected override endReasoning(extra: Extra | undefined): void {
    const { signature, redacted } = ownFields(extra);
    this.#endWaiting();
    if (typeof redacted === 'string' && !this.#isOpen) {
      this.#open(JSON.stringify({ type: 'redacted_thinking', data: redacted }));
    } else if (typeof signature === 'string') {
      this.#openThinking();
      this.#delta(JSON.stringify({ type: 'signature_delta', signature }));
    }
    this.#close();
  }

  #startCall(): void {
    if (this.#waitingCall === undefined) return;
    const { id, name } = this.#waitingCall;
    this.#waitingCall = undefined;
    const nothing = '{"type":"input_json_delta","partial_json":""}';
    this.#open(JSON.stringify({ type: 'tool_use', id, name, input: {} }), nothing);
  }

  protected override beginCall({ callId, name }: { readonly callId: string; readonly name: string }): void {
    this.#waitingCall = { id: callId, name };
    this.#arguments = new ArgumentsGate();
  }

  protected override arguments(json: string): void {
    if (json === '') return;
    this.#startCall();
    this.#arguments.push(json);
    this.#delta(`{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`);
  }

  protected override endCall(): void {
    this.#startCall();
    this.#wholeCalls += 1;
    this.#close();
  }

  protected override cutCall(): void {
    this.#waitingCall = undefined;
    this.#endWaiting();
    if (this.#isOpen) this.#afterCut = [];
  }

  #open(block: string, nothing = ''): void {
    this.#begin();
    this.#endWaiting();
    this.#isOpen = true;
    this.#nothing = nothing;
    this.#frame('content_block_start', `"index":${this.#index},"content_block":${block}`);
  }

  #delta(delta: string): void {
    this.#frame('content_block_delta', `"index":${this.#index},"delta":${delta}`);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#isWaiting = false;
    this.#frame('content_block_stop', `"index":${this.#index}`);
    this.#index += 1;
  }

  #endWaiting(): void {
    if (this.#isWaiting) this.#close();
  }

  /** Whether this event waits after a cut: one piece of text does, which says again what was written for the call. */
  #waits(event: ChatEvent): boolean {
    const waiting = this.#afterCut;
    if (waiting === undefined || saysNothing.includes(event.type)) return false;
    const isText = event.type === 'text-start' || event.type === 'text-end';
    const isFirst = event.type === 'text-delta' && !waiting.some(({ type }) => type === event.type);
    if (isText || isFirst) waiting.push(event);
    else this.#spoilCut(waiting);
    return isText || isFirst;
  }

  /**
   * The reply goes on after a call that was cut, or ends well: its block has to close without becoming a call. Many clients complete
   * JSON that breaks off and would run it, with half a file in it: what follows makes all of it something that no reader takes for
   * JSON, however forgiving it is.
   */
  #spoilCut(waiting: readonly ChatEvent[]): void {
    this.#afterCut = undefined;
    this.#delta(JSON.stringify({ type: 'input_json_delta', partial_json: `${this.#arguments.stringEnd} …cut` }));
    this.#close();
    for (const event of waiting) this.push(event);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const message = {
      id: `msg_${this.context.replyId}`,
      type: 'message',
      role: 'assistant',
      model: this.context.request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...writeUsage(this.usage), output_tokens: 0 },
    };
    this.#frame('message_start', `"message":${JSON.stringify(message)}`);
  }

  protected override finish(event: Extract<ChatEvent, { type: 'message-end' }>): void {
    this.#begin();
    this.#close();
    const reason = writeStopReason(event, this.#wholeCalls);
    const known = { told: event.stopSequence, asked: this.context.request.sampling.stop };
    const delta = { stop_reason: reason, stop_sequence: stopSequenceOf(reason, known) };
    const usage = JSON.stringify(writeUsage(this.usage));
    this.#frame('message_delta', `"delta":${JSON.stringify(delta)},"usage":${usage}`);
    this.#frame('message_stop');
  }

  protected override fail(error: DragomanError): void {
    this.#begin();
    this.sink(encodeSse(JSON.stringify(writeError(error)), 'error'));
  }

  /** `fields`: the event's own, as JSON without its braces. */
  #frame(type: string, fields = ''): void {
    this.sink(`event: ${type}\ndata: {"type":"${type}"${fields === '' ? '' : `,${fields}`}}\n\n`);
  }
}

/**
 * A whole answer out of its events, as JSON text: the arguments of a call are in it as the model wrote them, down to
 * the digits that JavaScript cannot hold.
 */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext): string {
  const message = collect(events);
  const { request, replyId } = context;
  const blocks = message.content.flatMap(writeBlock);
  const { finishReason = 'length' } = message;
  const reason = writeStopReason({ ...message, finishReason }, message.calls.length);
  const head = { id: `msg_${replyId}`, type: 'message', role: 'assistant', model: request.model };
  const tail = {
    stop_reason: reason,
    stop_sequence: stopSequenceOf(reason, { told: message.stopSequence, asked: request.sampling.stop }),
    usage: writeUsage(message.usage),
  };
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks.join(',')}],${JSON.stringify(tail).slice(1)}`;
}

/** A text with what it quotes; or the block that rode on it. */
function writeText(text: string, { block, citations }: JsonObject): readonly string[] {
  if (isObject(block)) return [JSON.stringify(block)];
  if (text === '') return [];
  return [JSON.stringify({ type: 'text', text, ...(Array.isArray(citations) ? { citations } : {}) })];
}

/** A part as the JSON text of its block; none where there is nothing to show. */
function writeBlock(part: CollectedMessage['content'][number]): readonly string[] {
  switch (part.type) {
    case 'text':
      return writeText(part.text, ownFields(part.extra));
    case 'reasoning': {
      const { signature, redacted } = ownFields(part.extra);
      if (typeof redacted === 'string') return [JSON.stringify({ type: 'redacted_thinking', data: redacted })];
      const signed = typeof signature === 'string' ? signature : '';
      if (part.text === '' && signed === '') return [];
      return [JSON.stringify({ type: 'thinking', thinking: part.text, signature: signed })];
    }
    case 'tool-call': {
      const head = JSON.stringify({ type: 'tool_use', id: part.callId, name: part.name });
      return [`${head.slice(0, -1)},"input":${part.arguments}}`];
    }
    default:
      return part satisfies never;
  }
}

/** Canonical input counts what came from a cache, this wire's does not. Unknown numbers are 0: clients add them up. */
function writeUsage(usage: Usage | undefined) {
  const read = usage?.cachedInputTokens ?? 0;
  const written = usage?.cacheWriteInputTokens ?? 0;
  return {
    input_tokens: Math.max(0, (usage?.inputTokens ?? 0) - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage?.outputTokens ?? 0,
    ...(usage?.reasoningTokens === undefined
      ? {}
      : { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
  };
}
