import { execFileSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure.mjs';

// dist/dragoman.vsix, as both marketplaces take it. vsce is fetched for it: it brings 300 packages that nothing else needs.

const vsce = '@vscode/vsce@4.1.0';
const here = join(root, 'packages/vscode');
const file = join(here, 'dist/dragoman.vsix');

copyFileSync(join(root, 'LICENSE'), join(here, 'LICENSE'));
const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', file];
execFileSync('npx', ['--yes', vsce, 'package', ...options], { cwd: here, stdio: 'inherit' });
console.log(`dist/dragoman.vsix: ${(statSync(file).size / 1000).toFixed(1)} kB`);
