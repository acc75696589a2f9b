import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

/** OpenAI's o200k_base: 199,998 tokens, published under the MIT licence. `scripts/vocabulary.mjs` writes it into one file. */
export interface Vocabulary {
  /**
   * An open-addressing hash: in each place 24 bits that say where a token begins in `bytes`, and 8 that say how long it is; 0 where
   * there is none.
   */
  readonly table: Int32Array;
  /** The bytes of all tokens in the order of their ranks, so that where a token begins says which of two ranks first. */
  readonly bytes: Uint8Array;
  /** For each 256 characters of Unicode the number of their page. */
  readonly pageNumbers: Uint8Array;
  /** The kind of each character of a page. */
  readonly pages: Uint8Array;
}

const places = 2 ** 18;
const blocks = 0x1100;

/** Reads it from the disk: 2.5 MB, of which nothing is parsed. */
export async function readVocabulary(): Promise<Vocabulary> {
  const file = await readFile(join(packageFolder, 'dist', 'o200k_base.bin'));
  const pageNumbers = file.subarray(places * 4, places * 4 + blocks);
  const pagesStart = places * 4 + blocks;
  const bytesStart = pagesStart + (pageNumbers.reduce((most, number) => Math.max(most, number), 0) + 1) * 256;
  return {
    table: new Int32Array(file.buffer, file.byteOffset, places),
    bytes: file.subarray(bytesStart),
    pageNumbers,
    pages: file.subarray(pagesStart, bytesStart),
  };
}

/** The longest token. */
export const longestToken = 128;

/** What `rankOf` says of bytes that are no token: more than any rank. */
export const noRank = 0x7fffffff;

/** Which of two tokens comes first: the rank of the bytes from `from` to `to`, or `noRank` where they are no token. */
export function rankOf({ table, bytes }: Vocabulary, text: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length > longestToken) return noRank;
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
  let place = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 14;
  for (;;) {
    const entry = table[place] ?? 0;
    if (entry === 0) return noRank;
    if ((entry & 0xff) === length) {
      const start = entry >>> 8;
      let same = 0;
      while (same < length && bytes[start + same] === text[from + same]) same += 1;
      if (same === length) return start;
    }
    place = (place + 1) & (places - 1);
  }
}
