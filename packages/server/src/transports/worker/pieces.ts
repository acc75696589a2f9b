import { DragomanError } from '@dragoman/core';
import { isFields } from './read-message.ts';

/** What the pieces of an answer have said so far. */
export type Pieces = Readonly<Record<string, unknown>>;

/** Fields whose texts add up from piece to piece; of all others the last value counts. */
const growing: readonly string[] = ['response', 'reasoning'];

/** The longest text that is put together, in UTF-16 units. */
const longestText = 16 * 1024 * 1024;

/** The most fields of what is put together: each piece costs as much as there are. */
const mostFields = 100;

/** The pieces with one more; what is no object has nothing to add. Throws DragomanError `reply-too-large`. */
export function addPiece(pieces: Pieces, piece: unknown): Pieces {
  if (!isFields(piece)) return pieces;
  const sum: Record<string, unknown> = { ...pieces, ...piece };
  if (Object.keys(sum).length > mostFields) {
    throw new DragomanError('reply-too-large', `The worker's answer has more than ${mostFields} fields.`);
  }
  for (const name of growing) {
    const [before, more] = [pieces[name], piece[name]];
    if (typeof before !== 'string' || typeof more !== 'string') continue;
    if (before.length + more.length > longestText) {
      throw new DragomanError('reply-too-large', `The worker's answer is longer than ${longestText} characters.`);
    }
    sum[name] = before + more;
  }
  return sum;
}
