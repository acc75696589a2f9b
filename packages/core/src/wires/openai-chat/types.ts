/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'openai-chat';

export type WireFinishReason = 'stop' | 'tool_calls' | 'function_call' | 'length' | 'content_filter';

/**
 * Request fields that only this wire knows. They ride in `extra` as they came and are written back for upstreams that
 * speak this wire. Everything that is neither here nor modelled by `ChatRequest` is ignored and named in a warning.
 */
export const extraRequestFields = [
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'user',
  'metadata',
  'service_tier',
  'store',
  'prediction',
  'modalities',
  'verbosity',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'moderation',
  'web_search_options',
  'top_k',
  'min_p',
  'repetition_penalty',
  'chat_template_kwargs',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'grammar',
  'provider',
  'providerOptions',
  'models',
] as const;

/** Message fields that ride along in the same way. */
export const extraMessageFields = ['name', 'cache_control', 'prefix', 'partial'] as const;
