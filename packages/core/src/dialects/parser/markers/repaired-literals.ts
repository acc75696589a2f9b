import type { Literal } from '../../table.ts';
import { type Mend, mends, type RepairName } from '../call-warnings.ts';
import { isSuffixCharacter } from '../scanner.ts';

/** What is wrong with a marker that is written so; undefined: nothing. */
export type MendOf = (literal: string) => Mend | undefined;

/** Nothing is wrong, however a marker is written. */
export const allWhole: MendOf = () => undefined;

/** Literals with what is wrong where one of them stands. The first that fits counts; undefined: nothing. */
export type MendedLiterals = readonly (readonly [literal: string, mend: Mend | undefined])[];

/** What is wrong with the marker that ends at `end`. */
export function mendBefore(text: string, end: number, literals: MendedLiterals): Mend | undefined {
  for (const [literal, mend] of literals) if (text.endsWith(literal, end)) return mend;
  return undefined;
}

/** Of these literals, those with which something is wrong, behind those that only end as one of them does. */
export function mendedLiterals(literals: readonly string[], mendOf: MendOf): MendedLiterals {
  const all = literals.map((literal) => [literal, mendOf(literal)] as const);
  const mended = all.filter(([, mend]) => mend !== undefined);
  const longer = all.filter(([whole, mend]) => mend === undefined && mended.some(([each]) => whole.endsWith(each)));
  return [...longer, ...mended];
}

/** Of the closers, those with which something is wrong behind this opener, such as that another one belongs to it. */
export function mendedClosers(opener: string, closers: readonly string[], mendOf: MendOf): MendedLiterals {
  const own = closerNames(opener);
  const paired = closers.filter((closer) => own.includes(nameIn(closer.slice(Math.max(0, closer.lastIndexOf('<'))))));
  return mendedLiterals(
    closers,
    (closer) => mendOf(closer) ?? (paired.length > 0 && !paired.includes(closer) ? mends.otherCloser : undefined),
  );
}

/** What closes an opener with one of these words beside a name. */
const endings = [
  ['begin', 'end'],
  ['start', 'end'],
  ['prefix', 'suffix'],
] as const;

/** The names that a closer of this opener may have. */
function closerNames(opener: string): readonly string[] {
  const name = nameIn(opener);
  const closing = endings.filter(([begin]) => name !== begin).map(([begin, end]) => name.replace(begin, end));
  return [name, ...closing].filter((each) => each !== '');
}

/** The letters and digits of ASCII in the first tag or token, whatever signs stand around and between them. */
function nameIn(literal: string): string {
  let at = literal.indexOf('<');
  while (at >= 0 && literal[at + 1] === ']') at = literal.indexOf('<', at + 1);
  let name = '';
  for (at = Math.max(0, at); at < literal.length && literal[at] !== '>'; at += 1) {
    const sign = literal.charAt(at);
    if (sign !== '_' && sign !== '-' && isSuffixCharacter(sign.charCodeAt(0))) name += sign;
  }
  return name.toLowerCase();
}

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
