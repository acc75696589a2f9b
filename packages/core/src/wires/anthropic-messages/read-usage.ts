import type { Usage } from '../../chat/event.ts';
import { isObject } from '../read-values.ts';

/**
 * A `usage` object, read together with the one before it: a stream tells input when it starts and output when it ends,
 * and the later numbers are totals, not additions.
 */
export function readUsage(value: unknown, before: Usage | undefined): Usage | undefined {
  if (!isObject(value)) return before;
  const fresh = count(value.input_tokens);
  const read = count(value.cache_read_input_tokens) ?? before?.cachedInputTokens;
  const written = count(value.cache_creation_input_tokens) ?? before?.cacheWriteInputTokens;
  const output = count(value.output_tokens);
  const reasoning = isObject(value.output_tokens_details)
    ? count(value.output_tokens_details.thinking_tokens)
    : before?.reasoningTokens;
  if (fresh === undefined && output === undefined) return before;
  const freshBefore =
    (before?.inputTokens ?? 0) - (before?.cachedInputTokens ?? 0) - (before?.cacheWriteInputTokens ?? 0);
  return {
    // The last number counts, as some servers begin with a guess; 0 at the end is what others send for having told it.
    inputTokens: (fresh || freshBefore) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? before?.outputTokens ?? 0,
    ...(read === undefined ? {} : { cachedInputTokens: read }),
    ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    source: 'upstream',
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
