import { backticks } from '../documentation/fenced-code.ts';
import { findLiteral, type Look, lookFor, type Scanner } from '../scanner.ts';
import type { MarkerTrie } from './marker-trie.ts';
import type { RepairedLiterals } from './repaired-literals.ts';

/** A closer and what must follow it for it to count. */
export interface Closer {
  /** The ways it is written. */
  readonly literals: readonly string[];
  /** What reading stops at inside a value: they, and whatever else may matter there, such as openers of calls and parameters. */
  readonly stops: MarkerTrie<unknown>;
  /** What may follow after white space; `false` for what only begins like it. The end of the input may always. */
  readonly followers: MarkerTrie<boolean>;
  /** Its markup is not whole: then less may follow, and the end of the input may not. */
  readonly partial?: { readonly literals: readonly string[]; readonly followers: MarkerTrie<boolean> };
  /** What is wrong where it is written so. Default: nothing. */
  readonly repaired?: RepairedLiterals;
  /** What else may follow, when a table cannot say it. */
  readonly alsoFollows?: (scanner: Scanner, index: number) => Look;
  /**
   * Does a whole call start at `index`, inside the value? Returns the closer of that call: until it has come, no closer
   * counts, since a file about tool calls holds whole calls, and cutting it at the first of them would damage it.
   */
  readonly nestedCall: (scanner: Scanner, index: number) => readonly string[] | 'no' | 'more';
}

/**
 * Is a closer at `index` that counts there? Returns the index after it. A closer counts only if what follows
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

/** Does what comes after a closer let it count? */
function closesAt(
  scanner: Scanner,
  end: number,
  { followers, alsoFollows }: Pick<Closer, 'followers' | 'alsoFollows'>,
): number | 'no' | 'more' {
  const next = scanner.afterSpace(end);
  if (typeof next === 'string') return next;
  if (next === scanner.text.length) return end;
  const follower = followers.find(scanner.text, next, scanner.ended);
  if (follower === 'more') return 'more';
  if (follower !== 'no' && follower.value) return end;
  const also = alsoFollows?.(scanner, next) ?? 'no';
  return also === 'yes' ? end : also;
}

/** So much of a value's end is looked at for a tag. */
export const longestTail = 64;
/** So far behind the end of a call the closer of its last value is looked for. */
const farthest = 2048;
/** So often it is looked for in one value. */
const mostSearches = 8;

/**
 * The closer of a call's last value seems to be missing: it is where the value's own closer comes nowhere after the
 * call. Files about tool calls hold such ends, too.
 */
export class LostCloser {
  readonly #closer: Closer;
  /** Where in the reply the call seems to end, and where the search goes on. */
  #from = -1;
  #searchedTo = 0;
  #searches = 0;
  /** Closers of the calls that the search is inside of. */
  #nested: (readonly string[])[] = [];

  constructor(closer: Closer) {
    this.#closer = closer;
  }

  /** The value ends with a tag that seems to be meant as its closer: then nobody knows what it is. */
  endsOtherwise(tail: string): boolean {
    const trimmed = tail.trimEnd();
    const tag = trimmed.slice(trimmed.lastIndexOf('</') + 2);
    if (!trimmed.endsWith('>') || !trimmed.includes('</') || tag.indexOf('>') < tag.length - 1) return false;
    return this.#closer.literals.some((literal) => {
      const name = literal.slice(literal.lastIndexOf('/') + 1, -1);
      return name.slice(0, likeness).toLowerCase() === tag.slice(0, likeness).toLowerCase();
    });
  }

  /** Does the value's own closer come after `index`, outside of the calls that follow there? */
  closesLater(scanner: Scanner, index: number): Look {
    const from = scanner.position(index);
    if (from !== this.#from) {
      if (this.#searches === mostSearches) return 'yes';
      this.#searches += 1;
      [this.#from, this.#searchedTo, this.#nested] = [from, from + 1, []];
    }
    const offset = from - index;
    const end = index + farthest;
    let at = this.#searchedTo - offset;
    for (; at < Math.min(end, scanner.text.length); at += 1) {
      if (!this.#closer.stops.starts.has(scanner.text.charCodeAt(at))) continue;
      const found = this.#lookAt(scanner, at);
      if (found === 'yes') return 'yes';
      if (found === 'more') break;
    }
    this.#searchedTo = at + offset;
    if (at >= end) return 'yes';
    return scanner.ended ? (scanner.cut ? 'yes' : 'no') : 'more';
  }

  #lookAt(scanner: Scanner, at: number): Look {
    const [inner] = this.#nested.slice(-1);
    const over = inner === undefined ? 'no' : lookFor(scanner, at, inner);
    if (over === 'more') return 'more';
    if (over !== 'no') {
      this.#nested.pop();
      return 'no';
    }
    const nested = this.#closer.nestedCall(scanner, at);
    if (nested === 'more') return 'more';
    if (nested !== 'no') this.#nested.push(nested);
    else if (inner === undefined) {
      const closed = closes(scanner, at, this.#closer);
      return typeof closed === 'number' ? 'yes' : closed;
    }
    return 'no';
  }
}

/** Tags whose names begin with so many equal letters are taken for one another. */
const likeness = 3;

/**
 * Where reading goes on after a broken call: at an index of its raw text, whose rest is read again, or after all of
 * it, with so many closers still to come. More than one: the call holds openers of other calls, and nothing fires
 * before they are closed. `inFence`: the closer to come is that of a Markdown fence, which the call's opener has opened.
 */
export type Resume = { readonly at: number } | StillOpen;

/** What is open after a broken call. */
export interface StillOpen {
  readonly open: number;
  readonly inFence?: boolean;
}

/** What opens and closes a call. */
interface CallPair {
  /** Empty where the call had none. */
  readonly opener: string;
  readonly closers: readonly string[];
  /** A fence was opened after the opener. */
  readonly inFence?: boolean;
}

/**
 * Where reading goes on after a broken call whose raw text starts at, or behind, its own opener. Openers and closers
 * in it pair off, since a broken document about calls holds whole ones, which must not run: the call's own closer is
 * the first one that no other opener claims. Looks at each place once.
 */
export function resumeAfterPairs(raw: string, { opener, closers, inFence = false }: CallPair): Resume {
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
  if (closer === backticks) return { open: 0, inFence: true };
  for (; nextOpener !== undefined; nextOpener = findLiteral(raw, opener, nextOpener.end)) open += 1;
  return { open, inFence };
}
