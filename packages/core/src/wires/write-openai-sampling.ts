import type { Sampling } from '../chat/request.ts';

/** Sampling as Chat Completions and Completions say it; what was not sent is undefined, and not written. */
export function writeSampling(
  sampling: Sampling,
  { maxTokensField }: { readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' },
): { readonly [field: string]: unknown } {
  const { temperature, topP, maxTokens, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  return {
    temperature,
    top_p: topP,
    [maxTokensField]: maxTokens,
    stop,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  };
}
