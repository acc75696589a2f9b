import type { ChatEvent } from '../chat/event.ts';
import { DragomanError } from '../errors.ts';
import { rememberNumbers } from '../json/exact-json.ts';
import type { Sink } from '../stream/stage.ts';
import { readFinishReason } from './finish-reasons.ts';
import { noReply, ReplyReader } from './frame-reader.ts';
import { readUsage } from './openai-usage.ts';
import { readStreamError, unreadableAnswer } from './read-upstream-error.ts';
import { isAbsent, isObject, type JsonObject } from './read-values.ts';
import type { Frame } from './wire.ts';

/**
 * Reads chunks with `choices`, and parsed whole bodies through the same path: all that Chat Completions and Completions share.
 * Only the first choice is read.
 *
 * The reply is good once a finish reason or `[DONE]` has come, whatever happens to the connection afterwards; before
 * that, its end is an error. `[DONE]` without a finish reason is told, and ends no call that is still open. Usage comes from
 * any chunk, the last one counts, and leaves just before the terminal event.
 */
export abstract class ChunkReader extends ReplyReader {
  #finishWord = '';
  #truncates = false;

  /** The first choice of a chunk, or of a whole body. */
  protected abstract readChoice(choice: JsonObject): void;

  /** Whether there are values in it whose numbers have to be known as they were written. */
  protected holdsValues(_choice: JsonObject): boolean {
    return false;
  }

  /** The reply ended well: what waits leaves. Returns how many calls have come whole, and how many were none at their end. */
  protected abstract finishChoice(): { readonly whole: number; readonly cut: number };

  override get isWhole(): boolean {
    return this.#finishWord !== '';
  }

  override readFrame(value: unknown, { event, data }: Frame): boolean {
    if (!isObject(value)) return false;
    if (event === 'error') this.fail(readStreamError(value));
    if (this.#holdsValues(value)) rememberNumbers(data, value);
    this.read(value);
    return true;
  }

  #holdsValues({ choices }: JsonObject): boolean {
    return Array.isArray(choices) && choices.some((choice) => isObject(choice) && this.holdsValues(choice));
  }

  override done(): void {
    if (this.isWhole || this.writer.started) this.finish();
    else this.fail(noReply());
  }

  override end(cut?: DragomanError): void {
    if (this.isWhole) this.finish();
    else super.end(cut);
  }

  /** One chunk, or one whole body. */
  read(value: JsonObject): void {
    if (this.writer.ended) return;
    if (typeof value.id === 'string' && value.id !== '') this.id = value.id;
    if (typeof value.model === 'string' && value.model !== '') this.model = value.model;
    this.usage = readUsage(value.usage) ?? this.usage;
    // Ollama's name for itself: this API of it cannot be asked to refuse what does not fit.
    this.#truncates ||= value.system_fingerprint === 'fp_ollama';
    if (Array.isArray(value.choices)) for (const choice of value.choices) this.#readChoice(choice);
    if (!isAbsent(value.error) || value.object === 'error') this.fail(readStreamError(value));
  }

  /** The reply is over, and the upstream says so. */
  finish(): void {
    if (this.writer.ended) return;
    if (failureWords.includes(this.#finishWord)) {
      this.fail(new DragomanError('upstream-failed', `The upstream ended the reply with "${this.#finishWord}".`));
      return;
    }
    this.start();
    const calls = this.finishChoice();
    if (this.#truncates && this.usage !== undefined) this.usage = { ...this.usage, truncates: true };
    this.tellUsage();
    const reason = readFinishReason(this.#finishWord, calls.whole);
    if (this.isWhole) this.writer.end(reason, this.#finishWord);
    else if (calls.cut === 0) this.writer.endUnmarked(reason);
    else this.writer.fail(new DragomanError('upstream-cut', 'The upstream ended the stream in the middle of a call.'));
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice) || (typeof choice.index === 'number' && choice.index !== 0)) return;
    this.start();
    this.readChoice(choice);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.#finishWord = choice.finish_reason;
    }
  }

  protected override start(): void {
    this.writer.start(this.id, this.model, this.#truncates);
  }
}

/**
 * A whole answer as the events that a stream of it would give: it goes through the stream's own reader as one chunk. Throws
 * `upstream-unreadable` for what is neither an error nor has a choice that `holdsReply`, as one that says nothing would be a lie.
 */
export function readWholeChunk(
  body: unknown,
  {
    what,
    holdsReply,
    createReader,
  }: {
    /** What such an answer is called, such as "a chat completion". */
    readonly what: string;
    readonly holdsReply: (choice: JsonObject) => boolean;
    readonly createReader: (sink: Sink<ChatEvent>) => ChunkReader;
  },
): ChatEvent[] {
  const isError = isObject(body) && (!isAbsent(body.error) || body.object === 'error');
  const isAnswer = isObject(body) && Array.isArray(body.choices) && body.choices.filter(isObject).some(holdsReply);
  if (!isError && !isAnswer) throw unreadableAnswer(body, what);
  const events: ChatEvent[] = [];
  const reader = createReader((event) => events.push(event));
  reader.read(body);
  reader.finish();
  return events;
}

/** Finish reasons that servers give when they broke off (gateways, vLLM, SGLang, DeepSeek). */
const failureWords: readonly string[] = ['error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource'];
