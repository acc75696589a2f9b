import type { Extra } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { wireId } from './types.ts';

/** Whether a client of this very wire asked for the probabilities of tokens, so that it gets them as they came. */
export function asksForProbabilities({ extra }: ChatRequest): boolean {
  const own = extra[wireId];
  const isIncluded = Array.isArray(own?.include) && own.include.includes('message.output_text.logprobs');
  return isIncluded || (typeof own?.top_logprobs === 'number' && own.top_logprobs > 0);
}

/** Those of an event or a part of a message, as events carry them; undefined when there are none. */
export function readProbabilities(logprobs: unknown): Extra | undefined {
  return Array.isArray(logprobs) && logprobs.length > 0 ? { [wireId]: { logprobs } } : undefined;
}

/** The way back: what an event carries. */
export function probabilitiesIn(extra: Extra | undefined): readonly unknown[] {
  const list: unknown = extra?.[wireId]?.logprobs;
  return Array.isArray(list) ? list : [];
}
