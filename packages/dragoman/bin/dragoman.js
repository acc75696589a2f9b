#!/usr/bin/env node
// Before anything is loaded that an older Node cannot read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  import('@dragoman/server/command');
} else {
  process.stderr.write(
    `Dragoman needs Node 20.19 or later; this is ${process.versions.node}. See https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
