import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import type { WarningCode } from '../chat/warning.ts';
import type { ParsePolicy } from '../dialects/parse-policy.ts';
import type { CallPolicy, NudgeRule } from './rules.ts';

/**
 * What a parser decides by for this request: it allows no more calls than the client, none with `tool_choice` `none`, and
 * only those of the tool that the client names. None of an undeclared tool is passed on to a client that declared no tools or
 * would run one which the model is not to call, or where the model will be asked again for the call that it requires.
 */
export function parsePolicyOf(
  request: Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls' | 'tools' | 'toolsWithheld'>,
  { policy: { textAfterCalls: _, ...policy }, nudge }: { readonly policy: CallPolicy; readonly nudge: NudgeRule },
): Partial<ParsePolicy> {
  const maxCalls = mostCallsOf(request, policy);
  const isAskedAgain = requiresCall(request) && nudge.max > 0;
  const mayForward = request.tools.length > 0 && request.toolsWithheld !== true && !isAskedAgain;
  const own = mayForward ? policy : onlyDeclared(policy);
  return { ...own, ...onlyNamed(request), ...(maxCalls === undefined ? {} : { maxCalls }) };
}

/** The most calls that a reply may have, as the client and the model's policy want it; undefined: any number. */
export function mostCallsOf(
  request: Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'>,
  { maxCalls }: Pick<CallPolicy, 'maxCalls'>,
): number | undefined {
  if (request.toolChoice === 'none') return 0;
  return request.parallelToolCalls ? maxCalls : Math.min(1, maxCalls ?? 1);
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
  return event.type === 'warning' && unwanted.includes(event.warning.code);
}

const unwanted: readonly WarningCode[] = ['call-undeclared', 'call-surplus'];
