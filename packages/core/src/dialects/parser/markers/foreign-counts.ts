import type { Counts, Grammar, Marker } from '../grammar.ts';

/**
 * When a marker counts that is not the dialect's own. Tokens in `<|…|>`, and headers that end in one, are written by models
 * alone; tags and words also stand in prose, and a word that began reasoning there would hide an answer.
 */
export function foreignCounts({ kind }: Marker, literal: string, takes: Grammar['takes']): Counts {
  if (kind === 'reasoning') return startsLikeWord(literal) ? 'shown' : 'always';
  if (!endsInToken(literal)) return 'shown';
  // It is text, too, where text follows.
  if (kind === 'turn-end') return 'always';
  if (takes === 'calls') return 'shown';
  if (kind === 'reasoning-closer') return 'always';
  return kind === 'silent' ? 'edge' : 'shown';
}

function endsInToken(literal: string): boolean {
  return ['<|', '<｜'].some((start) => literal.includes(start)) && literal.endsWith('>');
}

function startsLikeWord(literal: string): boolean {
  const [first = ''] = literal;
  return first.toLowerCase() !== first.toUpperCase() && !literal.includes('<|');
}
