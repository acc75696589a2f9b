import { isAscii } from 'node:buffer';

/** A text that came in pieces, such as the frames of a stream: of each of its frames only what is new beside the one before it. */
export interface SaidPieces {
  /** What is new, one after the other. */
  readonly text: string;
  readonly shares: readonly Share[];
  /** Characters of each piece. */
  readonly lengths: readonly number[];
}

/**
 * Of one frame, in characters: how many are new, how many at its beginning are those that the frame before it begins with, and how
 * many at its end are those that it ends with. Only the first number where the others are those of the frame before.
 */
export type Share = number | readonly [number, number, number];

const quote = 0x22;
const backslash = 0x5c;

/** What frames end with: those of server-sent events, and lines. */
const frameEnds = ['\n\n', '\r\n\r\n', '\n'].map((end) => Buffer.from(end));

/** Shorter frames are told with the next ones: to tell what they share takes as much as it saves. Bytes. */
const shortest = 64;

/**
 * Pieces of a text in UTF-8. `ends`: where each of them ends, in bytes; a cut inside of a character becomes one after it, and a piece of nothing
 * is none. What two frames share ends and begins at a string of JSON: so whatever holds no quote and no newline stands whole in
 * what is new, there or in a frame before, after what it stands after.
 */
export function tellPieces(bytes: Buffer, ends: readonly number[]): SaidPieces {
  // Mostly each byte is a character.
  const isPlain = isAscii(bytes);
  const charactersIn: CharactersIn = (from, to) => (isPlain ? to - from : bytes.toString('utf8', from, to).length);
  const lengths: number[] = [];
  let from = 0;
  for (const end of ends) {
    // What is behind is not looked through again, however many cuts were inside of what is no character.
    const to = characterAfter(bytes, Math.max(from, end));
    if (to > from) lengths.push(charactersIn(from, to));
    from = to;
  }
  return { ...tellFrames(bytes, charactersIn), lengths };
}

type CharactersIn = (from: number, to: number) => number;

function tellFrames(bytes: Buffer, charactersIn: CharactersIn): Pick<SaidPieces, 'text' | 'shares'> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const own = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  const shares: Share[] = [];
  let [first, last] = [0, 0];
  let before = 0;
  const frameEnd = frameEnds.find((end) => bytes.includes(end));
  for (let from = 0; from < bytes.length; ) {
    const to = frameEnd === undefined ? bytes.length : endAfter(bytes, frameEnd, from);
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
  return { text: own.toString('utf8', 0, written), shares };
}

/** The first place from this one on where a character begins. */
function characterAfter(bytes: Buffer, place: number): number {
  let at = place;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

/** Where the frame ends that begins here. */
function endAfter(bytes: Buffer, frameEnd: Buffer, from: number): number {
  const at = bytes.indexOf(frameEnd, from + shortest);
  return at < 0 ? bytes.length : at + frameEnd.length;
}

/**
 * How many bytes a frame shares with the one before it: at its beginning, up to the last string that begins or ends in what is
 * the same, and at its end, from the first.
 */
function sharedBy(
  bytes: DataView,
  { before, from, to }: { readonly before: number; readonly from: number; readonly to: number },
): { readonly first: number; readonly last: number } {
  const byteAt = (at: number) => bytes.getUint8(at);
  const isBoundary = (at: number) => byteAt(at) === quote && byteAt(at - 1) !== backslash;
  const most = Math.min(from - before, to - from);
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
export function cutPieces({ text, ...cuts }: SaidPieces): readonly string[] {
  return wholePieces(cuts, charactersOf(text));
}

/** Pieces as they came. `next` returns so many of the characters of what is new in their frames, in order. */
export function wholePieces(
  { shares, lengths }: Omit<SaidPieces, 'text'>,
  next: (length: number) => string,
): readonly string[] {
  let before = '';
  let [first, last] = [0, 0];
  const frames = shares.map((share) => {
    const own = typeof share === 'number' ? share : share[0];
    if (typeof share !== 'number') [, first, last] = share;
    before = before.slice(0, first) + next(own) + before.slice(before.length - last);
    return before;
  });
  return lengths.map(charactersOf(frames.join('')));
}

/** So many of the characters of a text as are asked for, in order. */
export function charactersOf(text: string): (length: number) => string {
  let at = 0;
  return (length) => {
    at += length;
    return text.slice(at - length, at);
  };
}
