import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs the plugin in a real browser, and is left out of "npm test".
const obsidian = mergeConfig(all, {});
obsidian.test.include = ['test/obsidian/**/*.real.ts'];
obsidian.test.fileParallelism = false;
obsidian.test.reporters = ['default'];
export default obsidian;
