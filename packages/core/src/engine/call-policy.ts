import type { ChatEvent } from '../chat/event.ts';
import type { IssueCode } from '../chat/issue.ts';
import { owesCall } from '../chat/owes-call.ts';
import type { ChatRequest } from '../chat/request.ts';
import { defaultParsePolicy, type ParsePolicy, policyWords } from '../dialects/parse-policy.ts';
import { mostCallsOf } from './limit-calls.ts';
import type { NudgeRule } from './nudge.ts';

const { answers: __, ...parserWords } = policyWords;

/** The words that each field of a `CallPolicy` may be, where it is one of several. */
export const callPolicyWords = { ...parserWords, textAfterCalls: ['keep', 'drop'] } as const;

/**
 * What a model rule decides of calls: what counts as one, and what becomes of what does not. Whoever reads text decides by
 * most of it (`ParsePolicy` says how); two fields are also decided behind that, for native replies as well.
 */
export interface CallPolicy extends Omit<ParsePolicy, 'names' | 'only' | 'maxCalls' | 'answers'> {
  /**
   * Whole calls in reasoning, where a reply ends well without any other call: never run, and not told; not run, but told
   * if the reply holds no answer either; or run.
   */
  readonly reasoning: ParsePolicy['reasoning'];
  /** As the parser's, but passed on by default: clients answer a call of an unknown tool with the names of those they have. */
  readonly undeclared: ParsePolicy['undeclared'];
  /** As the parser's, but left out by default: whoever asked for fewer calls has no use for the markup of more. */
  readonly surplus: ParsePolicy['surplus'];
  /** Default: the dialect's own. */
  readonly names?: ParsePolicy['names'];
  /** Default: as many as the client allows. */
  readonly maxCalls?: number;
  /** Text that a model writes after a call: delivered, or left out with a warning. */
  readonly textAfterCalls: (typeof callPolicyWords.textAfterCalls)[number];
}

const { maxCalls: _, ...byParser } = defaultParsePolicy;

/** What holds where a model rule says nothing. */
export const defaultCallPolicy: CallPolicy = {
  ...byParser,
  undeclared: 'forward',
  surplus: 'drop',
  textAfterCalls: 'keep',
};

/**
 * What a parser decides by for this request: it allows no more calls than the client, none with `tool_choice` `none`, and
 * only those of the tool that the client names. None of an undeclared tool is passed on to a client that declared no tools or
 * would run one which the model is not to call, or where the model will be asked again for the call that it owes.
 */
export function parsePolicyOf(
  request: Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls' | 'tools' | 'toolsWithheld'>,
  { policy: { textAfterCalls: _, ...policy }, nudge }: { readonly policy: CallPolicy; readonly nudge: NudgeRule },
): Partial<ParsePolicy> {
  const maxCalls = mostCallsOf(request, policy);
  const isAskedAgain = owesCall(request) && nudge.max > 0;
  const mayForward = request.tools.length > 0 && request.toolsWithheld !== true && !isAskedAgain;
  const own = mayForward ? policy : onlyDeclared(policy);
  return { ...own, ...onlyNamed(request), ...(maxCalls === undefined ? {} : { maxCalls }) };
}

/** The tool that the client names, if it has declared it. */
export function onlyNamed({ toolChoice, tools }: Pick<ChatRequest, 'toolChoice' | 'tools'>): Pick<ParsePolicy, 'only'> {
  if (typeof toolChoice !== 'object' || !tools.some(({ name }) => name === toolChoice.name)) return {};
  return { only: toolChoice.name };
}

/** The same policy, under which no call of an undeclared tool fires. */
export function onlyDeclared<Policy extends Partial<ParsePolicy>>(policy: Policy): Policy {
  return policy.undeclared === 'forward' ? { ...policy, undeclared: 'text' } : policy;
}

/** Tells this event of a call that is none the client wants: of a tool that it did not declare or name, or one too many? */
export function tellsUnwanted(event: ChatEvent): boolean {
  return event.type === 'warning' && unwanted.includes(event.issue.code);
}

const unwanted: readonly IssueCode[] = ['call-undeclared', 'call-surplus'];
