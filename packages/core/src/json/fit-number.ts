import type { Looked } from './fitting.ts';
import { type Misfit, misfitAt } from './misfit.ts';
import { type Keywords, own } from './schema-document.ts';

/** Whether a number is in the range that its schema gives, and a multiple of what it says. */
export function fitNumber(node: Keywords, { value, place }: Looked<number>): Misfit | undefined {
  const limits = limitsOf(node);
  for (const { limit, holds, words } of limits) {
    if (!holds(value, limit)) return misfitAt(place, `must be ${words} ${limit}`);
  }
  const step = own(node, 'multipleOf');
  if (typeof step !== 'number' || step <= 0 || isMultiple(value, step)) return undefined;
  return misfitAt(place, `must be a multiple of ${step}`);
}

interface Limit {
  readonly limit: number;
  readonly holds: (value: number, limit: number) => boolean;
  readonly words: string;
}

/** In the fourth draft, and in OpenAPI 3.0, `exclusiveMinimum: true` is beside `minimum`. */
function limitsOf(node: Keywords): Limit[] {
  const found: Limit[] = [];
  const add = (limit: unknown, holds: Limit['holds'], words: string) => {
    if (typeof limit === 'number') found.push({ limit, holds, words });
  };
  const [above, below] = [own(node, 'exclusiveMinimum'), own(node, 'exclusiveMaximum')];
  add(own(node, 'minimum'), (value, limit) => value >= limit, 'at least');
  add(own(node, 'maximum'), (value, limit) => value <= limit, 'at most');
  add(above === true ? own(node, 'minimum') : above, (value, limit) => value > limit, 'more than');
  add(below === true ? own(node, 'maximum') : below, (value, limit) => value < limit, 'less than');
  return found;
}

/** Tenths are no doubles: a quotient that is as near to a whole number as doubles can tell is one. */
function isMultiple(value: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0;
  const quotient = value / step;
  // No double says how many times such a step is contained.
  if (!Number.isFinite(quotient)) return true;
  const error = Math.abs(quotient - Math.round(quotient));
  return error <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4;
}
