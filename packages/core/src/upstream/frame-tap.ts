import type { DragomanError } from '../errors.ts';
import { decodeText } from '../stream/decode-text.ts';
import type { Stage } from '../stream/stage.ts';

/** A frame that has grown longer than this is left to whoever reads it, with all that follows. */
const longestFrame = 65_536;

const encoder = new TextEncoder();

/**
 * The bytes of a stream of server-sent events that are passed on as they are: of its frames `reader` gets only those that tell
 * how the reply goes. Frames that only add to what has been said are neither parsed nor kept, as soon as there is something.
 */
export class FrameTap implements Stage<Uint8Array> {
  readonly #reader: Stage<Uint8Array>;
  readonly #isQuiet: (frame: string) => boolean;
  readonly #hasSaid: () => boolean;
  readonly #decode = decodeText()((text) => this.#take(text));
  /** The frame that is not whole yet. */
  #rest = '';
  /** Its frames are parted otherwise, or too long to be looked at here: the reader gets everything. */
  #readsAll = false;

  constructor(options: {
    readonly reader: Stage<Uint8Array>;
    /** Whether a frame only adds to a block that is open. */
    readonly isQuiet: (frame: string) => boolean;
    /** Whether the reply has something to show that no later frame can take back. */
    readonly hasSaid: () => boolean;
  }) {
    this.#reader = options.reader;
    this.#isQuiet = options.isQuiet;
    this.#hasSaid = options.hasSaid;
  }

  push(chunk: Uint8Array): void {
    this.#decode.push(chunk);
  }

  end(cut?: DragomanError): void {
    this.#decode.end(cut);
    if (this.#rest !== '') this.#read(this.#rest);
    this.#reader.end(cut);
  }

  #take(piece: string): void {
    const text = this.#rest + piece;
    this.#readsAll ||= piece.includes('\r');
    let from = 0;
    if (!this.#readsAll) {
      // The end of a frame may have come in halves.
      for (let end = text.indexOf('\n\n', this.#rest.length - 1); end >= 0; end = text.indexOf('\n\n', from)) {
        const frame = text.slice(from, end);
        if (!this.#hasSaid() || !this.#isQuiet(frame)) this.#read(`${frame}\n\n`);
        from = end + 2;
      }
    }
    this.#rest = text.slice(from);
    if (!this.#readsAll && this.#rest.length <= longestFrame) return;
    this.#readsAll = true;
    this.#read(this.#rest);
    this.#rest = '';
  }

  #read(text: string): void {
    this.#reader.push(encoder.encode(text));
  }
}
