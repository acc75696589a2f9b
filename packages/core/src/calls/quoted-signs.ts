import { createMarkerSearch, type MarkerSearch } from '../chat/marker-search.ts';
import type { Message } from '../chat/message.ts';
import { leakMarkers } from '../dialects/together/read-any.ts';
import { KnownTexts } from '../prepare/known-texts.ts';
import { plainSigns } from './plain-signs.ts';

/** Of what a marker opens so many characters are compared. */
const compared = 256;

let search: MarkerSearch | undefined;

/** By a text what of it looks like markers, with what follows. Of all requests of the process. */
const known = new KnownTexts<string>((shown) => shown.length);

/** How many UTF-16 units are kept in memory of texts, to know which markers they hold. */
export function searchedCharacters(): number {
  return known.units;
}

/**
 * What users and tools have written in a conversation that looks like markers: very little, where the whole history is most of what a
 * request weighs.
 */
export class QuotedSigns {
  readonly #shown: readonly string[];
  readonly #found = new Map<string, boolean>();

  constructor(messages: readonly Message[]) {
    this.#shown = [...new Set(messages.flatMap(foreignTexts).map(markersIn))];
  }

  /** Whether somebody has written the same as what a call begins with, escaped or not. */
  has(literal: string): boolean {
    const sought = plainSigns(literal).slice(0, compared);
    const found = this.#found.get(sought) ?? this.#shown.some((text) => text.includes(sought));
    this.#found.set(sought, found);
    return found;
  }
}

function foreignTexts({ role, content }: Message): readonly string[] {
  if (role !== 'user' && role !== 'tool') return [];
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function markersIn(text: string): string {
  return known.of(text, () => showMarkers(plainSigns(text)));
}

/** Each place at which a marker begins, with what follows; what lies between is left out. */
function showMarkers(plain: string): string {
  search ??= createMarkerSearch([...new Set(leakMarkers().map(plainSigns))]);
  const pieces: string[] = [];
  let from = 0;
  let to = 0;
  for (const at of search(plain, plain.length)) {
    if (at > to) {
      pieces.push(plain.slice(from, to));
      from = at;
    }
    to = Math.min(at + compared, plain.length);
  }
  // Joined it is a text of its own, and keeps nothing of the one that it was cut out of. Plain texts hold no line breaks.
  return to === 0 ? '' : ['', ...pieces, plain.slice(from, to)].join('\n');
}
