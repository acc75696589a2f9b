import type { ChatRequest } from '../chat/request.ts';
import { promptText } from './count-usage.ts';
import { planRequest } from './plan.ts';
import { prepareRequest } from './prepare.ts';
import type { EngineSetup } from './setup.ts';

/**
 * How many tokens a request's prompt has as its upstream would see it, tools and placed system text included; sends
 * nothing. Pictures do not count. Rejects as `planRequest` and `prepareRequest` throw.
 */
export async function countRequestTokens(request: ChatRequest, setup: EngineSetup): Promise<number> {
  const prepared = prepareRequest(request, { plan: planRequest(request, setup), setup });
  return setup.countTokens(promptText(prepared.request));
}
