import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { DragomanError } from '../../errors.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { FrameReader, ReplyReader } from '../frame-reader.ts';
import { type GrowingText, PieceForm, textTakenBack } from '../growing-text.ts';
import { orTooLong } from '../message-too-long.ts';
import { readStreamError } from '../read-upstream-error.ts';
import { present } from '../read-values.ts';
import { textAt, valueAt } from '../value-at.ts';
import type { Frame } from '../wire.ts';
import type { ConversationDescription } from './description.ts';

/** Frames of a described server as chat events, with the promises of `FrameReader`. */
export function createStreamReader(
  description: ConversationDescription,
  request: ChatRequest,
): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new DescribedReader(sink, { description, request }));
}

/** Whether a whole body is no reply: it names an error, or holds no text where replies hold theirs. */
export function isRefusal(body: unknown, reply: ConversationDescription['reply']): boolean {
  const holdsText = [reply.text, reply.reasoning].some(
    (path) => path !== undefined && typeof valueAt(body, path) === 'string',
  );
  return !holdsText || errorIn(body, reply) !== undefined;
}

/**
 * A whole body as chat events: it has the shape of a frame, and there is no end to wait for. Throws DragomanError for one
 * without a text or an error where the description has them.
 */
export function readMessage(description: ConversationDescription, body: unknown, request: ChatRequest): ChatEvent[] {
  if (isRefusal(body, description.reply) && errorIn(body, description.reply) === undefined)
    throw orTooLong(readStreamError(body));
  const events: ChatEvent[] = [];
  const { end: _, ...reply } = description.reply;
  const reader = new DescribedReader((event) => events.push(event), {
    description: { ...description, reply },
    request,
  });
  reader.read(body);
  reader.end();
  return events;
}

/** Calls are in its text. Where a reply has an end, it is the last frame. */
class DescribedReader extends ReplyReader {
  readonly #reply: ConversationDescription['reply'];
  readonly #texts: Readonly<Record<'text' | 'reasoning', GrowingText>>;
  #conversation: string | undefined;
  #parent: string | undefined;

  constructor(
    sink: Sink<ChatEvent>,
    { description, request }: { readonly description: ConversationDescription; readonly request: ChatRequest },
  ) {
    super(sink, request.model);
    this.#reply = description.reply;
    const form = new PieceForm(description.reply.cumulative);
    this.#texts = { text: form.growing(), reasoning: form.growing() };
  }

  override readFrame(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    this.read(value);
    return true;
  }

  override done(): void {
    this.#finish();
  }

  read(value: unknown): void {
    this.start();
    const { end } = this.#reply;
    const wrong = errorIn(value, this.#reply);
    if (wrong !== undefined) {
      this.fail(orTooLong(readStreamError({ error: typeof wrong === 'string' ? { message: wrong } : wrong })));
      return;
    }
    this.#readPlace(value);
    this.#readText(value, 'reasoning');
    this.#readText(value, 'text');
    if (end === undefined) return;
    const mark = valueAt(value, end.path);
    const ends = end.is === undefined ? mark !== undefined && mark !== null && mark !== false : mark === end.is;
    if (ends) this.#finish();
  }

  override end(cut?: DragomanError): void {
    if (this.writer.ended) return;
    if (cut === undefined && this.writer.started && this.#reply.end === undefined) {
      this.#finish();
      return;
    }
    this.start();
    this.cut();
    this.writer.closeBlock();
    if (cut !== undefined) this.fail(cut);
  }

  #finish(): void {
    this.cut();
    this.writer.end('stop');
  }

  #readPlace(value: unknown): void {
    const id = textAt(value, this.#reply.conversation);
    const parentId = textAt(value, this.#reply.parent);
    const isNew =
      (id !== undefined && id !== this.#conversation) || (parentId !== undefined && parentId !== this.#parent);
    if (!isNew) return;
    this.#conversation = id ?? this.#conversation;
    this.#parent = parentId ?? this.#parent;
    this.writer.write({ type: 'conversation', ...present({ id, parentId }) });
  }

  #readText(value: unknown, kind: 'text' | 'reasoning'): void {
    const path = this.#reply[kind];
    const text = path === undefined ? undefined : valueAt(value, path);
    if (typeof text !== 'string') return;
    if (kind === 'text' && text !== '') this.writer.reasoning(this.#texts.reasoning.end());
    const added = this.#texts[kind].push(text);
    if (added === undefined) this.writer.warning(textTakenBack);
    else this.writer[kind](added);
  }

  /** What has waited leaves before whatever ends the reply. */
  protected override cut(): void {
    for (const kind of ['reasoning', 'text'] as const) this.writer[kind](this.#texts[kind].end());
  }
}

/** What went wrong, as a frame or a body tells it; undefined where it tells nothing. */
function errorIn(value: unknown, { error }: ConversationDescription['reply']): unknown {
  const wrong = error === undefined ? undefined : valueAt(value, error);
  return wrong === null || wrong === false ? undefined : wrong;
}
