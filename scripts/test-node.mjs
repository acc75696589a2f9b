import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { installNewestNode } from '../test/newest-node.mjs';
import { ensure, root } from './ensure.mjs';

// Tests of what stands on Node's own modules, with the newest Node. More of them: npm run test:node -- packages/core
const folders = ['packages/server', 'packages/agent', 'packages/worker'];
const args = process.argv.slice(2);

ensure();
const { file, problem } = await installNewestNode();
if (problem === undefined) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // What tests start by name is that Node, too.
  const env = { ...process.env, PATH: `${dirname(file)}${delimiter}${process.env.PATH}` };
  process.exitCode =
    spawnSync(file, [vitest, 'run', ...folders, ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
} else {
  console.error(problem);
  process.exitCode = 1;
}
