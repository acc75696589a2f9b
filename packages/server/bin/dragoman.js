#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In the repository, sources may be newer than the build, or not built at all; an installed package has none.
if (existsSync(new URL('../src', import.meta.url))) {
  const { ensure } = await import('../../../scripts/ensure.mjs');
  ensure();
}

const { run } = await import('../dist/cli/run.js');
process.exitCode = await run(process.argv.slice(2));
