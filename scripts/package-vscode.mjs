import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';

// dist/dragoman.vsix, as both marketplaces take it. vsce is fetched for it: it brings 300 packages that nothing else needs.

const vsce = '@vscode/vsce@4.1.0';
const here = join(root, 'packages/vscode');
const file = join(here, 'dist/dragoman.vsix');

// A clone that nobody has started yet packages, too.
ensure();
copyFileSync(join(root, 'LICENSE'), join(here, 'LICENSE'));
execFileSync('npx', ['--yes', vsce, 'package', '--no-dependencies', ...links(), '--out', file], {
  cwd: here,
  stdio: 'inherit',
});
console.log(`dist/dragoman.vsix: ${(statSync(file).size / 1000).toFixed(1)} kB`);

/**
 * The pages of marketplaces and of the installed extension show images by whole https addresses only, which the manifest's
 * repository makes of the README's. Without one they show their words.
 */
function links() {
  const { repository } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  if (repository === undefined) return ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const base = repository.url.replace(/^git\+|\.git$/g, '');
  const from = (kind) => `${base}/${kind}/HEAD/${repository.directory}`;
  return ['--baseContentUrl', from('blob'), '--baseImagesUrl', from('raw')];
}
