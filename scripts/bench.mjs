import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';

ensure();
// Arguments pick benchmarks by a part of their names: npm run bench -- parse
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.bench.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (files.length === 0) {
  console.error('no benchmark is called like that; they are the files bench/*.bench.mjs');
  process.exitCode = 1;
} else {
  const bench = (name) => () =>
    spawnSync(process.execPath, [join(root, 'bench', name)], { cwd: root, stdio: 'inherit' });
  process.exitCode = runSteps(Object.fromEntries(files.map((name) => [name, () => bench(name)().status ?? 1])));
}
