/**
 * A repeatable stream of numbers from 0 (included) to 1 (excluded). The same seed gives the same numbers on every
 * machine, so a failing test can print its seed and be run again. Mulberry32: small, quick, good enough for tests.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `from` to `to`, both included. */
export function randomInteger(random: () => number, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}
