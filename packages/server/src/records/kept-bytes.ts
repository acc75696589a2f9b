/** Bytes of a block. */
const blockLength = 4096;

/** Blocks that nobody uses at the moment; some megabytes at most. */
const free: Buffer[] = [];
const mostFree = 2048;

/** In UTF-8, of one UTF-16 unit. */
const mostBytes = 3;

/** Where texts are put together, and read from. */
const desk = Buffer.allocUnsafeSlow(384 * 1024);

interface Block {
  readonly bytes: Buffer;
  end: number;
}

/**
 * What is kept until it is written or all of it has come, in blocks of memory that are used again. As objects the pieces of a stream
 * would be copied by collections of young garbage, and then only go with one of all garbage; and memory of its own for each record
 * brings that about.
 */
export class KeptBytes {
  readonly #blocks: Block[] = [];
  #length = 0;

  /** Bytes. */
  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const block = this.#blockFor(1);
      const part = bytes.subarray(at, at + blockLength - block.end);
      block.bytes.set(part, block.end);
      block.end += part.length;
      at += part.length;
    }
  }

  addText(text: string): void {
    const most = text.length * mostBytes;
    if (most > blockLength) {
      this.add(most > desk.length ? Buffer.from(text) : desk.subarray(0, desk.write(text)));
      return;
    }
    const block = this.#blockFor(most);
    const written = block.bytes.write(text, block.end);
    block.end += written;
    this.#length += written;
  }

  /** All of it. It is not kept any more. */
  take(): Buffer {
    const all = Buffer.allocUnsafe(this.#length);
    this.copyTo(all, 0);
    this.free();
    return all;
  }

  /** All of it as text. */
  text(): string {
    const all = this.#length > desk.length ? Buffer.allocUnsafe(this.#length) : desk;
    this.copyTo(all, 0);
    return all.toString('utf8', 0, this.#length);
  }

  copyTo(target: Uint8Array, from: number): void {
    let at = from;
    for (const { bytes, end } of this.#blocks) {
      target.set(end === blockLength ? bytes : bytes.subarray(0, end), at);
      at += end;
    }
  }

  /** It is not kept any more. */
  free(): void {
    for (const { bytes } of this.#blocks.splice(0)) if (free.length < mostFree) free.push(bytes);
    this.#length = 0;
  }

  /** The last block, with room for so many bytes. */
  #blockFor(length: number): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.end + length <= blockLength) return last;
    const block = { bytes: free.pop() ?? Buffer.allocUnsafeSlow(blockLength), end: 0 };
    this.#blocks.push(block);
    return block;
  }
}
