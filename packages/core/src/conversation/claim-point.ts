import type { ChatRequest } from '../chat/request.ts';
import { DragomanError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { FoundPoints, KnownPoint, Standing } from '../stores/conversation-store.ts';
import { busy, type TurnRules } from '../stores/turn-queue.ts';
import { afterKey } from './chain.ts';
import {
  type Claim,
  type Claiming,
  type ClaimOptions,
  claimOfNone,
  claimOn,
  followed,
  readClaiming,
} from './claiming.ts';

/**
 * Milliseconds after which a point is looked for again that has to come: the reply after the one before it is just being
 * written down, by this gateway or by another one that shares the store.
 */
const patience = [20, 50, 100, 250, 500];

/** What `claimPoint` would say now. Takes nothing. */
export async function lookUpPoint(request: ChatRequest, options: ClaimOptions): Promise<Claim> {
  const claiming = readClaiming(request, options);
  return orUnreachable(claiming, async () => {
    const { kind, point } = followed(claiming, await claiming.store.find(claiming.history.lookUps));
    const claim = claimOfNone(claiming, kind);
    return point === undefined ? claim : { ...claim, point };
  });
}

/**
 * Finds the point that a request follows and takes it, so that nobody else can believe to be the first after it; whoever
 * claims has to `settle`. Where the upstream's requests go one after another, it waits for its turn. Rejects with
 * `conversation-busy` where that takes too long, and with the signal's reason when nobody wants the answer any more.
 */
export async function claimPoint(
  request: ChatRequest,
  { signal, ...options }: ClaimOptions & { readonly signal: AbortSignal },
): Promise<Claim> {
  const claiming = readClaiming(request, options);
  if (claiming.history.lookUps.length === 0) return claimOfNone(claiming, 'new');
  return orUnreachable(claiming, async () => {
    const found = await findAwaited(claiming, signal);
    if (followed(claiming, found).kind === 'aside') return claimOfNone(claiming, 'aside');
    return (await claimInTurn(claiming, { found, signal })) ?? claimAtOnce(claiming, found);
  });
}

/** Where another request was faster, the decision is made anew with what is known by then. */
async function claimAtOnce(claiming: Claiming, asked: FoundPoints): Promise<Claim> {
  let found = asked;
  for (;;) {
    const { point, kind } = followed(claiming, found);
    if (point === undefined) return claimOfNone(claiming, kind);
    const before = await claiming.store.take(point.id);
    found = withStanding(found, { point, before });
    const taken = followed(claiming, found);
    if (taken.point?.id === point.id) {
      return claimOn(claiming, { kind: taken.kind === 'continue' ? 'continue' : 'branch', point: taken.point });
    }
    if (before !== undefined) claiming.store.settle(point.id, 'withdrawn');
  }
}

async function findAwaited({ history, asking, store }: Claiming, signal: AbortSignal): Promise<FoundPoints> {
  let found = await store.find(history.lookUps);
  for (const milliseconds of patience) {
    if (!history.isAwaited(found, asking)) break;
    await pause(milliseconds, signal);
    found = await store.find(history.lookUps);
  }
  return found;
}

/** What was found, with a point as it stood when it was taken, or without it where it has gone. */
function withStanding(
  found: FoundPoints,
  { point, before }: { readonly point: KnownPoint; readonly before: Standing | undefined },
): FoundPoints {
  const anew = (each: KnownPoint) => {
    if (each.id !== point.id) return [each];
    return before === undefined ? [] : [{ ...each, ...before }];
  };
  return new Map([...found].map(([key, points]) => [key, points.flatMap(anew)]));
}

/** A store that fails breaks no reply: the whole history goes into a new conversation. */
async function orUnreachable(claiming: Claiming, claim: () => Promise<Claim>): Promise<Claim> {
  try {
    return await claim();
  } catch (thrown) {
    if (thrown instanceof DragomanError && thrown.code === 'store-failed') return claimOfNone(claiming, 'unreachable');
    throw thrown;
  }
}

/** Milliseconds between two looks at a message that is under way, at first and at most. */
const looks = { first: 25, longest: 400 };

/**
 * Claims for a request of one identity that goes on from a place where another one may be under way: it waits for the reply
 * to that one and goes after it. What was answered there before it came makes it an edit or a retry, and it stays a branch.
 * Undefined where there is nothing to wait for: no turns, no identity, no such place.
 */
async function claimInTurn(
  claiming: Claiming,
  { found, signal }: { readonly found: FoundPoints; readonly signal: AbortSignal },
): Promise<Claim | undefined> {
  const { history, asking, turns } = claiming;
  const lineage = history.lineageIn(found, asking);
  if (turns === undefined || asking.identity === undefined || !('point' in lineage)) return undefined;
  const { point } = lineage;
  const known = await idsAfter(claiming, point);
  const turn = await turns.queue.enter(point.id, { rules: turns.rules, known, signal });
  const waited = turn.waited || point.open > 0;
  const last = claimLast(claiming, { point, earlier: turn.known, waited, rules: turns.rules, signal });
  const claim = await last.catch((thrown) => {
    turn.end();
    throw thrown;
  });
  if (claim.point === undefined) turn.end();
  return {
    ...claim,
    settle(outcome) {
      claim.settle(outcome);
      turn.end();
    },
  };
}

interface LastOptions {
  /** Where the request's history ends. */
  readonly point: KnownPoint;
  /** What followed it before any of the requests came that wait for each other. */
  readonly earlier: ReadonlySet<string>;
  /** Others were under way there when the request came. */
  readonly waited: boolean;
  readonly rules: TurnRules;
  readonly signal: AbortSignal;
}

/** Follows the replies that have come since the request did to the last one, and takes it when nothing is under way there. */
async function claimLast(claiming: Claiming, options: LastOptions): Promise<Claim> {
  const { store } = claiming;
  let { point, waited } = options;
  let keys = claiming.history.lookUps;
  let left = options.rules.wait;
  for (let look = looks.first; ; look = Math.min(look * 2, looks.longest)) {
    const after = afterKey(point.id);
    const found = await store.find([...keys, after]);
    const next = waited ? found.get(after)?.findLast(({ id }) => !options.earlier.has(id)) : undefined;
    if (next !== undefined) {
      keys = [after];
      point = next;
      continue;
    }
    const now = keys.flatMap((key) => found.get(key) ?? []).find(({ id }) => id === point.id);
    if (now === undefined) return claimOfNone(claiming, 'diverged');
    const claim = now.open > 0 ? undefined : await claimAlone(claiming, now);
    if (claim !== undefined) return { ...claim, queued: point.id !== options.point.id };
    waited = true;
    if (left <= 0) throw busy(`its reply took longer than ${options.rules.wait} ms`);
    left -= look;
    await pause(look, options.signal);
  }
}

/** Undefined where somebody else was faster. */
async function claimAlone(claiming: Claiming, point: KnownPoint): Promise<Claim | undefined> {
  const { store, rules } = claiming;
  const before = await store.take(point.id);
  if (before === undefined) return undefined;
  const kind = before.continuations === 0 ? 'continue' : 'branch';
  const claim = claimOn(claiming, { kind, point });
  if (before.open === 0 && (kind === 'continue' || rules.branches)) {
    return {
      ...claim,
      pointAfter(reply) {
        const { exact, keys } = claim.pointAfter(reply);
        return { exact, keys: [...keys, afterKey(point.id)] };
      },
    };
  }
  claim.settle('withdrawn');
  return before.open === 0 ? claimOfNone(claiming, kind) : undefined;
}

async function idsAfter({ store }: Claiming, { id }: KnownPoint): Promise<ReadonlySet<string>> {
  const key = afterKey(id);
  const points = (await store.find([key])).get(key) ?? [];
  return new Set(points.map((point) => point.id));
}
