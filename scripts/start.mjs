import { ensure } from './ensure.mjs';

ensure();
const { run } = await import('../packages/server/dist/cli/run.js');
const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--');
process.exitCode = await run(['serve', ...args]);
