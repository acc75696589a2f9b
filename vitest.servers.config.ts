import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs real servers, and is left out of "npm test". What measures them takes longer than a test may, and is asked for.
const kind = process.env.DRAGOMAN_MEASURE === undefined ? 'real' : 'measure';
const servers = mergeConfig(all, {});
servers.test.include = [`test/servers/*.${kind}.ts`];
servers.test.testTimeout = kind === 'real' ? 300_000 : 1_800_000;
servers.test.hookTimeout = 120_000;
servers.test.reporters = ['default'];
export default servers;
