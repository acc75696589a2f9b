import { type CollectedMessage, collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { isObject } from '../read-values.ts';
import type { ReplyContext } from '../wire.ts';
import { stopSequenceOf, writeStopReason } from './stop-reasons.ts';
import { type Fields, ownFields } from './types.ts';
import { writeUsage } from './write-usage.ts';

/**
 * A whole answer out of its events, as JSON text: the arguments of a call are in it as the model wrote them, down to
 * the digits that JavaScript cannot hold.
 */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext): string {
  const message = collect(events);
  const { request, replyId } = context;
  const blocks = message.content.flatMap(writeBlock);
  const { finishReason = 'length' } = message;
  const reason = writeStopReason({ ...message, finishReason }, message.calls.length);
  const head = { id: `msg_${replyId}`, type: 'message', role: 'assistant', model: request.model };
  const tail = {
    stop_reason: reason,
    stop_sequence: stopSequenceOf(reason, { told: message.stopSequence, asked: request.sampling.stop }),
    usage: writeUsage(message.usage),
  };
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks.join(',')}],${JSON.stringify(tail).slice(1)}`;
}

/** A text with what it quotes; or the block that rode on it. */
function writeText(text: string, { block, citations }: Fields): readonly string[] {
  if (isObject(block)) return [JSON.stringify(block)];
  if (text === '') return [];
  return [JSON.stringify({ type: 'text', text, ...(Array.isArray(citations) ? { citations } : {}) })];
}

/** A part as the JSON text of its block; none where there is nothing to show. */
function writeBlock(part: CollectedMessage['content'][number]): readonly string[] {
  switch (part.type) {
    case 'text':
      return writeText(part.text, ownFields(part.extra));
    case 'reasoning': {
      const { signature, redacted } = ownFields(part.extra);
      if (typeof redacted === 'string') return [JSON.stringify({ type: 'redacted_thinking', data: redacted })];
      const signed = typeof signature === 'string' ? signature : '';
      if (part.text === '' && signed === '') return [];
      return [JSON.stringify({ type: 'thinking', thinking: part.text, signature: signed })];
    }
    case 'tool-call': {
      const head = JSON.stringify({ type: 'tool_use', id: part.callId, name: part.name });
      return [`${head.slice(0, -1)},"input":${part.arguments}}`];
    }
    default:
      return part satisfies never;
  }
}
