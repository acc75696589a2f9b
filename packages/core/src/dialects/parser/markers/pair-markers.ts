import { findLiteral } from '../any-suffix.ts';
import { ticks } from './fence.ts';

/**
 * Where reading goes on behind a broken call: at an index of its raw text, whose rest is read again, or behind all of
 * it, with so many closers still to come. More than one: the call holds openers of other calls, and nothing fires
 * before they are closed. `inFence`: the closer to come is that of a Markdown fence, which the call's opener has opened.
 */
export type Resume = { readonly at: number } | StillOpen;

/** What is open behind a broken call. */
export interface StillOpen {
  readonly open: number;
  readonly inFence?: boolean;
}

/** What opens and closes a call. */
interface CallPair {
  /** Empty where the call had none. */
  readonly opener: string;
  readonly closers: readonly string[];
  /** A fence was opened behind the opener. */
  readonly inFence?: boolean;
}

/**
 * Where reading goes on behind a broken call whose raw text starts at, or behind, its own opener. Openers and closers
 * in it pair off, since a broken document about calls holds whole ones, which must not run: the call's own closer is
 * the first one that no other opener claims. Looks at each place once.
 */
export function resumeBehindPairs(raw: string, { opener, closers, inFence = false }: CallPair): Resume {
  const [closer] = closers;
  if (opener === '' || closer === undefined) return { open: 0, inFence };
  let open = 1;
  const own = findLiteral(raw, opener, 0);
  const start = own?.at === 0 ? own.end : 0;
  let nextOpener = findLiteral(raw, opener, start);
  let nextCloser = findLiteral(raw, closer, start);
  while (nextCloser !== undefined) {
    if (nextOpener !== undefined && nextOpener.at < nextCloser.at) {
      open += 1;
      nextOpener = findLiteral(raw, opener, nextOpener.end);
      continue;
    }
    open -= 1;
    if (open === 0) return { at: nextCloser.end };
    nextCloser = findLiteral(raw, closer, nextCloser.end);
  }
  if (closer === ticks) return { open: 0, inFence: true };
  for (; nextOpener !== undefined; nextOpener = findLiteral(raw, opener, nextOpener.end)) open += 1;
  return { open, inFence };
}
