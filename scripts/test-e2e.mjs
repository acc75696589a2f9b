import { ensure, runTool } from './ensure.mjs';

ensure();
process.exitCode = runTool('vitest', ['run', '--config', 'vitest.e2e.config.ts', ...process.argv.slice(2)]);
