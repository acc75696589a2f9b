#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Before anything is loaded that an older Node cannot read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  start();
} else {
  process.stderr.write(
    `Dragoman needs Node 20.19 or later; this is ${process.versions.node}. See https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}

async function start() {
  // In the repository, sources may be newer than the build, or not built at all; an installed package has none.
  if (existsSync(new URL('../src', import.meta.url))) {
    const { ensure } = await import('../../../scripts/ensure.mjs');
    ensure();
  }
  const { run } = await import('../dist/bundle/run.js');
  process.exitCode = await run(process.argv.slice(2));
}
