import type { ChatRequest } from '../chat/request.ts';
import type { Plan } from '../plan/plan.ts';
import type { EngineSetup } from '../plan/setup.ts';
import { findClientBlocks } from '../prepare/client-blocks.ts';
import type { Prompt } from '../prepare/prompt.ts';
import type { ConversationStore, FoundPoints, KnownPoint } from '../stores/conversation-store.ts';
import type { TurnQueue, TurnRules } from '../stores/turn-queue.ts';
import type { ConversationRules } from '../wires/wire.ts';
import type { Asking } from './choose-point.ts';
import { type History, type Lineage, readHistory } from './decide-lineage.ts';
import { shownIn } from './shown-blocks.ts';
import { isSideRequest } from './side-request.ts';

/** What a request goes on from at an upstream that keeps conversations, before anything is written for it. */
export interface Claim extends Pick<History, 'depth' | 'exact' | 'pointAfter'> {
  /**
   * `aside`: a client only asks about a conversation, which cannot go on elsewhere and stays as it is; `unreachable`:
   * nobody can tell now, because the store fails.
   */
  readonly kind: Lineage['kind'] | 'aside' | 'unreachable';
  /** The point that the message follows; absent: it begins a new conversation. */
  readonly point?: KnownPoint;
  /** It waited for another request, and goes after the reply to that one. */
  readonly queued?: boolean;
  /** Which conversation the client said that it is. */
  readonly identity?: string;
  /** Digest of the system text and tools that the upstream will have been told. */
  readonly told: string;
  /** Tells the store what became of the message. Only the first time counts. */
  settle(outcome: 'kept' | 'withdrawn'): void;
}

export interface ClaimOptions {
  readonly plan: Plan;
  readonly setup: EngineSetup;
  readonly rules: ConversationRules;
  readonly prompt: Prompt;
}

/** A request for which a claim is to be made. */
export interface Claiming {
  readonly history: History;
  readonly asking: Asking;
  readonly store: ConversationStore;
  readonly rules: ConversationRules;
  /** The request only asks about its conversation. */
  readonly isAside: boolean;
  /** Present where requests of one identity go one after another. */
  readonly turns: { readonly queue: TurnQueue; readonly rules: TurnRules } | undefined;
}

const forgetful: ConversationStore = {
  find: async () => new Map(),
  take: async () => undefined,
  settle: () => {},
  put: () => undefined,
};

/** Reads the history of a request, which is all that its place hangs on. */
export function readClaiming(request: ChatRequest, { plan, setup, rules, prompt }: ClaimOptions): Claiming {
  const { conversations = forgetful, turns: queue, upstreams } = setup;
  const turnRules = upstreams.get(plan.upstream)?.turns;
  const history = readHistory(request.messages, {
    salt: [plan.upstream, plan.model],
    withoutBlocks: (text) => findClientBlocks(text).rest,
    tools: request.tools,
  });
  const asking = { told: prompt.digest(), identity: request.conversation, shows: shownIn(prompt.spoken) };
  const turns = queue === undefined || turnRules === undefined ? undefined : { queue, rules: turnRules };
  return { history, asking, store: conversations, rules, isAside: isSideRequest(request), turns };
}

/**
 * Which point the request follows by what was found. Where messages follow the last reply only, a branch follows none, and
 * neither does what is asked aside: the next request of the conversation goes on from there.
 */
export function followed(
  { history, asking, rules, isAside }: Claiming,
  found: FoundPoints,
): { readonly kind: Claim['kind']; readonly point?: KnownPoint } {
  const lineage = history.lineageIn(found, asking);
  const { kind } = lineage;
  if (isAside && kind === 'continue' && !rules.branches) return { kind: 'aside' };
  return kind === 'continue' || (kind === 'branch' && rules.branches) ? { kind, point: lineage.point } : { kind };
}

/** The claim of a request that begins a new conversation. */
export function claimOfNone({ history, asking }: Claiming, kind: Claim['kind']): Claim {
  const { depth, exact, pointAfter } = history;
  const { told, identity } = asking;
  return { kind, depth, exact, pointAfter, told, settle: () => {}, ...(identity === undefined ? {} : { identity }) };
}

/** The claim on a point that has been taken. */
export function claimOn(
  claiming: Claiming,
  { kind, point }: { readonly kind: 'continue' | 'branch'; readonly point: KnownPoint },
): Claim {
  let isSettled = false;
  const settle: Claim['settle'] = (outcome) => {
    if (!isSettled) claiming.store.settle(point.id, outcome);
    isSettled = true;
  };
  return { ...claimOfNone(claiming, kind), point, settle };
}
