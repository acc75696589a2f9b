import type { Sampling } from '../chat/request.ts';
import { present, type RequestFields } from './read-values.ts';

/** The newer `max_completion_tokens` counts before `max_tokens`. */
export function readSampling(body: RequestFields): Sampling {
  const newer = body.count('max_completion_tokens', 1);
  const older = body.count('max_tokens', 1);
  return sampledAs(body, newer ?? older);
}

/** What OpenAI's older APIs and Ollama call by the same names. */
export function sampledAs(fields: RequestFields, maxTokens: number | undefined): Sampling {
  return present({
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    maxTokens,
    stop: fields.stop('stop'),
    seed: fields.number('seed'),
    presencePenalty: fields.number('presence_penalty'),
    frequencyPenalty: fields.number('frequency_penalty'),
  });
}

/** Whether `stream_options` ask for usage. */
export function readIncludeUsage(body: RequestFields): boolean {
  return body.within('stream_options').flag('include_usage', false);
}

/** The way back, under the same names; what was not sent is undefined, and not written. */
export function writeSampling(
  sampling: Sampling,
  { maxTokensField }: { readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' | 'num_predict' },
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
