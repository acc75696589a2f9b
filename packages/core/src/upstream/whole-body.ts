import { decodeText, readable } from '../stream/decode-text.ts';
import { run } from '../stream/stage.ts';

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
    return this.read().text;
  }

  /** The same, with whether there were such bytes. */
  read(): { readonly text: string; readonly damaged: boolean } {
    const text = run(decodeText(), this.#chunks).join('');
    this.#chunks = [];
    return readable(text);
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
