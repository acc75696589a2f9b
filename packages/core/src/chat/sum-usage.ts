import type { Usage } from './event.ts';

/** The usage of two replies that are one for the client. */
export function sumUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const total = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  const all = {
    cachedInputTokens: total(one.cachedInputTokens, other.cachedInputTokens),
    cacheWriteInputTokens: total(one.cacheWriteInputTokens, other.cacheWriteInputTokens),
    reasoningTokens: total(one.reasoningTokens, other.reasoningTokens),
  };
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...Object.fromEntries(Object.entries(all).filter(([, count]) => count !== undefined)),
    source: one.source === other.source ? one.source : 'counted',
  };
}
