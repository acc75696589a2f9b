/** Bytes of a block. */
const blockLength = 4096;

/** Blocks that nobody uses at the moment; some megabytes at most. */
const free: Buffer[] = [];
const mostFree = 1024;

/** In UTF-8, of one UTF-16 unit. */
const mostBytes = 3;

interface Block {
  readonly bytes: Buffer;
  end: number;
}

/**
 * What comes in pieces and is kept until all has come, in blocks of memory that are used again. As objects the pieces of a stream
 * would be copied by collections of young garbage, and then only go with one of all garbage.
 */
export class KeptBytes {
  readonly #blocks: Block[] = [];

  add(bytes: Uint8Array): void {
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
      this.add(Buffer.from(text));
      return;
    }
    const block = this.#blockFor(most);
    block.end += block.bytes.write(text, block.end);
  }

  /** All of it. It is not kept any more. */
  take(): Buffer {
    const blocks = this.#blocks.splice(0);
    const all = Buffer.concat(blocks.map(({ bytes, end }) => bytes.subarray(0, end)));
    for (const { bytes } of blocks) if (free.length < mostFree) free.push(bytes);
    return all;
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
