import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs the plugin in a real browser, and is left out of "npm test".
const obsidian = mergeConfig(all, {});
obsidian.test.include = ['test/obsidian/**/*.real.ts'];
// Pages wait for most of the time.
obsidian.test.maxWorkers = 2;
obsidian.test.reporters = ['default'];
export default obsidian;
