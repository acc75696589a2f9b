import { randomInteger, seededRandom } from './seeded-random.ts';

/**
 * How a text is cut into the pieces that arrive: not at all, into single UTF-16 units, into random pieces of 1 to `max`
 * units, or at given offsets. The same spelling as `cuts` in `dragoman parse --jsonl`.
 */
export type Cuts = 'whole' | 'chars' | { readonly seed: number; readonly max: number } | readonly number[];

/**
 * The pieces of `text`. They always add up to the text; none is empty unless the text is. Cuts fall anywhere, also
 * between the two halves of a surrogate pair. Offsets outside the text are passed over.
 */
export function cutText(text: string, cuts: Cuts): string[] {
  if (cuts === 'whole') return [text];
  if (cuts === 'chars') return text.split('');
  const pieces: string[] = [];
  let start = 0;
  const cutAt = (end: number) => {
    if (end <= start || end >= text.length) return;
    pieces.push(text.slice(start, end));
    start = end;
  };
  if ('seed' in cuts) {
    const random = seededRandom(cuts.seed);
    for (let end = 0; end < text.length; end = start + randomInteger(random, 1, Math.max(1, cuts.max))) cutAt(end);
  } else {
    for (const offset of [...cuts].sort((a, b) => a - b)) cutAt(offset);
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Every way to cut `text` once, at most `most` of them: a longer text is cut at evenly spread places. */
export function everySingleCut(text: string, most = 4000): Cuts[] {
  const places = text.length - 1;
  if (places <= most) return Array.from({ length: Math.max(0, places) }, (_, index) => [index + 1]);
  return Array.from({ length: most }, (_, index) => [1 + Math.floor((index * places) / most)]);
}

/** A cut in words, for the message of a failing test. */
export function nameCuts(cuts: Cuts): string {
  if (typeof cuts === 'string') return cuts;
  return JSON.stringify(cuts);
}
