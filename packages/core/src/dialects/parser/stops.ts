import { CharacterSet } from './character-set.ts';
import { markdownMarks } from './documentation/markdown.ts';
import type { MarkerTrie } from './markers/marker-trie.ts';

const marks = new CharacterSet(markdownMarks);

/** Where anything may matter in visible text that is read past: a mark of Markdown, or what may become a marker. */
export class Stops {
  readonly #markers: readonly MarkerTrie<unknown>[];
  readonly #starts = new CharacterSet(markdownMarks);

  constructor(markers: readonly MarkerTrie<unknown>[]) {
    this.#markers = markers;
    for (const trie of markers) this.#starts.addAll(trie.starts);
  }

  /** Index of the first such place from `from` on, or the length of the text. */
  find(text: string, from: number): number {
    let index = this.#starts.find(text, from);
    while (index < text.length && !this.#matters(text, index)) index = this.#starts.find(text, index + 1);
    return index;
  }

  /** A letter that some marker starts with is mostly that of a word. */
  #matters(text: string, index: number): boolean {
    if (marks.has(text.charCodeAt(index))) return true;
    for (const trie of this.#markers) if (trie.find(text, index, false) !== 'no') return true;
    return false;
  }
}
