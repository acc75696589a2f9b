/** A share of all, with the interval in which it lies with a confidence of 95 %; each from 0 to 1. */
export interface Rate {
  readonly good: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** The standard normal deviate of 95 %, two-sided. */
const deviate = 1.959964;

/** A rate with its Wilson interval. Of nothing, nothing is known: 0 to 1. */
export function rateOf(good: number, of: number): Rate {
  if (of === 0) return { good, of, low: 0, high: 1 };
  const share = good / of;
  const square = deviate ** 2;
  const middle = share + square / (2 * of);
  const half = deviate * Math.sqrt((share * (1 - share)) / of + square / (4 * of ** 2));
  const whole = 1 + square / of;
  // All and nothing are bounds that rounding must not miss.
  const low = good === 0 ? 0 : (middle - half) / whole;
  const high = good === of ? 1 : (middle + half) / whole;
  return { good, of, low, high };
}

/**
 * How likely two shares differ at least so much by chance where there is no difference: Fisher's exact test, two-sided, which
 * holds for few trials as well. 1 where one of them has none.
 */
export function chanceOf(one: Pick<Rate, 'good' | 'of'>, other: Pick<Rate, 'good' | 'of'>): number {
  const all = one.of + other.of;
  const good = one.good + other.good;
  const logChance = (hits: number) => logChoose(one.of, hits) + logChoose(other.of, good - hits) - logChoose(all, good);
  const seen = logChance(one.good);
  let sum = 0;
  for (let hits = Math.max(0, good - other.of); hits <= Math.min(one.of, good); hits += 1) {
    const chance = logChance(hits);
    // Equal ones count, whatever rounding made of them.
    if (chance <= seen + 1e-9) sum += Math.exp(chance);
  }
  return Math.min(1, sum);
}

/** Differences that chance makes less often than once in twenty times count. */
export const significance = 0.05;

function logChoose(of: number, chosen: number): number {
  let sum = 0;
  for (let each = 1; each <= chosen; each += 1) sum += Math.log(of - chosen + each) - Math.log(each);
  return sum;
}

/** Undefined of nothing. */
export function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[middle - 1];
  if (sorted.length % 2 === 1 || upper === undefined || lower === undefined) return upper;
  return (lower + upper) / 2;
}
