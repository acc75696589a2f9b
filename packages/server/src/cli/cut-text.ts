import { CommandError } from './terminal.ts';

/**
 * Cuts a text the way a line of `parse --jsonl` asks: `"whole"`, `"chars"`, `{"seed": n, "max": m}` for random pieces of
 * 1 to m characters, or a list of offsets. Characters are UTF-16 units, so pieces may halve a surrogate pair: the
 * hardest way a text can arrive. Throws CommandError for anything else.
 */
export function cutText(text: string, cuts: unknown): readonly string[] {
  if (cuts === undefined || cuts === 'whole') return text === '' ? [] : [text];
  if (cuts === 'chars') return text.split('');
  if (Array.isArray(cuts)) return cutAt(text, cuts.map(offsetOf));
  if (typeof cuts === 'object' && cuts !== null && 'seed' in cuts && 'max' in cuts) {
    const { seed, max } = cuts;
    if (
      typeof seed === 'number' &&
      Number.isSafeInteger(seed) &&
      typeof max === 'number' &&
      Number.isSafeInteger(max) &&
      max > 0
    ) {
      return cutRandomly(text, { seed, max });
    }
  }
  throw new CommandError('"cuts" must be "whole", "chars", {"seed": n, "max": m} or a list of offsets');
}

function offsetOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new CommandError('"cuts" holds something that is not an offset');
}

function cutAt(text: string, offsets: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const offset of [...offsets, text.length].sort((a, b) => a - b)) {
    const to = Math.min(offset, text.length);
    if (to > from) pieces.push(text.slice(from, to));
    from = Math.max(from, to);
  }
  return pieces;
}

function cutRandomly(text: string, { seed, max }: { readonly seed: number; readonly max: number }): readonly string[] {
  const pieces: string[] = [];
  let state = seed >>> 0;
  let from = 0;
  while (from < text.length) {
    // A linear congruential step (Numerical Recipes' constants); its high bits are random enough for cuts.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const length = 1 + Math.floor((state / 2 ** 32) * max);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}
