import { type Look, lookFor, type Scanner } from '../scanner.ts';
import type { MarkerTrie } from './marker-trie.ts';
import type { MendedLiterals } from './repaired-literals.ts';

/** A closer and what must follow it for it to count. */
export interface Closer {
  /** The ways it is written. */
  readonly literals: readonly string[];
  /** The characters that they, and the openers of calls and parameters, start with. */
  readonly starts: readonly number[];
  /** What may follow after white space; `false` for what only begins like it. The end of the input may always. */
  readonly followers: MarkerTrie<boolean>;
  /** Its markup is not whole: then less may follow, and the end of the input may not. */
  readonly partial?: { readonly literals: readonly string[]; readonly followers: MarkerTrie<boolean> };
  /** What is wrong where it is written so. Default: nothing. */
  readonly mended?: MendedLiterals;
  /** What else may follow, when a table cannot say it. */
  readonly alsoFollows?: (scanner: Scanner, index: number) => Look;
  /**
   * Does a whole call start at `index`, inside the value? Returns the closer of that call: until it has come, no closer
   * counts, since a file about tool calls holds whole calls, and cutting it at the first of them would damage it.
   */
  readonly nestedCall: (scanner: Scanner, index: number) => readonly string[] | 'no' | 'more';
}

/**
 * Does a closer stand at `index` that counts there? Returns the index behind it. A closer counts only if what follows
 * it, after white space, can follow it in the grammar: that is what lets a value hold the closer itself.
 */
export function closes(scanner: Scanner, index: number, closer: Closer): number | 'no' | 'more' {
  const { literals, partial } = closer;
  const end = lookFor(scanner, index, literals);
  if (end !== 'no' || partial === undefined) return typeof end === 'string' ? end : closesAt(scanner, end, closer);
  const unmarked = lookFor(scanner, index, partial.literals);
  if (typeof unmarked === 'string') return unmarked;
  const counts = closesAt(scanner, unmarked, { ...closer, followers: partial.followers });
  return scanner.skipSpace(unmarked) === scanner.text.length && counts !== 'more' ? 'no' : counts;
}

/** Does what stands behind a closer let it count? */
function closesAt(
  scanner: Scanner,
  end: number,
  { followers, alsoFollows }: Pick<Closer, 'followers' | 'alsoFollows'>,
): number | 'no' | 'more' {
  const next = scanner.behindSpace(end);
  if (typeof next === 'string') return next;
  if (next === scanner.text.length) return end;
  const follower = followers.find(scanner.text, next, scanner.ended);
  if (follower === 'more') return 'more';
  if (follower !== 'no' && follower.value) return end;
  const also = alsoFollows?.(scanner, next) ?? 'no';
  return also === 'yes' ? end : also;
}
