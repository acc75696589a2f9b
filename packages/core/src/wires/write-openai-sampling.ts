import type { Sampling } from '../chat/request.ts';

/** Sampling as Chat Completions and Completions say it; what was not sent is not written. */
export function writeSampling(
  sampling: Sampling,
  { maxTokensField }: { readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' },
): { readonly [field: string]: unknown } {
  const { temperature, topP, maxTokens, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { [maxTokensField]: maxTokens }),
    ...(stop === undefined ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
  };
}
