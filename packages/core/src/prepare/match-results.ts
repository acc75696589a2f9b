import type { Message, ToolCallPart, ToolMessage } from '../chat/message.ts';
import { quoteName, type Warning } from '../chat/warning.ts';
import { DragomanError } from '../errors.ts';
import type { ResultRule } from '../plan/rules.ts';
import type { MatchedCall, MatchedHistory } from './matched-history.ts';
import { type Pairing, type PlacedResult, pairResults } from './pair-results.ts';
import { capText, missingText, neverEmpty, statusOf, textWithNotes } from './result-text.ts';
import { capRound } from './shorten-results.ts';

/**
 * Gives every call of a history its result, over all rounds, by id and never by position: results may be swapped, come
 * late or even before their call. Where an id is used in several rounds, a result belongs to the nearest round before it.
 *
 * Lenient: a call without a result gets a placeholder; what becomes of a result without a call, `rule.orphans` says.
 * Strict: each of these is a reason for `invalid-tool-results`, the first hundred told at once. In both
 * modes the last of several results for one call counts, and a result without an id that could belong to several calls
 * is refused. Calls without a tool name are passed over. The input is never changed.
 */
export function matchResults(messages: readonly Message[], rule: ResultRule): MatchedHistory {
  const given = pairResults(messages);
  const reasons = rule.mode === 'strict' ? strictReasons(given) : given.ambiguous;
  if (reasons.length > 0) {
    const more = reasons.length > mostTold ? [`And ${reasons.length - mostTold} more of the kind.`] : [];
    const told = [...reasons.slice(0, mostTold).map(({ text }) => text), ...more];
    throw new DragomanError('invalid-tool-results', told.join(' '), { param: `messages[${reasons[0]?.at ?? 0}]` });
  }
  const adopted = rule.orphans === 'call' ? adoptOrphans(messages, given.orphans) : messages;
  const pairing = adopted === messages ? given : pairResults(adopted);
  const warnings: Warning[] = [...pairing.warnings];
  if (adopted !== messages) warnings.push(orphaned(given.orphans, 'got a made-up call'));
  const rounds = new Map<number, readonly MatchedCall[]>();
  for (const [at, calls] of pairing.rounds) {
    const round = calls.map(({ call, ordinal }) => {
      const result = pairing.results.get(ordinal);
      if (result === undefined) warnings.push(missing(call));
      return { call, ordinal, ...outcome(result?.message, { rule, warnings }), ...(result && { result }) };
    });
    const capped = capRound(round, rule.maxRoundLength);
    if (capped !== round) warnings.push(roundCapped(round.length, rule.maxRoundLength));
    rounds.set(at, capped);
  }
  return { messages: adopted, rounds, orphans: keepOrphans(pairing, { rule, warnings }), warnings };
}

/** What is wrong with a history's tool results, one sentence each; empty when every call has exactly its result. */
export function validateToolResults(messages: readonly Message[]): readonly string[] {
  return strictReasons(pairResults(messages)).map((reason) => reason.text);
}

/** The most ids that a message names. */
const mostNamed = 10;

/** The most reasons that a refusal tells. */
const mostTold = 100;

interface Ruling {
  readonly rule: ResultRule;
  /** Takes what had to be repaired. */
  readonly warnings: Warning[];
}

function outcome(
  message: ToolMessage | undefined,
  { rule, warnings }: Ruling,
): Pick<MatchedCall, 'status' | 'text' | 'whole' | 'images' | 'capped'> {
  if (message === undefined) {
    return { status: 'missing', text: missingText, whole: missingText, images: [], capped: false };
  }
  const text = textWithNotes(message.content);
  const isLong = rule.maxLength > 0 && text.length > rule.maxLength;
  if (isLong) warnings.push(capped(message, rule.maxLength));
  const status = statusOf(message, { text, errorPrefix: rule.errorPrefix });
  const images = message.content.filter((part) => part.type === 'image');
  const whole = neverEmpty(text, status);
  return { status, text: capText(whole, rule.maxLength), whole, images, capped: isLong };
}

function keepOrphans(pairing: Pairing, options: Ruling): ReadonlyMap<number, string> {
  const kept = new Map<number, string>();
  if (pairing.orphans.length === 0) return kept;
  const { orphans } = options.rule;
  const keep = orphans === 'text' || (orphans === 'auto' && pairing.results.size === 0);
  for (const { at, message } of pairing.orphans) {
    if (!keep) continue;
    const { text } = outcome(message, options);
    kept.set(at, `Result of an earlier call of ${message.name ?? 'unknown_tool'}:\n${text}`);
  }
  options.warnings.push(orphaned(pairing.orphans, keep ? 'were kept as context' : 'were left out'));
  return kept;
}

function orphaned(orphans: readonly PlacedResult[], outcome: string): Warning {
  const ids = orphans.slice(0, mostNamed).map(({ message }) => quoteName(message.callId));
  const more = orphans.length > mostNamed ? ', …' : '';
  return {
    code: 'result-orphan',
    message: `${orphans.length} tool result(s) belong to no call and ${outcome}: ${ids.join(', ')}${more}.`,
  };
}

function capped(message: ToolMessage, maxLength: number): Warning {
  return {
    code: 'result-capped',
    message: `The result for the call ${quoteName(message.callId)} was shortened: it has more than ${maxLength} characters (results.maxLength).`,
  };
}

function roundCapped(results: number, maxRoundLength: number): Warning {
  return {
    code: 'result-capped',
    message: `Results of a round were shortened: the ${results} have more than ${maxRoundLength} characters together (results.maxRoundLength).`,
  };
}

function missing(call: ToolCallPart): Warning {
  return {
    code: 'result-missing',
    message: `The call ${quoteName(call.callId)} of ${call.name} has no result; a placeholder stands for it.`,
  };
}

function strictReasons(pairing: Pairing): readonly { readonly at: number; readonly text: string }[] {
  const reasons = [...pairing.ambiguous];
  for (const { at, message } of pairing.orphans) {
    const id = message.callId === '' ? 'no tool_call_id' : `tool_call_id ${quoteName(message.callId)}`;
    const why = pairing.rounds.size === 0 ? 'no assistant message with calls precedes it' : 'no call has that id';
    reasons.push({ at, text: `messages[${at}]: a tool result with ${id} belongs to no call (${why}).` });
  }
  for (const { at, message } of pairing.results.values()) {
    if (message.content.length === 0) reasons.push({ at, text: `messages[${at}]: the tool result has no content.` });
  }
  for (const [at, calls] of pairing.rounds) {
    for (const { call, ordinal } of calls) {
      if (pairing.results.has(ordinal)) continue;
      reasons.push({ at, text: `messages[${at}]: the call ${quoteName(call.callId)} of ${call.name} has no result.` });
    }
  }
  return reasons.sort((left, right) => left.at - right.at);
}

/** What a made-up call is called when its result does not name its tool. */
const unknownTool = 'unknown_tool';

/**
 * The history with a made-up call, without arguments, before each result that has none; results that stand side by
 * side share one assistant message. The same array if there are no such results.
 */
function adoptOrphans(messages: readonly Message[], orphans: readonly PlacedResult[]): readonly Message[] {
  if (orphans.length === 0) return messages;
  const places = new Map(orphans.map(({ at, message }) => [at, message]));
  const adopted: Message[] = [];
  let calls: ToolCallPart[] | undefined;
  for (const [at, message] of messages.entries()) {
    const orphan = places.get(at);
    if (orphan === undefined) {
      calls = undefined;
      adopted.push(message);
      continue;
    }
    if (calls === undefined) {
      calls = [];
      adopted.push({ role: 'assistant', content: calls });
    }
    const callId = orphan.callId === '' ? `call_orphan_${at}` : orphan.callId;
    const name = orphan.name === undefined || orphan.name.trim() === '' ? unknownTool : orphan.name;
    calls.push({ type: 'tool-call', callId, name, arguments: '{}' });
    adopted.push(callId === orphan.callId ? orphan : { ...orphan, callId });
  }
  return adopted;
}
