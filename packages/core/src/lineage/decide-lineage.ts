import type { AssistantMessage, Message } from '../chat/message.ts';
import type { ConversationStore, KnownPoint } from '../stores/conversation-store.ts';
import { answerKey, firstLink, linksOf, nextLink } from './chain.ts';
import { answeredOf, isEmptyInput, readTurns, type Turns } from './turns.ts';

/** A history, and what is known of the conversations that it may belong to. */
export interface LineageQuestion {
  readonly messages: readonly Message[];
  /** What keeps conversations apart beside their owner: the upstream and the model. */
  readonly salt: readonly string[];
  /** Which conversation the client says that it is. */
  readonly identity?: string;
  readonly known: Pick<ConversationStore, 'find'>;
}

/**
 * Which conversation of the upstream a request belongs to.
 *
 * - `new`: no model has said anything yet
 * - `continue`: all but the newest input is known, and nobody has gone on from there
 * - `branch`: the same, but somebody has: the input was edited, sent again, or is one of several at a time
 * - `compacted`: the last answer is known, but the history before it is shorter than it was
 * - `diverged`: the history is not, or not to its end, what the upstream has seen
 *
 * Only with `continue` and `branch` the upstream knows all but what stands behind the last answer; otherwise nothing of
 * what it knows may be relied on.
 */
export type LineageKind = Lineage['kind'];

/** The decision. */
export type Lineage =
  | { readonly kind: 'new' | 'compacted' | 'diverged' }
  | { readonly kind: 'continue' | 'branch'; readonly point: KnownPoint };

/** A decision, and what the next one needs. */
export interface DecidedLineage {
  readonly lineage: Lineage;
  /** How many answers the history holds. */
  readonly depth: number;
  /** The keys under which the point behind the reply to this request is to be kept. */
  keysOf(reply: AssistantMessage['content']): readonly string[];
}

/** Decides for one request. Pure but for what `known` knows; linear in the history. */
export function decideLineage(question: LineageQuestion): DecidedLineage {
  const turns = readTurns(question.messages);
  const links = linksAlong(turns, question.salt);
  const input = turns.inputs.at(-1) ?? { results: [], said: [] };
  return {
    lineage: lineageOf(turns, { links, question }),
    depth: turns.answers.length,
    keysOf: (reply) => {
      const answer = answeredOf(reply);
      return [...linksOf(links.at(-1) ?? '', { input, answer }), answerKey(question.salt, answer)];
    },
  };
}

function lineageOf(
  turns: Turns,
  { links, question }: { readonly links: readonly string[]; readonly question: LineageQuestion },
): Lineage {
  const last = turns.answers.at(-1);
  if (last === undefined) return { kind: 'new' };
  const input = turns.inputs.at(-1);
  const point = bestOf(question.known.find(links.at(-1) ?? ''), question.identity);
  // An input of nothing would be an empty message: a history that ends with an answer is no step of a conversation.
  if (point !== undefined && input !== undefined && !isEmptyInput(input)) {
    return { kind: point.continuations === 0 ? 'continue' : 'branch', point };
  }
  const alike = bestOf(question.known.find(answerKey(question.salt, last)), question.identity);
  return { kind: alike !== undefined && alike.depth > turns.answers.length ? 'compacted' : 'diverged' };
}

/**
 * Of several conversations in the very same words, the latest that nobody has continued. Where both say which
 * conversation they are, they have to agree; a client that says so only sometimes still finds its own.
 */
function bestOf(points: readonly KnownPoint[], identity: string | undefined): KnownPoint | undefined {
  const same = points.filter((point) => point.identity === identity);
  const open = points.filter((point) => identity === undefined || point.identity === undefined);
  const fitting = same.length > 0 ? same : open;
  return fitting.findLast(({ continuations }) => continuations === 0) ?? fitting.at(-1);
}

/** The key of the beginning and of the point behind each answer. */
function linksAlong({ inputs, answers }: Turns, salt: readonly string[]): readonly string[] {
  const links = [firstLink(salt)];
  answers.forEach((answer, at) => {
    const input = inputs[at];
    const before = links[at];
    if (input !== undefined && before !== undefined) links.push(nextLink(before, { input, answer }));
  });
  return links;
}
