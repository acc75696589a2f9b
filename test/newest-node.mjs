// The newest Node. Everything else is tested with the one that runs it, which in CI is one of the oldest that Dragoman needs.
import { join } from 'node:path';
import { root } from '../scripts/ensure.mjs';
import { installProgram } from './install-program.mjs';

const system = process.platform === 'win32' ? 'win' : process.platform;
const newest = { name: 'node', package: `node-${system}-${process.arch}`, version: '26.12.1', command: 'node' };

/** Installs it, unless it is there. Returns its `file`, or `problem`: why it cannot be had. */
export const installNewestNode = () => installProgram(newest, join(root, 'node_modules', '.cache', 'newest-node'));
