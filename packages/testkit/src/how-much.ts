import { randomInteger, seededRandom } from './cutters/seeded-random.ts';

const { DRAGOMAN_FUZZ: factor, DRAGOMAN_FUZZ_SEED: seed } = process.env;

/** `npm test` before a commit looks at a part of what CI looks at, which sets `DRAGOMAN_FUZZ=1`. */
const share = 0.03;

/** How much of everything is tried: 1 is all of it once, 50 fifty times as many random examples. */
const amount = factor === undefined || !Number.isFinite(Number(factor)) ? share : Number(factor);

/** Whether cross products run whole, as they do in CI. */
export const isWhole = amount >= 1;

/** How often a random property runs that runs `usual` times in CI. `DRAGOMAN_FUZZ=50` looks for rare failures. */
export function runs(usual = 100): number {
  return Math.max(1, Math.round(usual * amount));
}

/**
 * Whether a property is searched at all that has less than one example to try: as often as that example would be its turn.
 * Whoever has named a seed looks for one failure, and gets it.
 */
export function isDrawn(usual: number): boolean {
  return seed !== undefined || Math.random() < usual * amount;
}

/** How many are sent, made or repeated where a large number takes time: `whole` in CI, a quarter of it before a commit. */
export function sized(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 4);
}

/**
 * Some `count` of the items in their order, others each time; all of them in CI. It thins out a cross product: what fails
 * has the item in its title, and runs again with `DRAGOMAN_FUZZ=1 npx vitest run FILE -t 'TITLE'`.
 */
export function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isWhole || items.length <= count) return items;
  const random = seed === undefined ? Math.random : seededRandom(Number(seed));
  const left = items.map((_, index) => index);
  while (left.length > count) left.splice(randomInteger(random, 0, left.length - 1), 1);
  return items.filter((_, index) => left.includes(index));
}
