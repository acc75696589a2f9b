import type { Sampling } from '../../chat/request.ts';
import {
  isAbsent,
  type JsonObject,
  present,
  readObject,
  readOptionalCount,
  readOptionalNumber,
  readStop,
} from '../read-values.ts';

/** What `options` holds: how to sample, and what only this wire knows, such as `num_ctx`. */
export interface ReadOptions {
  readonly sampling: Sampling;
  readonly riding: JsonObject;
}

const sampledOptions: readonly string[] = [
  'temperature',
  'top_p',
  'num_predict',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
];

export function readOptions(value: unknown): ReadOptions {
  if (isAbsent(value)) return { sampling: {}, riding: {} };
  const options = readObject(value, 'options');
  const rest = Object.entries(options).filter(([name, option]) => !sampledOptions.includes(name) && !isAbsent(option));
  return { sampling: readSampling(options), riding: Object.fromEntries(rest) };
}

function readSampling(options: JsonObject): Sampling {
  const number = (name: string) => readOptionalNumber(options[name], `options.${name}`);
  const most = readOptionalCount(options.num_predict, 'options.num_predict', -2);
  return present({
    temperature: number('temperature'),
    topP: number('top_p'),
    // -1 and -2 mean that there is no limit but the model's own.
    maxTokens: most !== undefined && most > 0 ? most : undefined,
    stop: readStop(options.stop, 'options.stop'),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
  });
}
