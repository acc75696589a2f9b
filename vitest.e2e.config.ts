import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// Tasks from end to end, one file after the other, also before a live model; left out of "npm test".
const e2e = mergeConfig(all, {});
e2e.test.include = ['test/e2e/*.real.ts'];
e2e.test.fileParallelism = false;
e2e.test.testTimeout = 240_000;
e2e.test.reporters = ['default'];
export default e2e;
