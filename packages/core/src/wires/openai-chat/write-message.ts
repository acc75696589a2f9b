import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import type { TextPart } from '../../chat/message.ts';
import type { ToolCall } from '../../chat/tool.ts';
import { unwrapInput } from '../free-input.ts';
import type { ReplyContext } from '../wire.ts';
import { writeUsage } from '../write-openai-usage.ts';
import { type CallForm, callFormOf, customNames } from './call-form.ts';
import { probabilitiesIn } from './probabilities.ts';
import type { WireCompletion, WireCustomCall, WireProbabilities, WireToolCall } from './types.ts';
import { type ConversationFieldOptions, writeConversation } from './write-conversation.ts';
import { writeFinishReason } from './write-finish-reason.ts';

export interface MessageWriterOptions extends ConversationFieldOptions {
  /** `content` of an answer that has calls and no text. Default: `null`. */
  readonly emptyContent?: null | '';
}

/** A whole answer out of its events. Reasoning is beside the content, usage wherever it is known. */
export function writeMessage(
  events: readonly ChatEvent[],
  context: ReplyContext,
  options: MessageWriterOptions = {},
): WireCompletion {
  const message = collect(events);
  const { calls, reasoning, usage } = message;
  const text = textOf(message, 'text');
  const refusal = textOf(message, 'refusal');
  const form = callFormOf(context.request);
  const emptyContent = options.emptyContent === undefined ? null : options.emptyContent;
  const isSilent = text === '' && (calls.length > 0 || refusal !== '');
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
          content: isSilent ? emptyContent : text,
          refusal: refusal === '' ? null : refusal,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...writeCalls(calls, { form, custom: customNames(context.request) }),
        },
        logprobs: probabilitiesOf(message),
        finish_reason: writeFinishReason(message.finishReason ?? 'length', { wholeCalls: calls.length, form }),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
    ...writeConversation(message.conversation, options),
  };
}

/** What it says, and what it says instead of an answer. */
function textOf({ content }: CollectedMessage, kind: 'text' | 'refusal'): string {
  const isWanted = (part: TextPart) => (part.refusal === true) === (kind === 'refusal');
  return content.flatMap((part) => (part.type === 'text' && isWanted(part) ? [part.text] : [])).join('');
}

function probabilitiesOf({ content }: CollectedMessage): WireProbabilities | null {
  const listOf = (isRefusal: boolean) =>
    content.flatMap((part) =>
      part.type === 'text' && (part.refusal === true) === isRefusal ? (probabilitiesIn(part.extra) ?? []) : [],
    );
  const [ofText, ofRefusal] = [listOf(false), listOf(true)];
  if (ofText.length === 0 && ofRefusal.length === 0) return null;
  return { content: ofText.length === 0 ? null : ofText, refusal: ofRefusal.length === 0 ? null : ofRefusal };
}

/** The older form has room for one call; whoever reads it asked for no more. */
function writeCalls(
  calls: readonly ToolCall[],
  { form, custom }: { readonly form: CallForm; readonly custom: ReadonlySet<string> },
): Pick<WireCompletion['choices'][number]['message'], 'tool_calls' | 'function_call'> {
  const [first] = calls;
  if (first === undefined) return {};
  if (form === 'function') return { function_call: { name: first.name, arguments: first.arguments } };
  return {
    tool_calls: calls.map((call) => writeCall(call, custom.has(call.name))),
  };
}

function writeCall({ callId: id, name, arguments: json }: ToolCall, isCustom: boolean): WireToolCall | WireCustomCall {
  if (isCustom) return { id, type: 'custom', custom: { name, input: unwrapInput(json) } };
  return { id, type: 'function', function: { name, arguments: json } };
}
