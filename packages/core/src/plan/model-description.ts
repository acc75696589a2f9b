import type { ModelEntry } from './model-entries.ts';
import type { EngineSetup } from './setup.ts';

/** What clients are told of a model, in whatever form their API has for it. Absent: nobody knows. */
export interface ModelDescription {
  /** The name that every route takes. */
  readonly id: string;
  /** Where requests for it go. */
  readonly upstream: string;
  /** For people. */
  readonly displayName: string;
  /** Tokens. */
  readonly contextWindow?: number;
  /** The most tokens of an answer. */
  readonly maxOutput?: number;
  readonly images: boolean;
  /** Every model calls tools here, unless the gateway is told to strip them. */
  readonly toolCalling: boolean;
  readonly reasoning?: boolean;
  /** Seconds since 1970: the list's own word, or else the start of the gateway. */
  readonly created: number;
  readonly entry: ModelEntry;
}

/** Puts together what is known of a model. `startedAt` are milliseconds since 1970. */
export function describeModel(
  entry: ModelEntry,
  { setup, startedAt }: { readonly setup: EngineSetup; readonly startedAt: number },
): ModelDescription {
  const { id, upstream, model, rule, listed } = entry;
  const maxOutput = rule.sampling.maxTokens ?? listed?.maxOutput;
  // An alias has a name of its own: under that of its model, the two would look the same in a picker.
  const named = id === `${upstream}/${model}` ? listed?.displayName : undefined;
  return {
    id,
    upstream,
    displayName: named ?? id,
    ...(rule.contextWindow === 0 ? {} : { contextWindow: rule.contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    images: rule.images,
    toolCalling: setup.toolCalling,
    ...(listed?.reasoning === undefined ? {} : { reasoning: listed.reasoning }),
    created: listed?.created ?? Math.floor(startedAt / 1000),
    entry,
  };
}
