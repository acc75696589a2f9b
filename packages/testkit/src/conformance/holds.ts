import fc from 'fast-check';
import { it } from 'vitest';
import { isDrawn, runs } from '../how-much.ts';

/**
 * Registers a test of a property that `usual` random examples have to hold for. What fails is printed with the smallest
 * example, its seed, and how to see it again. `DRAGOMAN_FUZZ=50` searches fifty times as far. Before a commit, dear properties of
 * few examples are drawn: of many dialects some are held to them, others each time.
 */
export function holds<Example>(title: string, usual: number, property: fc.IProperty<Example>): void {
  if (!isDrawn(usual)) return;
  it(title, () => {
    const { DRAGOMAN_FUZZ_SEED: given, DRAGOMAN_FUZZ_PATH: path = '' } = process.env;
    const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
    const details = fc.check(property, { seed, numRuns: runs(usual), ...(path === '' ? {} : { path }) });
    if (details.failed) throw new Error(report(title, details), { cause: details.errorInstance });
  });
}

function report<Example>(title: string, details: fc.RunDetails<Example>): string {
  const again = `DRAGOMAN_FUZZ_SEED=${details.seed} DRAGOMAN_FUZZ_PATH=${details.counterexamplePath ?? ''}`;
  return `${fc.defaultReportMessage(details) ?? 'It failed.'}\n\nSee it again: ${again} npx vitest run PATH_OF_THIS_TEST -t '${title}'`;
}
