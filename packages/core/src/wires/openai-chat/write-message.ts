import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import type { ReplyContext } from '../wire.ts';
import { writeUsage } from '../write-openai-usage.ts';
import type { WireCompletion } from './types.ts';
import { writeFinishReason } from './write-finish-reason.ts';

export interface MessageWriterOptions {
  /** `content` of an answer that has calls and no text. Default: `null`. */
  readonly emptyContent?: null | '';
}

/** A whole answer out of its events. Reasoning stands beside the content, usage wherever it is known. */
export function writeMessage(
  events: readonly ChatEvent[],
  context: ReplyContext,
  options: MessageWriterOptions = {},
): WireCompletion {
  const message = collect(events);
  const { calls, text, reasoning, usage } = message;
  const emptyContent = options.emptyContent === undefined ? null : options.emptyContent;
  return {
    id: `chatcmpl-${context.replyId}`,
    object: 'chat.completion',
    created: context.created,
    model: context.request.model,
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? emptyContent : text,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  id: call.callId,
                  type: 'function',
                  function: { name: call.name, arguments: call.arguments },
                })),
              }),
        },
        logprobs: null,
        finish_reason: writeFinishReason(message.finishReason ?? 'length', calls.length),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  };
}
