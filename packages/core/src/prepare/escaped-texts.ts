import { type Escaped, escapeFirst } from '../chat/escape.ts';
import type { MarkerSearch } from '../chat/marker-search.ts';

/** In UTF-16 units; shorter texts are escaped as fast as they are found. */
const shortest = 256;

/** UTF-16 units of text in one generation, as it was said and as it is told. */
const mostInGeneration = 4_000_000;

interface Known extends Escaped {
  readonly search: MarkerSearch;
}

/**
 * What texts became when they were escaped, found again by their content: an agent sends its whole history with every request,
 * and only its end is new. There are two generations of at most four million units each: what nobody asks for while the younger
 * one fills is forgotten with the elder one. A text says the same for whoever said it, so nothing of one client reaches another.
 */
export class EscapedTexts {
  #young = new Map<string, Known>();
  #old = new Map<string, Known>();
  #units = 0;
  #oldUnits = 0;

  /** `escapeFirst`, made once. */
  of(text: string, search: MarkerSearch): Escaped {
    if (text.length < shortest || text.length > mostInGeneration) return escapeFirst(text, search);
    const young = this.#young.get(text);
    if (young?.search === search) return young;
    const old = this.#old.get(text);
    const known = old?.search === search ? old : { search, ...escapeFirst(text, search) };
    this.#keep(text, known);
    return known;
  }

  /** UTF-16 units of all that is held. */
  get units(): number {
    return this.#units + this.#oldUnits;
  }

  #keep(text: string, known: Known): void {
    const units = known.text === text ? text.length : text.length + known.text.length;
    if (this.#units + units > mostInGeneration) {
      this.#old = this.#young;
      this.#oldUnits = this.#units;
      this.#young = new Map();
      this.#units = 0;
    }
    this.#young.set(text, known);
    this.#units += units;
  }
}
