/** A body that is read whole. Its owner bounds it. */
export class WholeBody {
  #chunks: Uint8Array[] = [];
  /** Bytes so far. */
  length = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  /** The text, once; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    const decoder = new TextDecoder();
    const text = this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    this.#chunks = [];
    return text;
  }
}

/** A body as JSON; what is none stays text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
