import { afterSpace, endsOfObjects, placeOfList } from './json-bytes.ts';

/** In bytes; of shorter bodies nothing is made that is worth keeping. */
const shortest = 8192;

/**
 * Bytes of all histories that are known at a time, how many, values of one, which are counted more than once, and messages that are
 * compared for one body.
 */
const most = { bytes: 4_000_000, histories: 64, values: 50_000, compared: 4000 };

const member = Buffer.from('"messages"');
const closeList = 0x5d;

/** The messages that a body began with, with what they were parsed to. */
interface Known {
  readonly owner: string;
  /**
   * The bytes of each with what stands before it, from the bracket that begins the list on. They are copies: of a body that is kept
   * longer than its request, only a collection of all garbage lets go.
   */
  readonly pieces: readonly Buffer[];
  readonly messages: readonly unknown[];
  /** Lists, objects and what is in them, at most. */
  readonly values: number;
}

/** The messages that a body begins with and its sender has sent before. */
export interface KnownMessages extends Pick<Known, 'messages' | 'values'> {
  /** Where their list begins in the body, and where the last of them ends. */
  readonly from: number;
  readonly to: number;
  /** What they were found in. */
  readonly known: Known | undefined;
}

/** The newest first. */
let known: Known[] = [];

/** How many bytes of messages are kept, to be found again. */
export function knownMessageBytes(): number {
  return known.reduce((sum, { pieces }) => sum + lengthOf(pieces), 0);
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Forgets them: what comes again is parsed again. */
export function forgetMessages(): void {
  known = [];
}

/**
 * The messages of a body that came before, byte for byte, from the same sender: most of what an agent sends. There may be none;
 * undefined for bodies without a list of messages, and for small ones.
 */
export function findMessages(bytes: Buffer, owner: string): KnownMessages | undefined {
  if (bytes.length < shortest) return undefined;
  const from = placeOfList(bytes, member);
  if (from === undefined || bytes[afterSpace(bytes, from + 1)] === closeList) return undefined;
  let best: Known | undefined;
  let count = 0;
  let compared = 0;
  for (const each of known) {
    if (each.owner !== owner || each.values > most.values) continue;
    const found = countEqual(each, bytes, from);
    if (found > count) [best, count] = [each, found];
    // Many histories with the same long beginning keep nobody waiting.
    compared += found;
    if (compared > most.compared) break;
  }
  if (best === undefined) return { from, to: from + 1, messages: [], values: 0, known: undefined };
  const found = best;
  if (known[0] !== found) known = [found, ...known.filter((each) => each !== found)];
  const to = from + lengthOf(best.pieces.slice(0, count));
  return { from, to, messages: best.messages.slice(0, count), values: best.values, known: best };
}

/** How many of its messages the list at `from` begins with. */
function countEqual({ pieces }: Known, bytes: Buffer, from: number): number {
  let at = from;
  const differs = (piece: Buffer) => {
    const start = at;
    at += piece.length;
    return at > bytes.length || piece.compare(bytes, start, at) !== 0;
  };
  const count = pieces.findIndex(differs);
  return count < 0 ? pieces.length : count;
}

/**
 * Keeps the messages of a body but for the last one, which differs most often; `found` were known. They are kept in the place of these,
 * unless a conversation has branched far before its end.
 */
export function keepMessages(
  bytes: Buffer,
  { found, owner, messages, values }: { readonly found: KnownMessages } & Pick<Known, 'owner' | 'messages' | 'values'>,
): void {
  const { to, known: before } = found;
  const { length } = found.messages;
  const ends = length < messages.length - 1 ? endsOfObjects(bytes, to, messages.length - 1 - length) : undefined;
  if (ends === undefined) return;
  const own = (before?.pieces ?? []).slice(0, length);
  let at = length === 0 ? found.from : to;
  for (const end of ends) {
    const piece = Buffer.allocUnsafeSlow(end - at);
    bytes.copy(piece, 0, at, end);
    own.push(piece);
    at = end;
  }
  const isNext = before !== undefined && length === before.pieces.length;
  const others = isNext ? known.filter((each) => each !== before) : known;
  known = [{ owner, pieces: own, messages: messages.slice(0, -1), values }, ...others].slice(0, most.histories);
  while (knownMessageBytes() > most.bytes) known.pop();
}
