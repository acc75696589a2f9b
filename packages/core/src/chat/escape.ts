import { DragomanError } from '../errors.ts';
import { createMarkerSearch, type MarkerSearch, type SearchedMarker } from './marker-search.ts';

/** A text without markers that could be taken for real ones. */
export interface Escaped {
  readonly text: string;
  /** How many places were escaped. */
  readonly count: number;
}

/** The word joiner: it has no width, is practically never in files, and is part of no marker. */
export const joiner = '\u2060';

/** The most places that are escaped: where there are more, it is no file that anybody works on. */
export const mostEscapes = 50_000;

/**
 * An escape for many texts: a joiner is put after the first character of every marker, so that a person and a model can
 * still read it and no tokenizer or parser takes it for the real thing. `createUnescape` takes it out again, and a copy
 * without it says the same. Text without markers comes back as it is; running it again changes nothing.
 *
 * No joiner can break a marker of one character: such a one is left out. Throws DragomanError `bad-request` for a text with more
 * than `mostEscapes`. The search is made for the first text.
 */
export function createEscape(markers: readonly SearchedMarker[]): (text: string) => Escaped {
  let search: MarkerSearch | undefined;
  return (text) => {
    search ??= createEscapeSearch(markers);
    return escapeMarkers(text, search);
  };
}

/** The search for what `createEscape` escapes, for who needs the places, too. */
export function createEscapeSearch(markers: readonly SearchedMarker[]): MarkerSearch {
  return createMarkerSearch(markers.filter((marker) => textOfMarker(marker).length > 1));
}

const textOfMarker = (marker: SearchedMarker) => (typeof marker === 'string' ? marker : marker.text);

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

/** Escapes joiners and what a `createEscapeSearch` finds, for the first escape that a text goes through. */
export function escapeFirst(text: string, search: MarkerSearch): Escaped {
  const joiners = escapeJoiners(text);
  const { text: escaped, count } = escapeMarkers(joiners.text, search);
  return { text: escaped, count: count + joiners.count };
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
  const places = search(text, mostEscapes + 1);
  if (places.length > mostEscapes) refuseEscapes();
  if (places.length === 0) return { text, count: 0 };
  let done = 0;
  const pieces = places.map((at) => {
    const piece = text.slice(done, at + 1);
    done = at + 1;
    return piece;
  });
  return { text: pieces.join(joiner) + joiner + text.slice(done), count: places.length };
}

/** Says that there are more than `mostEscapes`. */
export function refuseEscapes(): never {
  throw new DragomanError(
    'bad-request',
    `What was said holds more than ${mostEscapes} markers of chat templates or calls, which must be escaped for a text model. Leave that text out.`,
    { param: 'messages' },
  );
}
