import type { Literal } from '../../table.ts';
import type { RepairName } from '../call-warnings.ts';

/** Every way to put one of each part behind the other, in order: `['<', '</']`, `['', 'p:']`, `['a>']` are four tags. */
export function spellings(...parts: readonly (readonly string[])[]): readonly string[] {
  return parts.reduce<readonly string[]>(
    (fronts, backs) => fronts.flatMap((front) => backs.map((back) => front + back)),
    [''],
  );
}

/** These literals, told as written in other characters where they are. `isWhole` says which are not. */
export function withRepair(
  literals: readonly string[],
  repair: RepairName,
  isWhole: (literal: string) => boolean,
): readonly Literal[] {
  return literals.map((text) => (isWhole(text) ? text : { text, repair }));
}

/**
 * Each literal and its look-alikes: `｜` (U+FF5C) as an ASCII bar, `▁` (U+2581) as an underscore, an escaped one, or a
 * space. A marker counts only if all of it is written in one of these ways.
 */
export function withLookAlikes(literals: readonly string[]): readonly string[] {
  const spaces = ['▁', '_', '\\_', ' '];
  const variants = literals.flatMap((literal) =>
    ['｜', '|'].flatMap((bar) => spaces.map((space) => literal.replaceAll('｜', bar).replaceAll('▁', space))),
  );
  return [...new Set(variants)];
}
