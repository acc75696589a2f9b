import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import { type Plan, quirksOfPlan } from './plan.ts';
import type { RelayRequest } from './relay.ts';
import type { Upstream } from './setup.ts';

/** What decides whether a reply reaches the client as it was written. */
export interface PassthroughQuestion {
  /** The request as the client's wire read it. */
  readonly asked: ChatRequest;
  /** The request as the model is to see it. */
  readonly seen: ChatRequest;
  readonly plan: Plan;
  readonly upstream: Upstream;
  /** A loop of calls ends with this reply. */
  readonly stopped: boolean;
  /** Absent when whoever takes the reply cannot take it as it was written. */
  readonly target: RelayRequest | undefined;
}

/**
 * Why a reply must be read and written anew; undefined when nothing in it may have to change, so that what the upstream itself
 * has written is the best that the client can get. In words, for people. The first reason that applies.
 */
export function reasonAgainstPassthrough(question: PassthroughQuestion): string | undefined {
  const { target, upstream } = question;
  if (target !== undefined && target.wire !== upstream.wire) {
    return `the client speaks ${target.wire} and the upstream ${upstream.wire}`;
  }
  // Told last: another way to ask would change nothing where something else stands against it.
  const reason = reasonToChange(question);
  if (reason !== undefined) return reason;
  if (target === undefined) return 'the client takes no reply as it is';
  if (!question.asked.stream && upstream.answersWhole !== true) return 'the upstream may not be silent for so long';
  return undefined;
}

/**
 * What in the model, the upstream or the request would stand against it in every reply of this API. That calls might leak
 * into the text does not: where replies pass as they are, whoever answers reads its own models, or `passthrough: "always"`
 * says that nothing may be changed. The rescue works in every other reply (`rescue.ts`).
 */
function reasonToChange({ asked, seen, plan, upstream, stopped, target }: PassthroughQuestion): string | undefined {
  const { rule } = plan;
  if (rule.passthrough === 'never') return 'the model rule says never';
  if (rule.nudge.max > 0 && requiresCall(asked)) return 'the model may be asked again for a call';
  if (rule.nudge.answers === 'once' && asked.outputFormat !== undefined) return 'the model may be asked again for JSON';
  if (stopped) return 'a guard ends a loop of calls';
  if (asked.hidesReasoning === true) return 'the client wants no reasoning';
  if (plan.toolCalling !== 'native') return `calls are read from text: ${plan.toolCalling}`;
  // Whether ids had to take another form shows in the history.
  if (Object.keys(upstream.quirks).some((name) => name !== 'callIds')) return 'the upstream has quirks';
  if (
    target?.body.max_tokens !== undefined &&
    quirksOfPlan(plan, upstream).maxTokensField === 'max_completion_tokens'
  ) {
    return 'the limit on the answer has another name there';
  }
  if (changesReplies(plan)) return 'the model rule changes replies';
  if (isChanged(asked, seen)) return 'something in the request had to change';
  if (addsSampling(asked, plan)) return 'the model rule adds sampling';
  if (upstream.vendor === true) return undefined;
  if (!asked.parallelToolCalls) return 'at most one call may pass';
  if (rule.passthrough === 'always') return undefined;
  return 'not the vendor of the API answers, and the model rule does not say always';
}

const preparedFields = ['messages', 'tools', 'outputFormat', 'reasoningEffort'] as const;

function isChanged(asked: ChatRequest, seen: ChatRequest): boolean {
  return preparedFields.some((field) => seen[field] !== asked[field]);
}

function changesReplies({ rule }: Plan): boolean {
  return (
    rule.policy.maxCalls !== undefined ||
    rule.reasoning !== 'keep' ||
    rule.legacyText !== 'keep' ||
    rule.policy.textAfterCalls !== 'keep' ||
    rule.callDeltas !== 'eager' ||
    rule.textGranularity !== 'as-written' ||
    rule.callGranularity !== 'as-written'
  );
}

function addsSampling({ sampling }: ChatRequest, { rule }: Plan): boolean {
  return Object.keys(rule.sampling).some((name) => !(name in sampling));
}
