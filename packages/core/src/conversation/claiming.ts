import { textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Plan } from '../plan/plan.ts';
import type { EngineSetup } from '../plan/setup.ts';
import { findClientBlocks } from '../prepare/client-tags.ts';
import type { Prompt } from '../prepare/prompt.ts';
import type { ConversationStore, FoundPoints, KnownPoint } from '../stores/conversation-store.ts';
import type { TurnQueue, TurnRules } from '../stores/turn-queue.ts';
import type { ConversationRules } from '../wires/wire.ts';
import type { Asking } from './choose-point.ts';
import { type History, type Lineage, readHistory } from './decide-lineage.ts';
import { shownIn } from './shown-blocks.ts';

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

/** What clients begin such a request with, tools and all. */
const openings: readonly string[] = [
  '[SUGGESTION MODE:', // Claude Code, Qwen Code: what a user may type next
];

/** Longer than this no request for a title is; a text of somebody's own may be. */
const longestTitleRequest = 2000;

/** Zed, NextChat and others ask for a title of what they show in front, without tools, and say how it has to look. */
const titleWords: readonly (readonly string[])[] = [
  ['title'],
  ['conversation', 'chat', 'thread', 'session', 'discussion'],
  ['concise', 'brief', 'short', 'word', 'only the title', 'without any'],
];

/**
 * Whether a request shows a conversation only to ask something about it, as clients do by themselves: the next one of the
 * conversation will not hold it. A summary that takes the place of the conversation is none. Whoever is mistaken for one is
 * answered as well, in a conversation of its own.
 */
export function isSideRequest({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): boolean {
  const last = messages.findLast(({ role }) => role !== 'system');
  if (last?.role !== 'user') return false;
  const opens = (text: string) => openings.some((opening) => text.trimStart().startsWith(opening));
  if (last.content.some((part) => part.type === 'text' && opens(part.text))) return true;
  const text = textOf(last.content);
  if (tools.length > 0 || text.length > longestTitleRequest) return false;
  const words = text.toLowerCase();
  return titleWords.every((each) => each.some((word) => words.includes(word)));
}
