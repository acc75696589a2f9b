import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';

ensure();
// Arguments pick benchmarks by a part of their names, and flags go to each of them: npm run bench -- dialects --quick
const given = process.argv.slice(2);
const from = given.findIndex((argument) => argument.startsWith('-'));
const wanted = given.slice(0, from < 0 ? undefined : from);
const flags = from < 0 ? [] : given.slice(from);
const files = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.bench.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (flags.includes('--help')) {
  console.log(`npm run bench                  all, about ten minutes
npm run bench -- dialects      those whose name holds a word, of ${files.join(', ')}
        --quick                shorter runs, for a first look
        --only PART            only candidates whose name holds the part
        --json                 one line of JSON instead of tables
        --peers                installs the peers first, below bench
        --write                into docs/performance.md, with the date`);
} else if (files.length === 0) {
  console.error('no benchmark is called like that; they are the files bench/*.bench.mjs');
  process.exitCode = 1;
} else {
  const bench = (name) =>
    spawnSync(process.execPath, [join(root, 'bench', name), ...flags], { cwd: root, stdio: 'inherit' }).status ?? 1;
  process.exitCode = runSteps(Object.fromEntries(files.map((name) => [name, () => bench(name)])));
}
