import type { Usage } from '../../chat/event.ts';
import type { WireUsage } from './types.ts';

/** All five numbers, always: VS Code throws a good answer away when a detail is missing. */
export function writeUsage(usage: Usage): WireUsage {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
