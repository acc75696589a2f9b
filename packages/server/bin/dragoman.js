#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In the repository, sources may be newer than the build, or not built at all; an installed package has no scripts.
const ensure = new URL('../../../scripts/ensure.mjs', import.meta.url);
if (existsSync(ensure)) (await import(ensure.href)).ensure();

const { run } = await import('../dist/cli/run.js');
process.exitCode = await run(process.argv.slice(2));
