import { acceptedConstraints, type ChatRequest, type EngineSetup, type Plan } from '@dragoman/core';

/** Whether the server may be told what the model may write, and nobody knows yet whether it takes that. */
export function dependsOnServer(request: ChatRequest, plan: Plan, setup: EngineSetup): boolean {
  return mayBeHeld(request, plan) && acceptedConstraints(plan, setup) === undefined;
}

function mayBeHeld({ tools, toolChoice, outputFormat }: ChatRequest, { rule }: Plan): boolean {
  const { constrainCalls: mode } = rule;
  if (tools.length === 0 || toolChoice === 'none' || mode === 'off') return false;
  if (toolChoice !== 'auto' || outputFormat !== undefined) return true;
  return mode === 'choice' || mode === 'free' || tools.some(({ strict }) => strict === true);
}
