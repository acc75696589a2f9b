import type { ChatEvent, Usage } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { DragomanError } from '../errors.ts';
import { nestsTooDeeply } from '../json/json-depth.ts';
import { parsedJson } from '../json/parsed-json.ts';
import type { Sink, Stage } from '../stream/stage.ts';
import { readStreamError } from './read-upstream-error.ts';
import type { Frame } from './wire.ts';

/** Reads the replies of one API, in frames and as whole bodies: what all such readers share. */
export abstract class ReplyReader {
  readonly writer: EventWriter;
  protected id = '';
  protected model: string;
  /** The last that was told. */
  protected usage: Usage | undefined;

  constructor(sink: Sink<ChatEvent>, model: string) {
    this.writer = new EventWriter(sink);
    this.model = model;
  }

  /** A call has begun and is not whole yet. */
  get inCall(): boolean {
    return false;
  }

  /** All that belongs to the reply has come and been called whole: what follows are numbers, at most. */
  get isWhole(): boolean {
    return false;
  }

  /** Reads the JSON of a frame; returns false for what is no frame of this API. `frame.data` is trimmed. */
  abstract readFrame(value: unknown, frame: Frame): boolean;

  /** `[DONE]` has come behind at least one frame. Some servers end with it whose API has another word for the end. */
  done(): void {}

  /** The stream is over. `cut` as for stages. */
  end(cut = closedEarly()): void {
    this.fail(cut);
  }

  /** The reply ends badly here. */
  fail(error: DragomanError): void {
    if (this.writer.ended) return;
    this.start();
    this.cut();
    this.tellUsage();
    this.writer.fail(error);
  }

  protected start(): void {
    this.writer.start(this.id, this.model);
  }

  /** Text that waits leaves; calls that are not whole don't. */
  protected cut(): void {}

  protected tellUsage(): void {
    if (this.usage !== undefined) this.writer.usage(this.usage);
  }
}

/**
 * Reads the frames of a stream, whatever its API: JSON, and `[DONE]`.
 *
 * A frame that cannot be read is lost, and with it a piece of the reply that nobody can tell: the reply is cut there,
 * because a call that has lost a piece may still be a valid call. Only what is plainly no frame, such as a word or a page's
 * first line, is passed over with a warning, and only outside of calls. The stream's last frame may be half a one because the
 * connection broke: so a lost frame is judged when the next one comes, or the end. A stream without any frame is no reply.
 */
export class FrameReader implements Stage<Frame> {
  readonly #reader: ReplyReader;
  #framesRead = 0;
  #lost: DragomanError | undefined;

  constructor(reader: ReplyReader) {
    this.#reader = reader;
  }

  push(frame: Frame): void {
    if (this.#reader.writer.ended) return;
    const data = frame.data.trim();
    if (data === '') return;
    if (this.#lost !== undefined) {
      this.#reader.fail(this.#lost);
      return;
    }
    if (frame.damaged) {
      const message = `Bytes in an event of ${data.length} characters were not UTF-8; U+FFFD stands for them.`;
      this.#reader.writer.warning({ code: 'bytes-replaced', message });
    }
    if (data === '[DONE]') {
      if (this.#framesRead === 0) this.#reader.fail(noReply());
      else this.#reader.done();
      return;
    }
    const value = parsed(data);
    if (value !== undefined && this.#reader.readFrame(value, data === frame.data ? frame : { ...frame, data })) {
      this.#framesRead += 1;
    } else if (frame.event === 'error') this.#reader.fail(readStreamError(value ?? data));
    else this.#passOver(data);
  }

  end(cut?: DragomanError): void {
    if (this.#reader.writer.ended) return;
    const error = cut ?? this.#lost ?? (this.#framesRead === 0 ? noReply() : undefined);
    this.#reader.end(error);
    if (error !== undefined && !this.#reader.writer.ended) this.#reader.fail(error);
  }

  #passOver(data: string): void {
    const problem = `An event of ${data.length} characters could not be read`;
    if (!this.#reader.isWhole && (this.#reader.inCall || holdsJson(data))) {
      this.#lost = new DragomanError('upstream-cut', `${problem}, so the rest of the reply was not delivered.`);
    } else this.#reader.writer.warning({ code: 'event-unreadable', message: `${problem} and was passed over.` });
  }
}

/** A stream that ends in good order before its reply does. */
export function closedEarly(): DragomanError {
  return new DragomanError('upstream-cut', 'The upstream closed the stream before the reply was over.');
}

/** A stream that says nothing at all. */
export function noReply(): DragomanError {
  return new DragomanError('upstream-cut', 'The upstream ended the stream without a reply.');
}

/** For a reply that begins once more in the middle. */
export function secondReply(): DragomanError {
  return new DragomanError('upstream-cut', 'Another reply began in the middle of this one.');
}

/** Whether a frame may have held a piece of the reply: no API says anything without an object. */
function holdsJson(data: string): boolean {
  return data.includes('{') || data.includes('}') || data.includes('"');
}

/** `undefined` when the text is not JSON, or nests deeper than anybody means. */
function parsed(data: string): unknown {
  return nestsTooDeeply(data) ? undefined : parsedJson(data);
}

/** Whether two JSON texts of arguments, or two texts, say the same: JSON in other white space does, and so does text at whose edges it differs. */
export function saysSame(one: string, other: string, { json }: { readonly json: boolean }): boolean {
  if (one === other) return true;
  if (!json) return one.trim() === other.trim();
  const [first, second] = [parsedJson(one), parsedJson(other)];
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

/** For a reply that says a part of itself twice, in pieces and as a whole, when what has left is not what the whole says. */
export function piecesDiffer(what: string): DragomanError {
  return new DragomanError(
    'upstream-cut',
    `The upstream sent ${what} in pieces and as a whole, and the two differ: a piece was lost or changed on the way.`,
  );
}
