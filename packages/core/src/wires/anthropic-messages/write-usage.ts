import type { Usage } from '../../chat/event.ts';
import type { WireUsage } from './types.ts';

/** Canonical input counts what came from a cache, this wire's does not. Unknown numbers are 0: clients add them up. */
export function writeUsage(usage: Usage | undefined): WireUsage {
  const read = usage?.cachedInputTokens ?? 0;
  const written = usage?.cacheWriteInputTokens ?? 0;
  return {
    input_tokens: Math.max(0, (usage?.inputTokens ?? 0) - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage?.outputTokens ?? 0,
    ...(usage?.reasoningTokens === undefined
      ? {}
      : { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
  };
}
