import type { ChatRequest } from '../../chat/request.ts';
import { type PromptMark, wireId } from './types.ts';

/** A client's prompt, byte for byte, and what was asked for it. */
export interface Prompt extends PromptMark {
  readonly text: string;
}

/** The prompt of a request that is nothing but a prompt of this API; `undefined` for conversations. */
export function promptOf(request: ChatRequest): Prompt | undefined {
  const [message, ...others] = request.messages;
  if (message?.role !== 'user' || others.length > 0) return undefined;
  const [part, ...more] = message.content;
  const mark = message.extra?.[wireId];
  if (mark?.prompt !== true || part?.type !== 'text' || more.length > 0) return undefined;
  return { prompt: true, text: part.text, ...(mark.echo === true ? { echo: true } : {}) };
}
