import fc from 'fast-check';
import { it } from 'vitest';
import { runs } from '../how-much.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** How many random examples the test's property has held for; `npm run fuzz` counts them. */
    examples?: number;
  }
}

/**
 * Registers a test of a property that `usual` random examples have to hold for. What fails is printed with the smallest
 * example, its seed, and how to see it again. `npm run fuzz` has the same property searched for as long as it says.
 */
export function holds<Example>(title: string, usual: number, property: fc.IProperty<Example>): void {
  it(title, ({ task }) => {
    const { seed, path, seconds } = settings();
    const until = performance.now() + seconds * 1000;
    // A search by time looks at the clock more often than a whole round would let it.
    const numRuns = seconds === 0 ? runs(usual) : Math.ceil(usual / 10);
    task.meta.examples = 0;
    for (let round = seed; task.meta.examples === 0 || performance.now() < until; round += 1) {
      const details = fc.check(property, { seed: round, numRuns, ...(path === '' ? {} : { path }) });
      task.meta.examples += details.numRuns;
      if (details.failed) throw new Error(report(title, details), { cause: details.errorInstance });
    }
  });
}

/** What `npm run fuzz`, or somebody who looks at a failure again, asks for. */
function settings(): { readonly seed: number; readonly path: string; readonly seconds: number } {
  const { DRAGOMAN_FUZZ_SEED: seed, DRAGOMAN_FUZZ_PATH: path = '', DRAGOMAN_FUZZ_SECONDS: seconds } = process.env;
  return {
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed),
    path,
    seconds: Number(seconds ?? '0'),
  };
}

function report<Example>(title: string, details: fc.RunDetails<Example>): string {
  const again = `DRAGOMAN_FUZZ_SEED=${details.seed} DRAGOMAN_FUZZ_PATH=${details.counterexamplePath ?? ''}`;
  return `${fc.defaultReportMessage(details) ?? 'It failed.'}\n\nSee it again: ${again} npx vitest run PATH_OF_THIS_TEST -t '${title}'`;
}
