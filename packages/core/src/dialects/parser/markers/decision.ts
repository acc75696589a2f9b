import { isSpace } from '../../../json/json-characters.ts';
import type { Channel, Opening, ReasoningEnds } from '../grammar.ts';

/**
 * What the reader of visible text has come to. `on`: a marker is behind us, go on; `more`: needs input. `end`: the marker
 * has a header, which ends at that index. `section`: it opened a section, in which a call has still to be read. `of`:
 * the neighbour that it belongs to.
 */
export type Finding = { readonly kind: 'more' } | { readonly kind: 'call'; readonly opening: Opening } | Passed;

/** A marker that is no call is behind us. */
export type Passed = (
  | { readonly kind: 'on' | 'fabricated' }
  | { readonly kind: 'reasoning'; readonly ends: ReasoningEnds }
) & { readonly end?: number; readonly section?: boolean; readonly of?: string | undefined };

/** What a marker means at its place: `text` when it is none there. */
export type Verdict = Finding | { readonly kind: 'text' };

/** Behind the header of a channel. */
export function openChannel({ end, reasoning, of }: Channel): Verdict {
  return reasoning === undefined ? { kind: 'on', end, of } : { kind: 'reasoning', ends: reasoning, end, of };
}

const prosePunctuation = '"\'`.,;:!?)]}';

/**
 * Does prose that mentions a marker of reasoning go on with this character? It does with white space or punctuation; the
 * real marker is followed by text. Only a closer may end its line.
 */
export function isProseBehind(code: number, marker: 'opener' | 'closer'): boolean {
  if (isSpace(code)) return marker === 'opener' || code !== 10;
  return prosePunctuation.includes(String.fromCharCode(code));
}
