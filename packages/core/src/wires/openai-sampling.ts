import type { Sampling } from '../chat/request.ts';
import {
  isAbsent,
  type JsonObject,
  present,
  readFlag,
  readObject,
  readOptionalCount,
  readOptionalNumber,
  readStop,
} from './read-values.ts';

/** What Chat Completions and Completions read into `sampling`. */
export const samplingFields: readonly string[] = [
  'temperature',
  'top_p',
  'max_completion_tokens',
  'max_tokens',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
];

/** The newer `max_completion_tokens` counts before `max_tokens`. */
export function readSampling(body: JsonObject): Sampling {
  const newer = readOptionalCount(body.max_completion_tokens, 'max_completion_tokens', 1);
  const older = readOptionalCount(body.max_tokens, 'max_tokens', 1);
  return present({
    temperature: readOptionalNumber(body.temperature, 'temperature'),
    topP: readOptionalNumber(body.top_p, 'top_p'),
    maxTokens: newer ?? older,
    stop: readStop(body.stop, 'stop'),
    seed: readOptionalNumber(body.seed, 'seed'),
    presencePenalty: readOptionalNumber(body.presence_penalty, 'presence_penalty'),
    frequencyPenalty: readOptionalNumber(body.frequency_penalty, 'frequency_penalty'),
  });
}

/** Whether `stream_options` ask for usage. */
export function readIncludeUsage(value: unknown): boolean {
  if (isAbsent(value)) return false;
  return readFlag(readObject(value, 'stream_options').include_usage, 'stream_options.include_usage', false);
}

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
