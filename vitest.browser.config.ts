import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs a browser, and is left out of "npm test".
const browser = mergeConfig(all, {});
browser.test.include = ['test/**/*.browser.ts'];
export default browser;
