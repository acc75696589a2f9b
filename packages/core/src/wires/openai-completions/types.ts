import type { OpenaiUsage } from '../write-openai-usage.ts';

/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'openai-completions';

export type WireFinishReason = 'stop' | 'length' | 'content_filter';

/** The one choice of a chunk or a whole answer. A chunk that is not the last one has no finish reason. */
export interface WireChoice {
  readonly text: string;
  readonly index: 0;
  readonly logprobs: null;
  readonly finish_reason: WireFinishReason | null;
}

/** A whole answer; a chunk is of the same shape. */
export interface WireCompletion {
  readonly id: string;
  readonly object: 'text_completion';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly WireChoice[];
  readonly usage?: OpenaiUsage;
}

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
