import type { ChatRequest } from '../chat/request.ts';
import { defaultParsePolicy, type ParsePolicy } from '../dialects/parse-policy.ts';
import { mostCallsOf } from './limit-calls.ts';

/**
 * What a model rule decides of calls: what counts as one, and what becomes of what does not. Whoever reads text decides by
 * most of it (`ParsePolicy` says how); two fields are also decided behind that, for native replies as well.
 */
export interface CallPolicy extends Omit<ParsePolicy, 'names' | 'maxCalls' | 'answers'> {
  /**
   * Whole calls in reasoning, where a reply ends well without any other call: never run, and not told; not run, but told
   * if the reply holds no answer either; or run.
   */
  readonly reasoning: ParsePolicy['reasoning'];
  /** Default: the dialect's own. */
  readonly names?: ParsePolicy['names'];
  /** Default: as many as the client allows. */
  readonly maxCalls?: number;
  /** Text that a model writes after a call: delivered, or left out with a warning. */
  readonly textAfterCalls: 'keep' | 'drop';
}

const { maxCalls: _, ...byParser } = defaultParsePolicy;

/** What holds where a model rule says nothing. */
export const defaultCallPolicy: CallPolicy = { ...byParser, textAfterCalls: 'keep' };

/** What a parser decides by for this request: it allows no more calls than the client, and none with `tool_choice` `none`. */
export function parsePolicyOf(
  request: Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'>,
  { textAfterCalls: _, ...policy }: CallPolicy,
): Partial<ParsePolicy> {
  const maxCalls = mostCallsOf(request, policy);
  return { ...policy, ...(maxCalls === undefined ? {} : { maxCalls }) };
}
