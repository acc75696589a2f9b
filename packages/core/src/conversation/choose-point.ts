import type { FoundPoints, KnownPoint } from '../stores/conversation-store.ts';
import { type Link, shortenedKey } from './chain.ts';

/** What the choice hangs on, beside the history. */
export interface Asking {
  /** Digest of the system text and tools of this request. */
  readonly told: string;
  /** Which conversation the client says that it is. */
  readonly identity: string | undefined;
  /** Whether the client shows, anywhere in its history, a block with this digest (`ConversationPoint.shown`). */
  readonly shows: (digest: string) => boolean;
}

/** The point that a history goes on from; `unclear`: there are some, but nothing says that one of them is right. */
export interface Choice {
  readonly point?: KnownPoint;
  readonly unclear: boolean;
}

/** Answers of so many characters, white space left out, are hardly the same in two conversations. */
const telling = 48;

/** The most blocks that a point remembers (`ConversationPoint.shown`). */
export const mostShown = 32;

/**
 * Chooses the point that a history goes on from. A wrong one would show a model what somebody said elsewhere, a missing
 * one costs a replay. So a point counts only
 *
 * 1. by the ids of calls, which are random and in no other conversation; or
 * 2. when the upstream was told nothing but what the client shows, system text included: then it does not matter whose
 *    conversation it was; or
 * 3. when only what clients leave out or write anew differs, and no two such points say different things, and the client
 *    says which conversation it is, or the model has said too much for a coincidence.
 */
export function choosePoint(last: Link, options: Asking & { readonly found: FoundPoints }): Choice {
  const { found, told, identity, shows } = options;
  const find = (key: string) => agreeing(found.get(key) ?? [], identity);
  const sameTold = (point: KnownPoint) => point.told === told;

  const proven = last.hasProof ? find(last.proven) : [];
  if (proven.length > 0) return chosen(preferred(proven, sameTold));

  const exact = find(last.exact);
  const same = exact.filter(sameTold);
  if (same.length > 0) return chosen(same);

  const bare = find(last.bare);
  const isShown = ({ shown }: KnownPoint) => shown.length < mostShown && shown.every(shows);
  const shown = last.hasCalls ? [] : bare.filter((point) => sameTold(point) && isShown(point));
  if (shown.length > 0) return chosen(shown);

  const alike = preferred([...exact, ...bare, ...find(shortenedKey(last))], sameTold);
  const [one] = alike;
  if (one === undefined) return { unclear: false };
  const isNamed = identity !== undefined && one.identity === identity;
  const areOne = alike.every((point) => point.exact === one.exact && point.told === one.told);
  return areOne && (isNamed || last.answered >= telling) ? chosen(alike) : { unclear: true };
}

/**
 * Where both say which conversation they are, they have to agree; a client that says so only sometimes still finds its
 * own.
 */
function agreeing(points: readonly KnownPoint[], identity: string | undefined): readonly KnownPoint[] {
  const same = points.filter((point) => point.identity === identity);
  if (same.length > 0) return same;
  return points.filter((point) => identity === undefined || point.identity === undefined);
}

function preferred(points: readonly KnownPoint[], fits: (point: KnownPoint) => boolean): readonly KnownPoint[] {
  const fitting = points.filter(fits);
  return fitting.length > 0 ? fitting : points;
}

/** Of points that are as good as each other, the latest that nobody has continued. */
function chosen(points: readonly KnownPoint[]): Choice {
  const point = points.findLast(({ continuations }) => continuations === 0) ?? points.at(-1);
  return { ...(point === undefined ? {} : { point }), unclear: false };
}
