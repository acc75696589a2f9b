import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import type { GuardRule } from '../plan/rules.ts';
import { readToolRounds, type ToolRound, type ToolRounds } from './tool-rounds.ts';

/** The rule with everything filled in; 0 switches a guard off. */
export interface GuardLimits {
  readonly rounds: number;
  readonly note: number;
  readonly stop: number;
}

/** Nothing is guarded. */
export const noGuards: GuardLimits = { rounds: 0, note: 0, stop: 0 };

/** What the guards found in a history, and what they made of it. */
export interface LoopDecision {
  readonly limits: GuardLimits;
  /** Rounds since somebody last asked for something. */
  readonly rounds: number;
  /** So many of the last ones were the same. */
  readonly repeats: number;
  /** `stop`: the model is asked once more, without tools. `note`: it is told that it repeats itself. */
  readonly decision: 'go on' | 'note' | 'stop';
}

/** A request that the guards have looked at: the very same one when they have nothing to say. */
export interface GuardedRequest {
  readonly request: ChatRequest;
  readonly loop: LoopDecision;
  /** The loop ends here: what the client is told behind the model's last words. */
  readonly notice?: string;
  readonly warnings: readonly Warning[];
}

/**
 * The guards of a model. Agents run hundreds of rounds and ask the same thing again while they wait, so by default
 * nothing is ended, and a native model hears nothing from us. One that reads its tools as text repeats itself more
 * easily and is told. Platforms that keep the conversation are the exception: every round is a message in an account of
 * somebody's, and there a loop ends.
 */
export function guardLimits(
  { rounds, repeats }: GuardRule,
  model: { readonly readsText: boolean; readonly keepsConversation: boolean },
): GuardLimits {
  return {
    rounds: rounds ?? (model.keepsConversation ? 20 : 0),
    note: (repeats ?? model.readsText) ? 3 : 0,
    stop: (repeats ?? model.keepsConversation) ? 6 : 0,
  };
}

/**
 * Looks for loops in a request's history. Notes come after the results that they speak of: the same ones in every later
 * request, so that prompt caches go on to work. Where a loop ends, the model is asked once more, and whatever it calls
 * then is held back; the tools stay in its prompt for the caches' sake.
 */
export function guardLoop(
  request: ChatRequest,
  { limits, readsText }: { readonly limits: GuardLimits; readonly readsText: boolean },
): GuardedRequest {
  const isOff = Math.max(limits.rounds, limits.note, limits.stop) === 0;
  const { all, current }: ToolRounds = isOff ? { all: [] } : readToolRounds(request.messages);
  const found = { limits, rounds: current?.number ?? 0, repeats: current?.repeats ?? 0 };
  const notes = repeatNotes(all, limits);
  const reason = request.tools.length === 0 ? undefined : reasonToStop(found);
  if (reason === undefined || current === undefined) {
    const tells = current !== undefined && notes.has(current.lastResult);
    return {
      request: withNotes(request, notes),
      loop: { decision: tells ? 'note' : 'go on', ...found },
      warnings: tells ? [{ code: 'loop-noted', message: `${repeated(found.repeats)}; the model was told.` }] : [],
    };
  }
  notes.set(current.lastResult, `[Note: ${reason}. ${lastWords}]`);
  const toolChoice = readsText ? 'auto' : 'none';
  return {
    request: { ...withNotes(request, notes), toolChoice },
    loop: { decision: 'stop', ...found },
    notice: `[${reason}, so no further tool was called. Send a message to go on.]`,
    warnings: [{ code: 'loop-stopped', message: `${reason}; the model was asked for its last words.` }],
  };
}

const lastWords =
  'No tool can be called any more. Answer now in words: what you have found out and done, and what is left to do.';

const repeated = (times: number) => `The same calls were made ${times} times in a row with the same results`;

function reasonToStop({ limits, rounds, repeats }: Omit<LoopDecision, 'decision'>): string | undefined {
  if (limits.stop > 0 && repeats >= limits.stop) return repeated(repeats);
  if (limits.rounds > 0 && rounds >= limits.rounds) {
    return `The limit of ${limits.rounds} rounds of tool calls for one request is reached`;
  }
  return undefined;
}

/** By the index of the message that they stand after. */
function repeatNotes(rounds: readonly ToolRound[], { note }: GuardLimits): Map<number, string> {
  const told = note === 0 ? [] : rounds.filter(({ repeats }) => repeats >= note);
  return new Map(
    told.map(({ lastResult, repeats }) => [
      lastResult,
      `[Note: ${repeated(repeats)}. Do not make them again: use what is above, or do something else.]`,
    ]),
  );
}

/** Where a round has no result to come after, the note is the last message. */
function withNotes(request: ChatRequest, notes: ReadonlyMap<number, string>): ChatRequest {
  if (notes.size === 0) return request;
  const messages = request.messages.map((message, at): Message => {
    const note = notes.get(at);
    return note === undefined || message.role !== 'tool' ? message : { ...message, note };
  });
  const astray = notes.get(-1);
  if (astray !== undefined) messages.push({ role: 'user', content: [{ type: 'text', text: astray }] });
  return { ...request, messages };
}
