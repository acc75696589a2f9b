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
  /** Nothing is held, and the last byte that left was a CR: an LF after it belongs to it. */
  #isReturned = false;

  constructor(framing: 'sse' | 'ndjson') {
    this.#framing = framing;
  }

  /** The bytes that may go out now, in order. */
  push(piece: Uint8Array): readonly Uint8Array[] {
    if (piece.length === 0) return [];
    const end = this.#endOf(piece);
    this.#isReturned = end === piece.length && piece[end - 1] === carriageReturn;
    if (end === 0) {
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

  /** What is left of a stream that ended well, with the line ends that some upstreams leave out: clients wait for them. */
  rest(): readonly Uint8Array[] {
    const rest = this.#held;
    this.#held = [];
    if (rest.length === 0) return [];
    const isLineEnd = this.#tail.at(-1) === lineFeed;
    const missing = (isLineEnd ? 0 : 1) + (this.#framing === 'sse' ? 1 : 0);
    return missing === 0 ? rest : [...rest, new Uint8Array(missing).fill(lineFeed)];
  }

  /** How much of `piece` may leave: it ends with the last frame that is whole. Zero if none is. */
  #endOf(piece: Uint8Array): number {
    let feed = piece.lastIndexOf(lineFeed);
    if (this.#framing === 'ndjson') return feed + 1;
    let back = piece.lastIndexOf(carriageReturn);
    while (feed >= 0 || back >= 0) {
      const at = Math.max(feed, back);
      if (this.#isBlankLine(piece, at)) return at + 1;
      if (at === feed) feed = lastBefore(piece, { byte: lineFeed, at });
      else back = lastBefore(piece, { byte: carriageReturn, at });
    }
    // The other half of a line end whose first half ended a frame.
    return this.#isReturned && piece[0] === lineFeed ? 1 : 0;
  }

  /** Whether the line that ends here is empty, so that it ends an event. Lines end with LF, CR LF or CR. */
  #isBlankLine(piece: Uint8Array, end: number): boolean {
    const isPair = piece[end] === lineFeed && this.#at(piece, end - 1) === carriageReturn;
    const before = this.#at(piece, end - (isPair ? 2 : 1));
    return before === lineFeed || before === carriageReturn;
  }

  /** A byte of `piece`, or of what is held before it. */
  #at(piece: Uint8Array, at: number): number | undefined {
    return at >= 0 ? piece[at] : this.#tail[this.#tail.length + at];
  }
}

function lastBefore(piece: Uint8Array, { byte, at }: { readonly byte: number; readonly at: number }): number {
  return at === 0 ? -1 : piece.lastIndexOf(byte, at - 1);
}

function lastBytes(before: Uint8Array, piece: Uint8Array): Uint8Array {
  const kept = 3;
  if (piece.length >= kept) return piece.subarray(-kept);
  return Uint8Array.from([...before, ...piece]).subarray(-kept);
}
