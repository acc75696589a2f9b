import { longestGap, lookFor, type Scanner } from '../../parser/scanner.ts';

/**
 * Whether a literal ends where a sign that may end it stands. `perhaps`: it does unless a later sign does, too; `unclear`:
 * both readings are whole, and nobody can tell which one was meant.
 */
export type Ending = 'yes' | 'perhaps' | 'unclear' | 'no' | 'more';

/**
 * The quotation marks of its own kind that a string holds without escaping them. Behind an odd number of them the next one
 * may be the other half of a pair inside the string.
 */
export type Passed = 'none' | 'pairs' | 'odd';

/** What may stand behind a literal, after white space. */
export interface Behind {
  /** A comma, and what closes that in which the literal stands. */
  readonly signs: string;
  /** What closes the whole call: the brackets in front of it may be missing. */
  readonly ends: readonly string[];
  /** Does the literal end in front of this sign, by what stands behind it at `index`? Default: it does. */
  readonly next?: (scanner: Scanner, index: number, sign: Sign) => Ending;
}

/** The sign behind a literal, and what the literal holds. */
export interface Sign {
  readonly sign: string;
  readonly passed: Passed;
}

/** Does a literal end in front of the white space at `from`? At the end of the input it does. */
export function lookBehind(
  scanner: Scanner,
  from: number,
  { behind, passed }: { readonly behind: Behind; readonly passed: Passed },
): Ending {
  const index = scanner.behindSpace(from);
  if (typeof index === 'string') return index;
  if (index === scanner.text.length) return 'yes';
  const sign = scanner.text.charAt(index);
  if (behind.signs.includes(sign)) return behind.next?.(scanner, index + 1, { sign, passed }) ?? 'yes';
  const end = lookFor(scanner, index, behind.ends);
  return typeof end === 'number' ? 'yes' : end;
}

/**
 * Does an element of containers end in front of this sign, by what stands behind that at `index`? What closes the
 * containers, of which the innermost is the last, stands behind one another, and then what may stand behind the whole.
 */
export function lookOut(
  scanner: Scanner,
  index: number,
  { sign, passed, closers, behind }: Sign & { readonly closers: readonly string[]; readonly behind: Behind },
): Ending {
  let [at, last, depth] = [index, sign, closers.length];
  for (;;) {
    if (last === closers[depth - 1]) depth -= 1;
    if (depth === 0) return lookBehind(scanner, at, { behind, passed });
    const next = scanner.behindSpace(at);
    if (typeof next === 'string') return next;
    const character = scanner.text.charAt(next);
    const closes = character === closers[depth - 1];
    if (last === ',' && !closes) return passed === 'none' ? 'yes' : 'unclear';
    if (!closes && character !== ',') {
      // The brackets may be missing in front of the call's own closer.
      const end = next === scanner.text.length ? next : lookFor(scanner, next, behind.ends);
      return typeof end === 'number' ? 'yes' : end;
    }
    [at, last] = [next + 1, character];
  }
}

/** A line break stands in the white space at `from`. */
export function breaksLine(scanner: Scanner, from: number): boolean {
  const end = Math.min(scanner.skipSpace(from), from + longestGap);
  return scanner.text.slice(from, end).includes('\n');
}
