import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { finishWithoutCalls } from '../finish-without-calls.ts';
import type { ReplyContext } from '../wire.ts';
import { writeUsage } from '../write-openai-usage.ts';
import { promptOf } from './prompt-of.ts';
import type { WireCompletion } from './types.ts';
import { Unsaid } from './unsaid.ts';

/** A whole answer out of its events: its text, after the prompt where the client asked for an echo. */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext): WireCompletion {
  const unsaid = new Unsaid(context);
  for (const event of events) unsaid.see(event);
  const { text, usage, finishReason = 'length' } = collect(events);
  const prompt = promptOf(context.request);
  return {
    id: `cmpl-${context.replyId}`,
    object: 'text_completion',
    created: context.created,
    model: context.request.model,
    choices: [
      {
        text: prompt?.echo === true ? prompt.text + text : text,
        index: 0,
        logprobs: null,
        finish_reason: finishWithoutCalls(finishReason),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  };
}
