import type { ChatRequest } from '../../chat/request.ts';

/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'openai-completions';

export type WireFinishReason = 'stop' | 'length' | 'content_filter';

/**
 * Request fields that only this wire knows, those of the servers that speak it among them. They ride in `extra` as they
 * came and are written back for upstreams that speak this wire.
 */
export const ridingRequestFields = [
  'suffix',
  'logit_bias',
  'user',
  'top_k',
  'min_p',
  'typical_p',
  'repetition_penalty',
  'repeat_penalty',
  'min_tokens',
  'ignore_eos',
  'stop_token_ids',
  'response_format',
  'grammar',
  'json_schema',
  'cache_prompt',
] as const;

/** What a user message that is a client's prompt carries in its `extra`. */
export interface PromptMark {
  /** The text is a prompt of this API: a model is to go on with it, not to answer it. */
  readonly prompt: true;
  /** The reply begins with the prompt. */
  readonly echo?: true;
}

/** A client's prompt, byte for byte, and what was asked for it. */
interface Prompt extends PromptMark {
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
