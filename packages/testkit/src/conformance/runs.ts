/**
 * How often a random property runs: `usual` times, or as many times more as `DRAGOMAN_FUZZ` says. `DRAGOMAN_FUZZ=50 npx
 * vitest run packages/core/src/dialects` looks for rare failures; what it finds is printed with its seed.
 */
export function runs(usual = 100): number {
  const factor = Number(process.env.DRAGOMAN_FUZZ ?? '1');
  return Math.max(1, Math.round(usual * (Number.isFinite(factor) ? factor : 1)));
}
