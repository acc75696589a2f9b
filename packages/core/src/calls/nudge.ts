import type { AssistantMessage } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import { quoteName, type Warning } from '../chat/warning.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { RenderedRequest } from '../prepare/render-request.ts';

/** What the model may be asked for again, and how often at most. */
export interface Nudges {
  readonly required: 'call' | 'answer';
  readonly most: number;
  /** A reply waits until it is known not to lack it, since only one of them can be the JSON that the client reads. */
  readonly holds: boolean;
}

/** What a reply to the request may lack so that the model is asked again; undefined when it never is. */
export function nudgesOf(rendered: RenderedRequest, { toolCalling }: EngineSetup): Nudges | undefined {
  const { plan, guarded } = rendered;
  const { max, answers } = plan.rule.nudge;
  const isForm = rendered.asked.outputFormat !== undefined;
  if (toolCalling && requiresCall(guarded.request)) {
    return max === 0 ? undefined : { required: 'call', most: max, holds: isForm };
  }
  const isNudged = answers === 'once' || (answers === 'auto' && rendered.formTaught && !rendered.asked.stream);
  return isForm && isNudged ? { required: 'answer', most: 1, holds: true } : undefined;
}

/** The words that ask for a call. */
export function askForCall({ asked: { toolChoice }, nonce }: Pick<RenderedRequest, 'asked' | 'nonce'>): string {
  const seen = (name: string) => quoteName(nonce?.nameOf(name) ?? name);
  const required = typeof toolChoice === 'object' ? `the tool ${seen(toolChoice.name)}` : 'one of the tools';
  return `Your reply lacks the call that is needed now. Call ${required}, and write nothing else.`;
}

/** Tells that it was asked for. */
export const askedForCall: Warning = {
  code: 'call-nudged',
  message: 'The request needs a call, and the reply lacked it; the model was asked for it once more.',
};

/** The words that ask for an answer again. */
export function askForAnswer(missed: Warning): string {
  return `Your answer cannot be used. ${missed.message} Write the whole answer again as one JSON value and nothing else.`;
}

/** The request that asks again in these words, after what the model has said so far. */
export function nudged(request: ChatRequest, said: AssistantMessage['content'], words: string): ChatRequest {
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: said },
      { role: 'user', content: [{ type: 'text', text: words }] },
    ],
  };
}
