import type { Extra } from '../../chat/message.ts';
import { isObject } from '../read-values.ts';
import { wireId } from './types.ts';

/** What the parts of a text cite, in the upstream's own words, as the end of a text block carries it. */
export function annotationsExtra(annotations: readonly unknown[]): Extra {
  return { [wireId]: { annotations } };
}

/** The way back: the annotations that a block's end or a part of a history carries. */
export function annotationsIn(extra: Extra | undefined): readonly unknown[] {
  const list: unknown = extra?.[wireId]?.annotations;
  return Array.isArray(list) ? list : [];
}

/** An annotation whose places count from the start of the whole text, where its own part begins `by` characters later. */
export function shiftAnnotation(annotation: unknown, by: number): unknown {
  if (by === 0 || !isObject(annotation)) return annotation;
  const moved: Record<string, unknown> = { ...annotation };
  for (const field of ['start_index', 'end_index']) {
    const place = moved[field];
    if (typeof place === 'number') moved[field] = place + by;
  }
  return moved;
}
