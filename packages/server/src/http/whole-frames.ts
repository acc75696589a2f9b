const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Lets bytes of a stream out at the ends of its frames only, so that a frame of ours can be put in between or behind at
 * any moment. Keeps nothing but the frame that is not whole yet, and looks at each byte a constant number of times.
 */
export class WholeFrames {
  readonly #framing: 'sse' | 'ndjson';
  #held: Uint8Array[] = [];
  /** The last bytes that are held, at most three: a frame's end may be parted by a cut. */
  #tail: Uint8Array = new Uint8Array();

  constructor(framing: 'sse' | 'ndjson') {
    this.#framing = framing;
  }

  /** The bytes that may go out now, in order. */
  push(piece: Uint8Array): readonly Uint8Array[] {
    const end = this.#endOf(piece);
    if (end < 0) {
      this.#held.push(piece);
      this.#tail = lastBytes(this.#tail, piece);
      return [];
    }
    const whole = [...this.#held, piece.subarray(0, end)];
    const rest = piece.subarray(end);
    this.#held = rest.length === 0 ? [] : [rest];
    this.#tail = lastBytes(new Uint8Array(), rest);
    return whole;
  }

  /** What is left of a stream that ended well: some upstreams leave out the last line end. */
  rest(): readonly Uint8Array[] {
    const rest = this.#held;
    this.#held = [];
    return rest;
  }

  /** Where in `piece` the last frame ends that is whole; -1 if none does. */
  #endOf(piece: Uint8Array): number {
    for (let at = piece.length - 1; at >= 0; at -= 1) {
      at = piece.lastIndexOf(lineFeed, at);
      if (at < 0) return -1;
      if (this.#framing === 'ndjson' || this.#isBlankLine(piece, at)) return at + 1;
    }
    return -1;
  }

  /** Whether the line that ends here is empty, so that it ends an event. */
  #isBlankLine(piece: Uint8Array, feed: number): boolean {
    const before = this.#at(piece, feed - 1);
    return before === lineFeed || (before === carriageReturn && this.#at(piece, feed - 2) === lineFeed);
  }

  /** A byte of `piece`, or of what is held in front of it. */
  #at(piece: Uint8Array, at: number): number | undefined {
    return at >= 0 ? piece[at] : this.#tail[this.#tail.length + at];
  }
}

function lastBytes(before: Uint8Array, piece: Uint8Array): Uint8Array {
  const kept = 3;
  if (piece.length >= kept) return piece.subarray(-kept);
  return Uint8Array.from([...before, ...piece]).subarray(-kept);
}
