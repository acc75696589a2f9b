import type { Scanner } from '../scanner.ts';

/** What opens and closes a Markdown fence. */
export const ticks = '```';
/** The word behind the ticks that open a fence is at most this long. */
const longestInfo = 16;

/**
 * Index behind a Markdown fence's opening line that stands at `index`, or `index` itself where none does. An object may
 * stand on that line.
 */
export function behindFenceOpener(scanner: Scanner, index: number): number | 'no' | 'more' {
  const fence = scanner.look(ticks, index);
  if (fence !== 'yes') return fence === 'more' ? 'more' : index;
  const start = index + ticks.length;
  for (let at = start; at - start <= longestInfo; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    if (scanner.text[at] === '\n' || scanner.text[at] === '\r') return scanner.behindSpace(at);
    if (scanner.text[at] === '{') return at;
  }
  return 'no';
}

/** Index behind a fence's closer that stands at `index` after white space, or `index` itself where none does. */
export function behindFenceCloser(scanner: Scanner, index: number): number | 'more' {
  const next = scanner.behindSpace(index);
  if (next === 'no') return index;
  const fence = next === 'more' ? next : scanner.look(ticks, next);
  if (fence === 'more') return 'more';
  return fence === 'yes' && typeof next === 'number' ? next + ticks.length : index;
}
