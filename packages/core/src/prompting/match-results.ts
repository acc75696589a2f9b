import type { Issue } from '../chat/issue.ts';
import type { ImagePart, Message, ToolCallPart, ToolMessage } from '../chat/message.ts';
import type { ResultStatus } from '../chat/tool.ts';
import { GatewayError } from '../errors.ts';
import { type Pairing, pairResults } from './pair-results.ts';
import { capText, missingText, neverEmpty, statusOf, textWithNotes } from './result-text.ts';
import type { ResultRule } from './rules.ts';

/** A call of the history with its outcome. */
export interface MatchedCall {
  readonly call: ToolCallPart;
  /** Position among all named calls of the conversation, from zero. */
  readonly ordinal: number;
  readonly status: ResultStatus;
  /** The output: capped, never empty, with notes for pictures; not neutralised. */
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/** The calls of a history with their results, and what had to be mended. */
export interface MatchedHistory {
  /** By the index of the assistant message: its named calls in their order, each with its outcome. */
  readonly rounds: ReadonlyMap<number, readonly MatchedCall[]>;
  /** By the index of the tool message: results without a call whose text is kept as context. */
  readonly orphans: ReadonlyMap<number, string>;
  readonly issues: readonly Issue[];
}

/**
 * Gives every call of a history its result, over all rounds, by id and never by position: results may be swapped, come
 * late or even before their call. Where an id is used in several rounds, a result belongs to the nearest round before it.
 *
 * Lenient: a call without a result gets a placeholder; a result without a call is left out if other results found
 * theirs, else kept as context. Strict: each of these is a reason for `invalid-tool-results`, all told at once. In both
 * modes the last of several results for one call counts, and a result without an id that could belong to several calls
 * is refused. Calls without a tool name are passed over. The input is never changed.
 */
export function matchResults(messages: readonly Message[], rule: ResultRule): MatchedHistory {
  const pairing = pairResults(messages);
  const reasons = rule.mode === 'strict' ? strictReasons(pairing) : pairing.ambiguous;
  if (reasons.length > 0) {
    throw new GatewayError('invalid-tool-results', reasons.map((reason) => reason.text).join(' '), {
      param: `messages[${reasons[0]?.at ?? 0}]`,
    });
  }
  const issues: Issue[] = [...pairing.issues];
  const rounds = new Map<number, readonly MatchedCall[]>();
  for (const [at, calls] of pairing.rounds) {
    rounds.set(
      at,
      calls.map(({ call, ordinal }) => {
        const message = pairing.results.get(ordinal)?.message;
        if (message === undefined) issues.push(missing(call));
        return { call, ordinal, ...outcome(message, { rule, issues }) };
      }),
    );
  }
  return { rounds, orphans: keepOrphans(pairing, { rule, issues }), issues };
}

/** What is wrong with a history's tool results, one sentence each; empty when every call has exactly its result. */
export function validateToolResults(messages: readonly Message[]): readonly string[] {
  return strictReasons(pairResults(messages)).map((reason) => reason.text);
}

interface Ruling {
  readonly rule: ResultRule;
  /** Takes what had to be mended. */
  readonly issues: Issue[];
}

function outcome(
  message: ToolMessage | undefined,
  { rule, issues }: Ruling,
): Pick<MatchedCall, 'status' | 'text' | 'images'> {
  if (message === undefined) return { status: 'missing', text: missingText, images: [] };
  const text = textWithNotes(message.content);
  if (rule.maxLength > 0 && text.length > rule.maxLength) issues.push(capped(message, rule.maxLength));
  const status = statusOf(message, { text, errorPrefix: rule.errorPrefix });
  const images = message.content.filter((part) => part.type === 'image');
  return { status, text: neverEmpty(capText(text, rule.maxLength), status), images };
}

function keepOrphans(pairing: Pairing, options: Ruling): ReadonlyMap<number, string> {
  const kept = new Map<number, string>();
  if (pairing.orphans.length === 0) return kept;
  const keep = pairing.results.size === 0;
  for (const { at, message } of pairing.orphans) {
    if (!keep) continue;
    const { text } = outcome(message, options);
    kept.set(at, `Result of an earlier call of ${message.name ?? 'unknown_tool'}:\n${text}`);
  }
  const ids = pairing.orphans.map(({ message }) => `"${message.callId}"`).join(', ');
  options.issues.push({
    code: 'result-orphan',
    message: `${pairing.orphans.length} tool result(s) belong to no call and were ${keep ? 'kept as context' : 'left out'}: ${ids}.`,
  });
  return kept;
}

function capped(message: ToolMessage, maxLength: number): Issue {
  return {
    code: 'result-capped',
    message: `The result for the call "${message.callId}" is longer than ${maxLength} characters and was capped.`,
  };
}

function missing(call: ToolCallPart): Issue {
  return {
    code: 'result-missing',
    message: `The call "${call.callId}" of ${call.name} has no result; a placeholder stands for it.`,
  };
}

function strictReasons(pairing: Pairing): readonly { readonly at: number; readonly text: string }[] {
  const reasons = [...pairing.ambiguous];
  for (const { at, message } of pairing.orphans) {
    const id = message.callId === '' ? 'no tool_call_id' : `tool_call_id "${message.callId}"`;
    const why = pairing.rounds.size === 0 ? 'no assistant message with calls precedes it' : 'no call has that id';
    reasons.push({ at, text: `messages[${at}]: a tool result with ${id} belongs to no call (${why}).` });
  }
  for (const { at, message } of pairing.results.values()) {
    if (message.content.length === 0) reasons.push({ at, text: `messages[${at}]: the tool result has no content.` });
  }
  for (const [at, calls] of pairing.rounds) {
    for (const { call, ordinal } of calls) {
      if (pairing.results.has(ordinal)) continue;
      reasons.push({ at, text: `messages[${at}]: the call "${call.callId}" of ${call.name} has no result.` });
    }
  }
  return reasons.sort((left, right) => left.at - right.at);
}
