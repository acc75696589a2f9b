import type { CollectedMessage } from './collect.ts';
import type { ChatEvent } from './event.ts';
import type { ReasoningPart, TextPart } from './message.ts';

/**
 * A collected message as events again: each block in one delta, then warnings, usage and the terminal event.
 * `collect(replayMessage(message))` equals `message`. A message that neither ended nor failed replays without a terminal event.
 */
export function replayMessage(message: CollectedMessage): ChatEvent[] {
  const events: ChatEvent[] = [{ type: 'message-start', id: message.id, model: message.model }];
  message.content.forEach((part, block) => {
    switch (part.type) {
      case 'text':
        events.push({ type: 'text-start', block, ...(part.refusal === true ? { refusal: true } : {}) });
        events.push({ type: 'text-delta', block, text: part.text });
        events.push({ type: 'text-end', block, ...told(part) });
        break;
      case 'reasoning':
        events.push({ type: 'reasoning-start', block }, { type: 'reasoning-delta', block, text: part.text });
        events.push({ type: 'reasoning-end', block, ...told(part) });
        break;
      case 'tool-call':
        events.push({ type: 'tool-call-start', block, callId: part.callId, name: part.name });
        events.push({ type: 'tool-call-delta', block, text: part.arguments });
        events.push({ type: 'tool-call-end', block, arguments: part.arguments });
        break;
      default:
        part satisfies never;
    }
  });
  for (const warning of message.warnings) events.push({ type: 'warning', warning });
  if (message.conversation !== undefined) events.push({ type: 'conversation', ...message.conversation });
  if (message.usage !== undefined) events.push({ type: 'usage', usage: message.usage });
  if (message.error !== undefined) events.push({ type: 'error', error: message.error });
  else if (message.finishReason !== undefined) {
    const { finishReason, rawFinishReason, stopSequence } = message;
    events.push({
      type: 'message-end',
      finishReason,
      ...(rawFinishReason === undefined ? {} : { rawFinishReason }),
      ...(stopSequence === undefined ? {} : { stopSequence }),
    });
  }
  return events;
}

function told({ extra }: TextPart | ReasoningPart): Pick<TextPart, 'extra'> {
  return extra === undefined ? {} : { extra };
}
