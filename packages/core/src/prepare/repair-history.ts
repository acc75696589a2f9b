import type { AssistantMessage, Message, ToolMessage } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import type { ResultRule } from '../plan/rules.ts';
import { matchResults } from './match-results.ts';
import type { MatchedCall, MatchedHistory } from './matched-history.ts';
import { mergeTurns } from './merge-turns.ts';

/** What a history has to be like for an upstream that takes calls and results as fields. */
export interface RepairRule {
  readonly results: ResultRule;
  /** Whether neighbours of one role become one message. */
  readonly mergeRoles: boolean;
}

/** A history in order, and what had to be repaired. */
export interface RepairedHistory {
  readonly messages: readonly Message[];
  readonly warnings: readonly Warning[];
}

/**
 * A history as strict upstreams take it: every call has exactly one result directly after it, no result is without a
 * call, no call without a name, no message empty. What was between call and result follows. Results are matched and
 * judged as `matchResults` does, which also throws. A history that is in order is the same array.
 */
export function repairHistory(messages: readonly Message[], { results, mergeRoles }: RepairRule): RepairedHistory {
  const inOrder = isInOrder(messages);
  const judged = !inOrder || results.mode === 'strict' || results.maxLength > 0 || results.maxRoundLength > 0;
  const matched = judged ? matchResults(messages, results) : undefined;
  const untouched = matched === undefined || (inOrder && matched.warnings.length === 0);
  const repaired = untouched ? { messages, warnings: [] } : rebuild(matched);
  if (!mergeRoles || !hasNeighbours(repaired.messages)) return repaired;
  return { ...repaired, messages: mergeTurns(repaired.messages.map((message) => ({ message, made: true }))) };
}

/** Whether nothing has to be repaired, without remembering anything beyond one round of calls. */
function isInOrder(messages: readonly Message[]): boolean {
  const waiting = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.callId)) return false;
      continue;
    }
    if (waiting.size > 0 || isEmpty(message)) return false;
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      if (part.callId === '' || part.name.trim() === '' || waiting.has(part.callId)) return false;
      waiting.add(part.callId);
    }
  }
  return waiting.size === 0;
}

function rebuild(matched: MatchedHistory): RepairedHistory {
  const warnings = [...matched.warnings];
  const { messages, rounds, orphans } = matched;
  const repaired: Message[] = [];
  // A conversation in which nobody asks anything is for the upstream to judge.
  const asks = orphans.size > 0 || messages.some((message) => message.role === 'user' && !isEmpty(message));
  const question = asks ? -1 : messages.findLastIndex(({ role }) => role === 'user');
  let moved = 0;
  let empty = 0;
  for (const [at, message] of messages.entries()) {
    const round = rounds.get(at) ?? [];
    const orphan = orphans.get(at);
    const kept = message.role === 'assistant' ? withNamedCalls(message) : message;
    if (orphan !== undefined) repaired.push({ role: 'user', content: [{ type: 'text', text: orphan }] });
    if (kept.role === 'tool') continue;
    if (isEmpty(kept) && at !== question) empty += 1;
    else repaired.push(kept, ...round.map(resultOf));
    moved += round.filter(({ result }) => result !== undefined && isAstray(result.at - at, round.length)).length;
  }
  if (moved > 0) {
    warnings.push({ code: 'result-moved', message: `${moved} tool result(s) were put directly after their calls.` });
  }
  if (empty > 0)
    warnings.push({ code: 'message-empty', message: `${empty} message(s) without content were left out.` });
  return { messages: repaired, warnings };
}

/** Whether a result stands so many messages after its calls that something else came between. */
function isAstray(distance: number, calls: number): boolean {
  return distance < 1 || distance > calls;
}

function withNamedCalls(message: AssistantMessage): AssistantMessage {
  const isNamed = (part: AssistantMessage['content'][number]) => part.type !== 'tool-call' || part.name.trim() !== '';
  return message.content.every(isNamed) ? message : { ...message, content: message.content.filter(isNamed) };
}

function resultOf({ call, text, images, result, capped }: MatchedCall): ToolMessage {
  if (result === undefined) return { role: 'tool', callId: call.callId, content: [{ type: 'text', text }] };
  const { message } = result;
  if (capped) return { ...message, callId: call.callId, content: [{ type: 'text', text }, ...images] };
  return message.callId === call.callId ? message : { ...message, callId: call.callId };
}

/** Whether a message says nothing at all; what only a wire knows of it may be something. */
function isEmpty({ role, content, extra }: Message): boolean {
  if (role === 'tool' || extra !== undefined) return false;
  return content.every((part) => part.type === 'text' && part.text === '' && part.extra === undefined);
}

function hasNeighbours(messages: readonly Message[]): boolean {
  return messages.some(({ role }, at) => (role === 'user' || role === 'assistant') && messages[at + 1]?.role === role);
}
