import { isAscii } from 'node:buffer';

/** A text that came in pieces, such as the frames of a stream: of each piece only what is new beside the one before it. */
export interface SaidPieces {
  /** What is new, one after the other. */
  readonly text: string;
  readonly shares: readonly Share[];
  /** Characters of all pieces together. */
  readonly length: number;
}

/**
 * Of one piece, in characters: how many are new, how many at its beginning are those that the piece before it begins with, and how
 * many at its end are those that it ends with. Only the first number where the others are those of the piece before.
 */
export type Share = number | readonly [number, number, number];

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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const own = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  const shares: Share[] = [];
  let [first, last] = [0, 0];
  let before = 0;
  let from = 0;
  for (const end of ends) {
    const to = characterAfter(bytes, end);
    if (to === from) continue;
    const shared = sharedBy(view, { before, from, to });
    const [ownFrom, ownTo] = [from + shared.first, to - shared.last];
    const length = charactersIn(ownFrom, ownTo);
    if (shared.first === first && shared.last === last) shares.push(length);
    else shares.push([length, charactersIn(from, ownFrom), charactersIn(ownTo, to)]);
    written += bytes.copy(own, written, ownFrom, ownTo);
    ({ first, last } = shared);
    before = from;
    from = to;
  }
  return { text: own.toString('utf8', 0, written), shares, length: charactersIn(0, from) };
}

/** The first place from this one on where a character begins. */
function characterAfter(bytes: Buffer, place: number): number {
  let at = place;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

/**
 * How many bytes a piece shares with the one before it: at its beginning, up to the last string that begins or ends in what is
 * the same, and at its end, from the first.
 */
function sharedBy(
  bytes: DataView,
  { before, from, to }: { readonly before: number; readonly from: number; readonly to: number },
): { readonly first: number; readonly last: number } {
  const byteAt = (at: number) => bytes.getUint8(at);
  const areLines = from > 0 && byteAt(from - 1) === newline && byteAt(to - 1) === newline;
  const most = areLines ? Math.min(from - before, to - from) : 0;
  const isBoundary = (at: number) => byteAt(at) === quote && byteAt(at - 1) !== backslash;
  let first = 0;
  // Four at a time: this goes over all that streams.
  while (first + 4 <= most && bytes.getInt32(from + first) === bytes.getInt32(before + first)) first += 4;
  while (first < most && byteAt(from + first) === byteAt(before + first)) first += 1;
  do first -= 1;
  while (first >= 0 && !isBoundary(from + first));
  // The quote itself is new.
  const left = most - first - 1;
  let last = 0;
  while (last + 4 <= left && bytes.getInt32(to - 4 - last) === bytes.getInt32(from - 4 - last)) last += 4;
  while (last < left && byteAt(to - 1 - last) === byteAt(from - 1 - last)) last += 1;
  do last -= 1;
  while (last >= 0 && !isBoundary(to - 1 - last));
  return { first: Math.max(first, 0), last: Math.max(last, 0) };
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
export function wholePieces(shares: readonly Share[], next: (length: number) => string): readonly string[] {
  let before = '';
  let [first, last] = [0, 0];
  return shares.map((share) => {
    const own = typeof share === 'number' ? share : share[0];
    if (typeof share !== 'number') [, first, last] = share;
    before = before.slice(0, first) + next(own) + before.slice(before.length - last);
    return before;
  });
}
