import type { Extra } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { isObject } from '../read-values.ts';
import { type WireProbabilities, wireId } from './types.ts';

/** Whether a client of this very wire asked for them, so that it gets them as they came. */
export function asksForProbabilities({ extra }: ChatRequest): boolean {
  return extra[wireId]?.logprobs === true;
}

/** Those of one field, as events carry them; undefined when there are none. */
export function readProbabilities(logprobs: unknown, field: keyof WireProbabilities): Extra | undefined {
  const list = isObject(logprobs) ? logprobs[field] : undefined;
  return Array.isArray(list) && list.length > 0 ? { [wireId]: { logprobs: list } } : undefined;
}

/** The way back: what an event or a part carries. */
export function probabilitiesIn(extra: Extra | undefined): readonly unknown[] | undefined {
  const list: unknown = extra?.[wireId]?.logprobs;
  return Array.isArray(list) ? list : undefined;
}
