import fc from 'fast-check';
import { runs } from '../packages/testkit/src/how-much.ts';

/**
 * With `DRAGOMAN_FUZZ_SEED` all random tests draw the same examples each time, as `.ci/run` wants it: what it says of a change
 * then depends on the change alone. New examples are drawn by each `npm test`.
 */
const { DRAGOMAN_FUZZ_SEED: seed } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100), ...(seed && { seed: Number(seed) }) });
