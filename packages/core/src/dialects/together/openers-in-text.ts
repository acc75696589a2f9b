import type { Dialect, ParseContext } from '../dialect.ts';
import { formMarkers } from '../parser/markers/form-markers.ts';
import { MarkerTrie } from '../parser/markers/marker-trie.ts';

/**
 * Those of the dialects that could find a call in this text, in their order: something that opens a call of theirs stands
 * in it. One look at the text for all of them. A dialect with a parser of its own is always one of them.
 */
export function withOpenersIn(text: string, dialects: readonly Dialect[], context: ParseContext): readonly Dialect[] {
  const openers = openersOf(dialects, context);
  const possible = new Set(dialects.filter(({ grammar }) => grammar === undefined));
  const { starts } = openers;
  for (let at = starts.find(text, 0); at < text.length; at = starts.find(text, at + 1)) {
    if (possible.size === dialects.length) break;
    const found = openers.find(text, at, true);
    if (typeof found === 'string') continue;
    for (const dialect of found.value) possible.add(dialect);
    found.value.clear();
  }
  return dialects.filter((dialect) => possible.has(dialect));
}

/** What opens calls, with those that it opens calls of: the letter case of some does not matter, here that of none does. */
function openersOf(dialects: readonly Dialect[], context: ParseContext): MarkerTrie<Set<Dialect>> {
  const byLiteral = new Map<string, Set<Dialect>>();
  for (const dialect of dialects) {
    const form = dialect.grammar?.(context);
    for (const [literal, { kind }] of form === undefined ? [] : formMarkers(form)) {
      if (kind !== 'opener') continue;
      const key = literal.toLowerCase();
      const known = byLiteral.get(key);
      if (known === undefined) byLiteral.set(key, new Set([dialect]));
      else known.add(dialect);
    }
  }
  const entries = [...byLiteral].map(([literal]) => [literal, beginningsOf(literal, byLiteral)] as const);
  return new MarkerTrie(entries, { fold: true });
}

/** Where a literal stands, those stand, too, that it begins with. */
function beginningsOf(literal: string, byLiteral: ReadonlyMap<string, ReadonlySet<Dialect>>): Set<Dialect> {
  const all = new Set<Dialect>();
  for (let length = 1; length <= literal.length; length += 1) {
    for (const dialect of byLiteral.get(literal.slice(0, length)) ?? []) all.add(dialect);
  }
  return all;
}
