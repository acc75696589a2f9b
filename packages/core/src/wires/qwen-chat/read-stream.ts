import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import type { DragomanError } from '../../errors.ts';
import type { Sink } from '../../stream/stage.ts';
import { ReplyReader } from '../frame-reader.ts';
import { type GrowingText, PieceForm, textTakenBack } from '../growing-text.ts';
import { readUsage } from '../openai-usage.ts';
import { isObject, type JsonObject, present } from '../read-values.ts';
import { textAt } from '../value-at.ts';
import { readFailure, tellsFailure, unreadable } from './errors.ts';
import type { QwenChatSettings } from './types.ts';

/** What has been seen of a reply. */
type State =
  /** No answer: nothing, the ids, or thinking. */
  | 'before-answer'
  /** Something of the answer. */
  | 'answering'
  /** The answer and the word that it is over. After it only usage is expected. */
  | 'finished';

/** What a reader of replies takes. */
interface ReplyReaderOptions {
  /** As the client named it. */
  readonly model: string;
  readonly settings: QwenChatSettings;
}

/**
 * Reads the frames of a reply. Text of the phase `answer`, or of none, is the answer; what comes in any other phase leads
 * to it and is reasoning. Usage grows from frame to frame: the last one counts, and leaves just before the terminal event.
 *
 * A reply is good once the answer was marked as finished or `[DONE]` has come, whatever happens to the connection
 * afterwards. The word `finished` after thinking ends only the thinking. A stream that closes in good order after an
 * answer without a mark has ended, too, but may be half of a reply, since servers and proxies that fail often close it as
 * politely as one that is done: `end: "close"` is for platforms that are known to mark nothing, elsewhere it is told. A
 * connection that breaks is never an end, nor is a close before the answer.
 */
export class QwenReader extends ReplyReader {
  readonly #settings: QwenChatSettings;
  readonly #form = new PieceForm();
  readonly #answer = this.#form.growing();
  /** Of the phase before the answer that is under way. */
  #thoughts = this.#form.growing();
  #phase = '';
  #state: State = 'before-answer';

  constructor(sink: Sink<ChatEvent>, { model, settings }: ReplyReaderOptions) {
    super(sink, model);
    this.#settings = settings;
  }

  override get isWhole(): boolean {
    return this.#state === 'finished';
  }

  override readFrame(value: unknown): boolean {
    if (!isObject(value)) return false;
    this.#read(value);
    return true;
  }

  override done(): void {
    this.#finish();
  }

  override end(cut?: DragomanError): void {
    if (this.writer.ended) return;
    if (this.#state === 'finished') this.#finish();
    else if (cut === undefined && this.#state === 'answering') this.#closed();
    else super.end(cut);
  }

  #read(value: JsonObject): void {
    const created = value['response.created'];
    this.id = textAt(created, ['response_id']) ?? '';
    this.start();
    this.#readPlace(value, textAt(created, ['chat_id']));
    this.usage = readUsage(value.usage) ?? this.usage;
    if (tellsFailure(value)) this.fail(readFailure(value));
    else if (Array.isArray(value.choices)) this.#readDelta(value.choices[0]);
  }

  #readPlace(value: JsonObject, id: string | undefined): void {
    const parentId = textAt(value, this.#settings.parent);
    if (id === undefined && parentId === undefined) return;
    this.writer.write({ type: 'conversation', ...present({ id, parentId }) });
  }

  #readDelta(choice: unknown): void {
    const delta = isObject(choice) ? choice.delta : undefined;
    if (!isObject(delta)) return;
    const text = typeof delta.content === 'string' ? delta.content : '';
    if (typeof delta.phase === 'string' && delta.phase !== 'answer') {
      if (delta.phase !== this.#phase) this.#beginPhase(delta.phase);
      this.writer.reasoning(this.#added(this.#thoughts, text));
      return;
    }
    if (text !== '') this.writer.reasoning(this.#thoughts.end());
    this.writer.text(this.#added(this.#answer, text));
    if (delta.status === 'finished') this.#state = 'finished';
    else if (text !== '' && this.#state === 'before-answer') this.#state = 'answering';
  }

  /** What each phase holds is a text of its own. */
  #beginPhase(phase: string): void {
    this.writer.reasoning(this.#thoughts.end());
    this.#thoughts = this.#form.growing();
    this.#phase = phase;
  }

  #added(text: GrowingText, piece: string): string {
    const added = text.push(piece);
    if (added === undefined) this.writer.warning(textTakenBack);
    return added ?? '';
  }

  #finish(): void {
    this.start();
    this.cut();
    this.tellUsage();
    this.writer.end('stop');
  }

  /** In good order, after an answer, without a mark. */
  #closed(): void {
    this.start();
    this.cut();
    this.tellUsage();
    if (this.#settings.end === 'close') this.writer.end('stop');
    else this.writer.endUnmarked();
  }

  /** What has waited leaves before the terminal event. */
  protected override cut(): void {
    this.writer.reasoning(this.#thoughts.end());
    this.writer.text(this.#answer.end());
  }
}

/**
 * A whole body as chat events, from a server that streams to nobody. Throws DragomanError for one that tells of a failure,
 * and `upstream-unreadable` for one without an answer.
 */
export function readMessage(body: unknown, { model, settings }: ReplyReaderOptions): ChatEvent[] {
  const text = answerIn(body);
  if (tellsFailure(body)) throw readFailure(body);
  if (text === undefined || !isObject(body)) throw unreadable(body, 'a reply');
  const data: JsonObject = isObject(body.data) ? body.data : {};
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start(textAt(data, ['message_id']) ?? '', model);
  const id = textAt(data, ['chat_id']);
  // What a stream announces in a frame of its own is here beside the answer, under the same name.
  const parentId = textAt(data, settings.parent.slice(-1));
  if (id !== undefined || parentId !== undefined) {
    writer.write({ type: 'conversation', ...present({ id, parentId }) });
  }
  writer.text(text);
  const usage = readUsage(body.usage) ?? readUsage(data.usage);
  if (usage !== undefined) writer.usage(usage);
  writer.end('stop');
  return events;
}

/** The text of the answer in a whole body; undefined where there is none. */
export function answerIn(body: unknown): string | undefined {
  const data = isObject(body) ? body.data : undefined;
  const choice: unknown = isObject(data) && Array.isArray(data.choices) ? data.choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  return isObject(message) && typeof message.content === 'string' ? message.content : undefined;
}
