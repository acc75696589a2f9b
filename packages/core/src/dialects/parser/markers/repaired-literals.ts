import { isPlainCharacter } from '../../../json/json-characters.ts';
import type { Literal } from '../../table.ts';
import { type Repair, type RepairName, repairs } from '../call-warnings.ts';
import type { CallOpener, CallsForm, Open } from '../grammar.ts';

/** What is wrong with a marker that is written so; undefined: nothing. */
export type RepairOf = (literal: string) => Repair | undefined;

/** Nothing is wrong, however a marker is written. */
export const allWhole: RepairOf = () => undefined;

/** Literals with what is wrong where one of them stands. The first that fits counts; undefined: nothing. */
export type RepairedLiterals = readonly (readonly [literal: string, repair: Repair | undefined])[];

/** What is wrong with the marker that ends at `end`. */
export function repairBefore(text: string, end: number, literals: RepairedLiterals): Repair | undefined {
  for (const [literal, repair] of literals) if (text.endsWith(literal, end)) return repair;
  return undefined;
}

/** Of these literals, those with which something is wrong, after those that only end as one of them does. */
export function repairedLiterals(literals: readonly string[], repairOf: RepairOf): RepairedLiterals {
  const all = literals.map((literal) => [literal, repairOf(literal)] as const);
  const repaired = all.filter(([, repair]) => repair !== undefined);
  const longer = all.filter(
    ([whole, repair]) => repair === undefined && repaired.some(([each]) => whole.endsWith(each)),
  );
  return [...longer, ...repaired];
}

/** Of the closers, those with which something is wrong after this opener, such as that another one belongs to it. */
export function repairedClosers(opener: string, closers: readonly string[], repairOf: RepairOf): RepairedLiterals {
  const own = closerNames(opener);
  const paired = closers.filter((closer) => own.includes(nameIn(closer.slice(Math.max(0, closer.lastIndexOf('<'))))));
  return repairedLiterals(
    closers,
    (closer) => repairOf(closer) ?? (paired.length > 0 && !paired.includes(closer) ? repairs.otherCloser : undefined),
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

/** The letters and digits of ASCII in the first tag or token, whatever signs are around and between them. */
function nameIn(literal: string): string {
  let at = literal.indexOf('<');
  while (at >= 0 && literal[at + 1] === ']') at = literal.indexOf('<', at + 1);
  let name = '';
  for (at = Math.max(0, at); at < literal.length && literal[at] !== '>'; at += 1) {
    const sign = literal.charAt(at);
    if (sign !== '_' && sign !== '-' && isPlainCharacter(sign.charCodeAt(0))) name += sign;
  }
  return name.toLowerCase();
}

/** What this form reads, reported as repaired where it is not what the dialect's own template writes. */
export function repairedCalls(form: CallsForm, repairOf: RepairOf): CallsForm {
  return (around) => {
    const markers = form(around);
    return { ...markers, openers: repairedOpeners(markers.openers, repairOf) };
  };
}

/** Openers that report what is wrong with them. */
function repairedOpeners(openers: readonly CallOpener[], repairOf: RepairOf): readonly CallOpener[] {
  return openers.map((opener) => {
    const repair = repairOf(opener.literal);
    return repair === undefined ? opener : { ...opener, open: openRepaired(opener.open, repair) };
  });
}

function openRepaired(open: Open, repair: Repair): Open {
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    if (typeof opening === 'string' || !('read' in opening)) return opening;
    return { ...opening, repairs: [repair, ...(opening.repairs ?? [])] };
  };
}

/** Every way to put one of each part after the other, in order: `['<', '</']`, `['', 'p:']`, `['a>']` are four tags. */
export function spellings(...parts: readonly (readonly string[])[]): readonly string[] {
  return parts.reduce<readonly string[]>(
    (fronts, backs) => fronts.flatMap((front) => backs.map((back) => front + back)),
    [''],
  );
}

/** These literals, reported as written in other characters where they are. `isWhole` says which are not. */
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
