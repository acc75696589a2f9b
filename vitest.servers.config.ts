import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs real servers, and is left out of "npm test".
const servers = mergeConfig(all, {});
servers.test.include = ['test/servers/*.real.ts'];
servers.test.testTimeout = 300_000;
servers.test.hookTimeout = 120_000;
servers.test.reporters = ['default'];
export default servers;
