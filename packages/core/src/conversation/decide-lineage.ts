import type { AssistantMessage, Message } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { FoundPoints, KnownPoint } from '../stores/conversation-store.ts';
import { answerKey, firstLink, keysAfter, keysOf, type Link, nextLink } from './chain.ts';
import { type Asking, choosePoint } from './choose-point.ts';
import { answeredOf, callWriter, isEmptyInput, readTurns, type Turns, type WithoutBlocks } from './turns.ts';

/**
 * Which conversation of the upstream a request belongs to.
 *
 * - `new`: no model has said anything yet
 * - `continue`: all but the newest input is known, and nobody has gone on from there
 * - `branch`: the same, but somebody has: the input was edited, sent again, or is one of several at a time
 * - `unclear`: what is known looks like the history, but may be another conversation (`choose-point.ts`)
 * - `compacted`: the last answer is known, but the history before it is shorter than it was
 * - `diverged`: the history is not, or not to its end, what the upstream has seen
 *
 * Only with `continue` and `branch` the upstream knows all but what comes after the last answer; otherwise nothing of
 * what it knows may be relied on.
 */
export type Lineage =
  | { readonly kind: 'new' | 'unclear' | 'compacted' | 'diverged' }
  | { readonly kind: 'continue' | 'branch'; readonly point: KnownPoint };

/** A history as the conversations of an upstream are told apart by it. */
export interface History {
  /** How many answers it holds. */
  readonly depth: number;
  /** What it is known by up to its last answer (`ConversationPoint.exact`). */
  readonly exact: string;
  /** The keys under which a store has to be asked before `lineageIn`; none where no model has spoken yet. */
  readonly lookUps: readonly string[];
  /** Decides by what is known under `lookUps`. */
  lineageIn(found: FoundPoints, asking: Asking): Lineage;
  /** What the point after the reply to this history is known by, and the keys under which it is to be kept. */
  pointAfter(reply: AssistantMessage['content']): KnownAfter;
  /**
   * Nothing leads on, but the reply after the answer before the last is under way: the point after it may come any moment.
   */
  isAwaited(found: FoundPoints, asking: Pick<Asking, 'identity'>): boolean;
}

/** What a point is known by. */
export interface KnownAfter extends Pick<KnownPoint, 'exact'> {
  readonly keys: readonly string[];
}

/** How histories are read. */
export interface HistoryOptions {
  /** What keeps conversations apart beside their owner: the upstream and the model. */
  readonly salt: readonly string[];
  /** Default: nothing is taken out. */
  readonly withoutBlocks?: WithoutBlocks;
  /** What can be called: defaults of their schemas count as said, by clients that write them into calls and by those that don't. */
  readonly tools?: readonly ToolDefinition[];
}

/** Pure, and linear in the history. */
export function readHistory(
  messages: readonly Message[],
  { salt, withoutBlocks, tools = [] }: HistoryOptions,
): History {
  const reading = { withoutBlocks, writeCall: callWriter(tools) };
  const turns = readTurns(messages, reading);
  const links = linksAlong(turns, salt);
  const link = links.at(-1) ?? firstLink(salt);
  const keys = keysOf(link);
  // Before the first answer there is no point, so its key leads nowhere.
  const before = links.at(-2)?.exact ?? '';
  const input = turns.inputs.at(-1) ?? { results: [], said: [], words: [] };
  const last = turns.answers.at(-1);
  const alone = last === undefined ? '' : answerKey(salt, last);
  const depth = turns.answers.length;
  return {
    depth,
    exact: link.exact,
    lookUps: last === undefined ? [] : [...keys, alone, before],
    isAwaited(found, { identity }) {
      const fits = (point: KnownPoint) => point.identity === undefined || point.identity === identity;
      const leadsOn = keys.some((key) => (found.get(key)?.length ?? 0) > 0);
      return !leadsOn && (found.get(before)?.some((point) => point.open > 0 && fits(point)) ?? false);
    },
    lineageIn(found, asking) {
      if (last === undefined) return { kind: 'new' };
      const { point, unclear } = choosePoint(link, { found, ...asking });
      // An input of nothing would be an empty message: a history that ends with an answer is no step of a conversation.
      if (point !== undefined && !isEmptyInput(input)) {
        return { kind: point.continuations === 0 ? 'continue' : 'branch', point };
      }
      if (unclear) return { kind: 'unclear' };
      const isShorter = found.get(alone)?.some((point) => point.depth > depth) ?? false;
      return { kind: isShorter ? 'compacted' : 'diverged' };
    },
    pointAfter(reply) {
      const answer = answeredOf(reply, reading);
      const { exact } = nextLink(link, { input, answer });
      return { exact, keys: [...keysAfter(link, { input, answer }), answerKey(salt, answer)] };
    },
  };
}

/** What the history is known by at its beginning and up to each answer. */
function linksAlong({ inputs, answers }: Turns, salt: readonly string[]): readonly Link[] {
  let link = firstLink(salt);
  const links = [link];
  for (const [at, answer] of answers.entries()) {
    const input = inputs[at];
    if (input !== undefined) link = nextLink(link, { input, answer });
    links.push(link);
  }
  return links;
}
