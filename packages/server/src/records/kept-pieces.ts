import { type SaidPieces, tellPieces } from './said-pieces.ts';

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
export class KeptPieces {
  readonly #room: number;
  readonly #blocks: Block[] = [];
  /** Where each piece ends in all that is kept. */
  readonly #ends: number[] = [];
  #end = 0;
  #came = 0;
  /** How much is not kept, in the units of what was added. */
  missing = 0;

  /** `room`: the most that is kept, about. */
  constructor(room: number) {
    this.#room = room;
  }

  /** How much is kept, about. */
  get size(): number {
    return Math.min(this.#came, this.#room);
  }

  add(piece: string | Uint8Array): void {
    this.#came += piece.length;
    if (this.#came > this.#room) {
      this.missing += piece.length;
      return;
    }
    if (typeof piece === 'string') this.#addText(piece);
    else this.#addBytes(piece);
    this.#ends.push(this.#end);
  }

  /** All of it. It is not kept any more. */
  take(): SaidPieces {
    const blocks = this.#blocks.splice(0);
    const all = Buffer.concat(blocks.map(({ bytes, end }) => bytes.subarray(0, end)));
    for (const { bytes } of blocks) if (free.length < mostFree) free.push(bytes);
    this.#end = 0;
    return tellPieces(all, this.#ends.splice(0));
  }

  #addBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const block = this.#blockFor(1);
      const part = bytes.subarray(at, at + blockLength - block.end);
      block.bytes.set(part, block.end);
      block.end += part.length;
      at += part.length;
    }
    this.#end += bytes.length;
  }

  #addText(text: string): void {
    const most = text.length * mostBytes;
    if (most > blockLength) {
      this.#addBytes(Buffer.from(text));
      return;
    }
    const block = this.#blockFor(most);
    const written = block.bytes.write(text, block.end);
    block.end += written;
    this.#end += written;
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
