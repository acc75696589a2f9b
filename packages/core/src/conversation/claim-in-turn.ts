import { pause } from '../pause.ts';
import type { FoundPoints, KnownPoint } from '../stores/conversation-store.ts';
import type { TurnRules } from '../stores/turn-queue.ts';
import { busy } from '../stores/turn-queue.ts';
import { afterKey } from './chain.ts';
import { type Claim, type Claiming, claimOfNone, claimOn } from './claiming.ts';

/** Milliseconds between two looks at a message that is under way, at first and at most. */
const looks = { first: 25, longest: 400 };

/**
 * Claims for a request of one identity that goes on from a place where another one may be under way: it waits for the reply
 * to that one and goes after it. What was answered there before it came makes it an edit or a retry, and it stays a branch.
 * Undefined where there is nothing to wait for: no turns, no identity, no such place.
 */
export async function claimInTurn(
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
