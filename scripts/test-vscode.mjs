import { join } from 'node:path';
import { endAllCommands } from '../test/agents/run-command.mjs';
import { installVscode, vscodeFolder } from '../test/vscode/install-vscode.mjs';
import { root, runTool } from './ensure.mjs';

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endAllCommands();
    process.exit(130);
  });
}

const folder = vscodeFolder();
const { problem, ...vscode } = await installVscode(folder, (line) => console.error(line));
if (problem !== undefined) {
  console.error(`VS Code cannot be installed into ${folder}. ${problem}`);
  process.exit(1);
}
await import('./package-vscode.mjs');
const extension = join(root, 'packages', 'vscode', 'dist', 'dragoman.vsix');
process.env.DRAGOMAN_REAL_VSCODE = JSON.stringify({ ...vscode, extension });
const args = process.argv.slice(2).filter((arg) => arg !== '--write');
// The table in the extension's README is written anew.
if (args.length < process.argv.length - 2) process.env.DRAGOMAN_WRITE = '1';
process.exitCode = runTool('vitest', ['run', '--config', 'vitest.vscode.config.ts', ...args]);
