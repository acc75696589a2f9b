import { endOfWord } from './end-of-word.ts';
import { noRank, rankOf, type Vocabulary } from './vocabulary.ts';

/** Bytes of a word that are looked at together: some 50 µs of merging. Few words are longer. */
const longestWord = 512;

/** Ranks stay below this, and so do places in a word: both fit into one number. */
const perRank = 1024;

/**
 * Counts tokens word by word, as byte pair encoding finds them: of all neighbours in a word those are joined first whose token has
 * the lowest rank. What of a word goes beyond 512 bytes is counted as another word, which makes a token too many at most.
 */
export class TokenReader {
  /** Tokens of all that was read. */
  tokens = 0;
  /** UTF-8 bytes of all that was read. */
  bytes = 0;

  readonly #vocabulary: Vocabulary;
  readonly #word = new Uint8Array(longestWord + 4);
  // Of each part by the place where it begins: where its neighbours begin, and the rank of it and the next one together.
  readonly #next = new Int32Array(longestWord + 5);
  readonly #previous = new Int32Array(longestWord + 5);
  readonly #rank = new Int32Array(longestWord + 5);
  /** The pairs that are tokens, the lowest rank on top: a heap. What has changed since is still in it. */
  readonly #heap = new Float64Array(3 * longestWord + 12);
  #heapSize = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Reads one word, which begins at `from`, and returns where it ends. */
  read(text: string, from: number): number {
    const end = endOfWord(text, from, this.#vocabulary);
    let length = 0;
    let at = from;
    while (at < end && length < longestWord) {
      const unit = text.charCodeAt(at);
      at += 1;
      if (unit < 0x80) {
        this.#word[length] = unit;
        length += 1;
      } else if (unit >= 0xd800 && unit < 0xdc00 && at < end) {
        const character = text.codePointAt(at - 1) ?? 0;
        if (character > 0xffff) at += 1;
        length = this.#encode(character, length);
      } else {
        length = this.#encode(unit, length);
      }
    }
    this.bytes += length;
    const isToken = length === 1 || rankOf(this.#vocabulary, this.#word, 0, length) !== noRank;
    this.tokens += isToken ? 1 : this.#merged(length);
    return at;
  }

  /** Appends a character in UTF-8, half of a pair as U+FFFD. Returns the length of the word. */
  #encode(character: number, length: number): number {
    const word = this.#word;
    const code = character >= 0xd800 && character < 0xe000 ? 0xfffd : character;
    let at = length;
    if (code < 0x800) {
      word[at++] = 0xc0 | (code >> 6);
    } else if (code < 0x10000) {
      word[at++] = 0xe0 | (code >> 12);
      word[at++] = 0x80 | ((code >> 6) & 0x3f);
    } else {
      word[at++] = 0xf0 | (code >> 18);
      word[at++] = 0x80 | ((code >> 12) & 0x3f);
      word[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    word[at++] = 0x80 | (code & 0x3f);
    return at;
  }

  /** How many parts are left of a word when no two neighbours are a token. */
  #merged(length: number): number {
    const next = this.#next;
    const previous = this.#previous;
    const rank = this.#rank;
    this.#heapSize = 0;
    for (let at = 0; at <= length; at += 1) {
      next[at] = at + 1;
      previous[at] = at - 1;
    }
    for (let at = 0; at < length; at += 1) this.#weigh(at, length);
    let parts = length;
    while (this.#heapSize > 0) {
      const top = this.#pop();
      const lowest = Math.floor(top / perRank);
      const at = top - lowest * perRank;
      if (rank[at] !== lowest) continue;
      const joined = next[at] ?? length;
      const following = next[joined] ?? length;
      next[at] = following;
      previous[following] = at;
      rank[joined] = noRank;
      parts -= 1;
      this.#weigh(at, length);
      if (at > 0) this.#weigh(previous[at] ?? 0, length);
    }
    return parts;
  }

  /** Finds out whether a part and the next one are a token together. */
  #weigh(at: number, length: number): void {
    const following = this.#next[at] ?? length;
    const end = this.#next[following] ?? length;
    const rank = following < length ? rankOf(this.#vocabulary, this.#word, at, end) : noRank;
    this.#rank[at] = rank;
    if (rank !== noRank) this.#push(rank * perRank + at);
  }

  #push(value: number): void {
    const heap = this.#heap;
    let at = this.#heapSize;
    this.#heapSize += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above] ?? 0;
      if (other <= value) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = value;
  }

  #pop(): number {
    const heap = this.#heap;
    const top = heap[0] ?? 0;
    this.#heapSize -= 1;
    const size = this.#heapSize;
    const value = heap[size] ?? 0;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && (heap[below + 1] ?? 0) < (heap[below] ?? 0)) below += 1;
      const other = heap[below] ?? 0;
      if (other >= value) break;
      heap[at] = other;
      at = below;
    }
    heap[at] = value;
    return top;
  }
}
