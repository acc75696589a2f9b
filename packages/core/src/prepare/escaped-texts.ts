import { type Escaped, escapeFirst } from '../chat/escape.ts';
import type { MarkerSearch } from '../chat/marker-search.ts';
import { KnownTexts } from './known-texts.ts';

interface Known extends Escaped {
  readonly search: MarkerSearch;
}

/** What texts became when they were escaped. */
export class EscapedTexts {
  readonly #known = new KnownTexts<Known>((escaped, text) => (escaped.text === text ? 0 : escaped.text.length));

  /** `escapeFirst`, made once. */
  of(text: string, search: MarkerSearch): Escaped {
    return this.#known.of(text, {
      make: () => ({ search, ...escapeFirst(text, search) }),
      good: (known) => known.search === search,
    });
  }

  /** UTF-16 units of all that is held. */
  get units(): number {
    return this.#known.units;
  }
}
