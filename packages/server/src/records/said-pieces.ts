import { isAscii } from 'node:buffer';

/** A text that came in pieces, such as the frames of a stream: of each piece only what is new beside the one before it. */
export interface SaidPieces {
  /** What is new, one after the other. */
  readonly text: string;
  /**
   * Three numbers for each piece, in characters: how many at its beginning are those that the piece before it begins with, how
   * many are new, and how many at its end are those that the piece before it ends with.
   */
  readonly shares: readonly number[];
}

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Pieces of a text in UTF-8. `ends`: where each of them ends, in bytes; a cut inside of a character becomes one after it, and a piece of nothing
 * is none. Only whole lines share anything, and what they share ends and begins at a string of JSON: so whatever holds no quote and no
 * newline stands whole in what is new, there or in a piece before, after what it stands after.
 */
export function tellPieces(bytes: Buffer, ends: readonly number[]): SaidPieces {
  // Mostly each byte is a character.
  const isPlain = isAscii(bytes);
  const charactersIn = (from: number, to: number) => (isPlain ? to - from : bytes.toString('utf8', from, to).length);
  const own = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  const shares: number[] = [];
  let before = 0;
  let from = 0;
  for (const end of ends) {
    const to = characterAfter(bytes, end);
    if (to === from) continue;
    const shared = sharedBy(bytes, { before, from, to });
    const [ownFrom, ownTo] = [from + shared.first, to - shared.last];
    shares.push(charactersIn(from, ownFrom), charactersIn(ownFrom, ownTo), charactersIn(ownTo, to));
    written += bytes.copy(own, written, ownFrom, ownTo);
    before = from;
    from = to;
  }
  return { text: own.toString('utf8', 0, written), shares };
}

/** The first place from this one on where a character begins. */
function characterAfter(bytes: Buffer, place: number): number {
  let at = place;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

/** How many bytes a piece shares with the one before it, at its beginning up to the last string that begins or ends there, and at its end from the first. */
function sharedBy(
  bytes: Buffer,
  { before, from, to }: { readonly before: number; readonly from: number; readonly to: number },
): { readonly first: number; readonly last: number } {
  const areLines = bytes[from - 1] === newline && bytes[to - 1] === newline;
  const most = areLines ? Math.min(from - before, to - from) : 0;
  const isBoundary = (at: number) => bytes[at] === quote && bytes[at - 1] !== backslash;
  let first = 0;
  let left = most;
  for (let same = 0; same < most && bytes[from + same] === bytes[before + same]; same += 1) {
    if (!isBoundary(from + same)) continue;
    first = same;
    // The quote itself is new.
    left = most - same - 1;
  }
  let last = 0;
  for (let same = 0; same < left && bytes[to - 1 - same] === bytes[from - 1 - same]; same += 1) {
    if (isBoundary(to - 1 - same)) last = same;
  }
  return { first, last };
}

/** Pieces as they are kept. */
export function joinPieces(pieces: readonly string[]): SaidPieces {
  const all = pieces.map((piece) => Buffer.from(piece));
  let end = 0;
  const ends = all.map(({ length }) => {
    end += length;
    return end;
  });
  return tellPieces(Buffer.concat(all), ends);
}

/** Pieces as they came. */
export function cutPieces({ text, shares }: SaidPieces): readonly string[] {
  let at = 0;
  return wholePieces(shares, (length) => {
    at += length;
    return text.slice(at - length, at);
  });
}

/** Pieces as they came. `next` returns so many of the characters of what is new in them, in order. */
export function wholePieces(shares: readonly number[], next: (length: number) => string): readonly string[] {
  const pieces: string[] = [];
  let before = '';
  for (let at = 0; at < shares.length; at += 3) {
    const [first = 0, own = 0, last = 0] = shares.slice(at, at + 3);
    before = before.slice(0, first) + next(own) + before.slice(before.length - last);
    pieces.push(before);
  }
  return pieces;
}

/** Characters of all pieces together. */
export function lengthOf({ shares }: SaidPieces): number {
  return shares.reduce((sum, length) => sum + length, 0);
}
