import type { ChatEvent, Usage } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { DragomanError } from '../../errors.ts';
import { jsonOf, rememberNumbers } from '../../json/exact-json.ts';
import type { StageFactory } from '../../stream/stage.ts';
import { readFinishReason } from '../finish-reasons.ts';
import { FrameReader, noReply, piecesDiffer, ReplyReader, secondReply } from '../frame-reader.ts';
import { readStreamError, unreadableAnswer } from '../read-upstream-error.ts';
import { countIn, isObject, type JsonObject, textIn } from '../read-values.ts';
import type { Frame } from '../wire.ts';
import { MessageBlocks } from './message-blocks.ts';
import { wireId } from './types.ts';

/**
 * Events of the Messages API as chat events, with the promises of `FrameReader`.
 *
 * The reply is good once a stop reason or `message_stop` has come, whatever happens to the connection afterwards; before
 * that, its end is an error. A `message_stop` without a stop reason is told. Blocks that only this wire knows, such as those
 * of Anthropic's own tools, and the citations of a text ride along for its own clients. Usage leaves once when the
 * reply starts, for whoever wants to know the input early, and once more just before the terminal event.
 */
export function createStreamReader(request: ChatRequest): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new StreamReader(sink, request.model));
}

/** Reads frames, and the parts of whole bodies through the same path. */
class StreamReader extends ReplyReader {
  readonly #queue = new MessageBlocks(this.writer);
  #stopReason = '';
  #stopSequence: string | undefined;

  override get inCall(): boolean {
    return this.#queue.inCall;
  }

  override get isWhole(): boolean {
    return this.#stopReason !== '';
  }

  override readFrame(value: unknown, { event, data }: Frame): boolean {
    if (!isObject(value)) return false;
    // Mostly a call begins with an empty input; its text follows in pieces.
    if (isObject(value.content_block) && isObject(value.content_block.input)) rememberNumbers(data, value);
    this.read(typeof value.type === 'string' ? value : { ...value, type: event });
    return true;
  }

  override end(cut?: DragomanError): void {
    if (this.isWhole) this.finish();
    else super.end(cut);
  }

  /** One event. */
  read(event: JsonObject): void {
    if (this.writer.ended) return;
    switch (event.type) {
      case 'message_start':
        // Two streams have become one: what follows belongs to another reply.
        if (this.#queue.begun) this.fail(secondReply());
        else this.#begin(isObject(event.message) ? event.message : {});
        break;
      case 'content_block_start':
        this.start();
        if (isObject(event.content_block)) this.#open(indexOf(event), event.content_block);
        break;
      case 'content_block_delta':
        this.start();
        if (isObject(event.delta)) this.#delta(indexOf(event), event.delta);
        break;
      case 'content_block_stop':
        this.#queue.close(indexOf(event));
        break;
      case 'message_delta':
        this.usage = readUsage(event.usage, this.usage);
        if (isObject(event.delta) && typeof event.delta.stop_reason === 'string') {
          this.#stopReason = event.delta.stop_reason;
          if (typeof event.delta.stop_sequence === 'string') this.#stopSequence = event.delta.stop_sequence;
        }
        break;
      case 'message_stop':
        this.finish();
        break;
      case 'error':
        this.fail(readStreamError(event));
        break;
      case 'ping':
        break;
      default:
        // Anthropic may add events at any time; an error without a type is none of them.
        if (event.error !== undefined && event.error !== null) this.fail(readStreamError(event));
    }
    if (this.#queue.contradicted) this.fail(piecesDiffer('a call'));
  }

  /** The reply is over, and the upstream says so. */
  finish(): void {
    if (this.writer.ended) return;
    if (!this.writer.started && !this.isWhole) {
      this.fail(noReply());
      return;
    }
    this.start();
    this.#queue.finish();
    if (this.#queue.contradicted) {
      this.fail(piecesDiffer('a call'));
      return;
    }
    this.tellUsage();
    const reason = readFinishReason(this.#stopReason, this.#queue.calls.whole);
    if (!this.isWhole) {
      this.writer.endUnmarked(reason);
      return;
    }
    this.writer.write({
      type: 'message-end',
      finishReason: reason,
      rawFinishReason: this.#stopReason,
      ...(this.#stopSequence === undefined ? {} : { stopSequence: this.#stopSequence }),
    });
  }

  #open(index: number, block: JsonObject): void {
    switch (block.type) {
      case 'text':
        this.#queue.open(index, 'text');
        this.#queue.prose(index, 'text', textIn(block.text));
        if (Array.isArray(block.citations)) for (const citation of block.citations) this.#cite(index, citation);
        break;
      case 'thinking':
        this.#queue.open(index, 'reasoning');
        this.#queue.prose(index, 'reasoning', textIn(block.thinking));
        this.#queue.signature(index, 'signature', textIn(block.signature));
        break;
      case 'redacted_thinking':
        this.#queue.open(index, 'reasoning');
        this.#queue.signature(index, 'redacted', textIn(block.data));
        break;
      case 'tool_use':
        this.#queue.open(index, 'call', {
          callId: textIn(block.id),
          name: textIn(block.name),
          opened: inputOf(block.input),
        });
        break;
      default:
        this.#reportOwn(textIn(block.type));
        this.#queue.open(index, 'text', { closing: { block } });
    }
  }

  #cite(index: number, citation: unknown): void {
    this.#reportOwn('citations');
    this.#queue.citation(index, citation);
  }

  #delta(index: number, delta: JsonObject): void {
    switch (delta.type) {
      case 'text_delta':
        this.#queue.prose(index, 'text', textIn(delta.text));
        break;
      case 'thinking_delta':
        this.#queue.prose(index, 'reasoning', textIn(delta.thinking));
        break;
      case 'signature_delta':
        this.#queue.signature(index, 'signature', textIn(delta.signature));
        break;
      case 'input_json_delta':
        this.#queue.arguments(index, textIn(delta.partial_json));
        break;
      case 'citations_delta':
        this.#cite(index, delta.citation);
        break;
      default:
        this.#warnOnce(`The upstream sent "${textIn(delta.type).slice(0, 40)}", which is not known; it was left out.`);
    }
  }

  #warnOnce(message: string): void {
    this.writer.warnOnce({ code: 'field-ignored', message });
  }

  #reportOwn(kind: string): void {
    this.#warnOnce(`The upstream sent "${kind.slice(0, 40)}", which only clients of ${wireId} are shown.`);
  }

  #begin(message: JsonObject): void {
    if (this.writer.started) return;
    this.usage = readUsage(message.usage, this.usage);
    if (typeof message.model === 'string' && message.model !== '') this.model = message.model;
    this.id = textIn(message.id);
    this.start();
    if (this.usage !== undefined && this.usage.inputTokens > 0) this.writer.usage(this.usage);
  }

  /** Zeros are what servers write that have counted nothing: no prompt is empty. */
  protected override tellUsage(): void {
    const { usage } = this;
    if (usage !== undefined && usage.inputTokens + usage.outputTokens > 0) this.writer.usage(usage);
  }

  protected override cut(): void {
    this.#queue.cut();
  }
}

/** Where there is no index, blocks follow each other. */
function indexOf(event: JsonObject): number {
  return typeof event.index === 'number' ? event.index : 0;
}

/** What a call opens with, as JSON text; an empty object only says that pieces follow. */
function inputOf(input: unknown): string {
  return isObject(input) && Object.keys(input).length > 0 ? jsonOf(input) : '';
}

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader, block by block.
 * Throws `upstream-unreadable` for what is neither an answer nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  if (!isObject(body)) throw unreadableAnswer(body, 'a message');
  const events: ChatEvent[] = [];
  const reader = new StreamReader((event) => events.push(event), request.model);
  if (body.type === 'error' || isObject(body.error)) {
    reader.read({ ...body, type: 'error' });
    return events;
  }
  if (!Array.isArray(body.content)) throw unreadableAnswer(body, 'a message');
  reader.read({ type: 'message_start', message: body });
  body.content.forEach((block: unknown, index) => {
    for (const event of eventsOf(block)) reader.read({ ...event, index });
  });
  reader.read({
    type: 'message_delta',
    delta: { stop_reason: body.stop_reason, stop_sequence: body.stop_sequence },
    usage: body.usage,
  });
  reader.finish();
  return events;
}

/** A block as a stream would bring it: the arguments of a call come after its opening. */
function eventsOf(block: unknown): readonly JsonObject[] {
  const closing = { type: 'content_block_stop' };
  if (!isObject(block) || block.type !== 'tool_use' || !isObject(block.input)) {
    return [{ type: 'content_block_start', content_block: block }, closing];
  }
  const delta = { type: 'input_json_delta', partial_json: jsonOf(block.input) };
  const opening = { type: 'content_block_start', content_block: { ...block, input: {} } };
  return [opening, { type: 'content_block_delta', delta }, closing];
}

/**
 * A `usage` object, read together with the one before it: a stream tells input when it starts and output when it ends,
 * and the later numbers are totals, not additions.
 */
function readUsage(value: unknown, before: Usage | undefined): Usage | undefined {
  if (!isObject(value)) return before;
  const fresh = countIn(value.input_tokens);
  const read = countIn(value.cache_read_input_tokens) ?? before?.cachedInputTokens;
  const written = countIn(value.cache_creation_input_tokens) ?? before?.cacheWriteInputTokens;
  const output = countIn(value.output_tokens);
  const reasoning = isObject(value.output_tokens_details)
    ? countIn(value.output_tokens_details.thinking_tokens)
    : before?.reasoningTokens;
  if (fresh === undefined && output === undefined) return before;
  const freshBefore =
    (before?.inputTokens ?? 0) - (before?.cachedInputTokens ?? 0) - (before?.cacheWriteInputTokens ?? 0);
  return {
    // The last number counts, as some servers begin with a guess; 0 at the end is what others send for having told it.
    inputTokens: (fresh || freshBefore) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? before?.outputTokens ?? 0,
    ...(read === undefined ? {} : { cachedInputTokens: read }),
    ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    source: 'upstream',
  };
}

const start = 'event: content_block_delta\ndata: {';

/** Whether an event only goes on with a text or with thoughts. Within a text the quotation marks of these words are escaped. */
export function isQuiet(frame: string): boolean {
  if (!frame.startsWith(start) || !frame.endsWith('}') || frame.includes('\n', start.length)) return false;
  return frame.includes('"text_delta"') || frame.includes('"thinking_delta"');
}
