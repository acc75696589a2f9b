import { ensure, runTool } from './ensure.mjs';

ensure();
await import('./package-obsidian.mjs');
process.exitCode = runTool('vitest', ['run', '--config', 'vitest.obsidian.config.ts', ...process.argv.slice(2)]);
