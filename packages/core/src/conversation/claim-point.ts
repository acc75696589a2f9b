import type { ChatRequest } from '../chat/request.ts';
import { DragomanError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { FoundPoints, KnownPoint, Standing } from '../stores/conversation-store.ts';
import { claimInTurn } from './claim-in-turn.ts';
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
