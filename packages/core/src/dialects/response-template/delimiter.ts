import type { Fields } from './call-shape.ts';
import { type PatternPiece, readPattern } from './pattern.ts';
import type { TemplateNotes } from './template-notes.ts';

/** What opens or closes a field: one or more sequences of pieces. Empty: nothing does. */
export type Delimiter = readonly (readonly PatternPiece[])[];

/**
 * Reads `open` or `close` of a field, a literal or a list of them, or the pattern that stands in its place. What cannot be
 * read is told, and then there is none.
 */
export function readDelimiter(field: Fields, key: 'open' | 'close', notes: TemplateNotes): Delimiter {
  const literal = field[key];
  const pattern = field[`${key}_pattern`];
  if (literal !== undefined && pattern !== undefined)
    notes.problem([key], `stands beside "${key}_pattern"; leave one out`);
  if (literal !== undefined)
    return literalsOf(literal, () => notes.problem([key], 'must be a text or a list of texts'));
  if (pattern === undefined) return [];
  if (typeof pattern !== 'string') {
    notes.problem([`${key}_pattern`], 'must be a text');
    return [];
  }
  const read = readPattern(pattern);
  if (typeof read !== 'string') return read.alternatives;
  notes.problem([`${key}_pattern`], `${read}; or write the dialect as a "table" (docs/zero-day.md)`);
  return [];
}

function literalsOf(value: unknown, complain: () => void): Delimiter {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
  if (texts.length < all.length || texts.length === 0) complain();
  return texts.map((text) => [{ kind: 'literal', text }]);
}

/** The text of each alternative that is nothing but text and white space. */
export function textsOf(delimiter: Delimiter): readonly string[] {
  const plain = delimiter.filter((pieces) => pieces.every(({ kind }) => kind !== 'group'));
  return plain.map((pieces) => joined(pieces)).filter((text) => text.trim() !== '');
}

/** The text of pieces; white space between literals becomes one newline. */
export function joined(pieces: readonly PatternPiece[]): string {
  const texts = pieces.map((piece, index) => {
    if (piece.kind === 'literal') return piece.text;
    const inside = piece.kind === 'space' && index > 0 && index < pieces.length - 1;
    return inside ? '\n' : '';
  });
  return texts.join('');
}

/** The literals of pieces, in their order. */
export function literalsIn(pieces: readonly PatternPiece[]): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === 'literal' ? [piece.text] : []));
}
