import type { ReasoningEnds } from '../grammar.ts';
import { MarkerTrie } from './marker-trie.ts';

/** Reasoning that ends with one of these closers. */
export function closedBy(closers: readonly string[], next: readonly string[] = []): ReasoningEnds {
  const ends: ReasoningEnds = new MarkerTrie();
  for (const closer of closers) ends.add(closer, 'closer');
  for (const marker of next) ends.add(marker, 'next');
  return ends;
}
