import { DragomanError } from '../errors.ts';
import { createMarkerSearch, type Marker, type MarkerSearch } from './marker-search.ts';

/** A text without markers that could be taken for real ones. */
export interface Escaped {
  readonly text: string;
  /** How many places were escaped. */
  readonly count: number;
}

/** The word joiner: it has no width, practically never stands in files, and is part of no marker. */
export const joiner = '\u2060';

/** The most places that are escaped: where there are more, it is no file that anybody works on. */
export const mostEscapes = 100_000;

/**
 * An escape for many texts: a joiner is put behind the first character of every marker, so that a person and a model can
 * still read it and no tokenizer or parser takes it for the real thing. `createUnescape` takes it out again, and a copy
 * without it says the same. Text without markers comes back as it is; running it again changes nothing.
 *
 * No joiner can break a marker of one character: such a one is left out. Throws DragomanError `bad-request` for a text with more
 * than `mostEscapes`.
 */
export function createEscape(markers: readonly Marker[]): (text: string) => Escaped {
  const search = createMarkerSearch(markers.filter((marker) => textOfMarker(marker).length > 1));
  return (text) => escapeMarkers(text, search);
}

const textOfMarker = (marker: Marker) => (typeof marker === 'string' ? marker : marker.text);

/**
 * Makes every run of joiners longer by one, since `createUnescape` makes each shorter by one. For the first escape that a
 * text goes through; further ones leave what is there.
 */
export function escapeJoiners(text: string): Escaped {
  if (!text.includes(joiner)) return { text, count: 0 };
  const pieces: string[] = [];
  let count = 0;
  let done = 0;
  for (let at = text.indexOf(joiner); at >= 0; at = text.indexOf(joiner, at + 1)) {
    if (at > 0 && text[at - 1] === joiner) continue;
    pieces.push(text.slice(done, at), joiner);
    done = at;
    count += 1;
    if (count > mostEscapes) refuseEscapes();
  }
  return { text: pieces.join('') + text.slice(done), count };
}

/** `createEscape` and `escapeJoiners` in one, for the first escape that texts go through. */
export function createFirstEscape(markers: readonly Marker[]): (text: string) => Escaped {
  const escaping = createEscape(markers);
  return (text) => {
    const joiners = escapeJoiners(text);
    const { text: escaped, count } = escaping(joiners.text);
    return { text: escaped, count: count + joiners.count };
  };
}

/**
 * The way back, for one text that comes in pieces: of every run of joiners the first is taken out, wherever the cuts are.
 * Nothing is held back.
 */
export function createUnescape(): (piece: string) => string {
  let inRun = false;
  return (piece) => {
    if (piece === '') return piece;
    if (!piece.includes(joiner)) {
      inRun = false;
      return piece;
    }
    let text = '';
    for (const character of piece) {
      const isJoiner = character === joiner;
      if (!isJoiner || inRun) text += character;
      inRun = isJoiner;
    }
    return text;
  };
}

/**
 * The same for JSON text, in which joiners may be spelled as escapes. An escape that a cut divides is held back until it is
 * whole.
 */
export function createJsonUnescape(): (piece: string) => string {
  let inRun = false;
  let held = '';
  return (piece) => {
    if (held === '' && !piece.includes(joiner) && !piece.includes('\\')) {
      inRun = inRun && piece === '';
      return piece;
    }
    let text = '';
    for (const character of piece) {
      held += character;
      if (isOpenEscape(held)) continue;
      const isJoiner = held === joiner || held === '\\u2060';
      if (!isJoiner || inRun) text += held;
      inRun = isJoiner;
      held = '';
    }
    return text;
  };
}

/** The beginning of a JSON escape, which goes on. */
function isOpenEscape(held: string): boolean {
  return held === '\\' || (held.startsWith('\\u') && held.length < 6);
}

function escapeMarkers(text: string, search: MarkerSearch): Escaped {
  const pieces: string[] = [];
  let done = 0;
  for (let at = search(text, 0); at >= 0; at = search(text, done)) {
    pieces.push(text.slice(done, at + 1));
    done = at + 1;
    if (pieces.length > mostEscapes) refuseEscapes();
  }
  if (pieces.length === 0) return { text, count: 0 };
  return { text: pieces.join(joiner) + joiner + text.slice(done), count: pieces.length };
}

/** Says that there are more than `mostEscapes`. */
export function refuseEscapes(): never {
  throw new DragomanError(
    'bad-request',
    `What was said holds more than ${mostEscapes} markers of chat templates or of calls, or word joiners, which have to be escaped for a model that calls tools in text. Leave that text out.`,
    { param: 'messages' },
  );
}
