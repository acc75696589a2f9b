import type { Extra } from '../chat/message.ts';

// Probabilities of tokens reach only clients of the upstream's own API, as they came.

/** Those of a piece of text, as events carry them; undefined when there are none. */
export function readProbabilities(wireId: string, logprobs: unknown): Extra | undefined {
  return Array.isArray(logprobs) && logprobs.length > 0 ? { [wireId]: { logprobs } } : undefined;
}

/** The way back: what an event or a part carries. */
export function probabilitiesIn(wireId: string, extra: Extra | undefined): readonly unknown[] {
  const list: unknown = extra?.[wireId]?.logprobs;
  return Array.isArray(list) ? list : [];
}
