import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));

/** The line that says how to get the peers. */
export const howToGetPeers = 'Peers run beside Dragoman after: npm run bench -- --peers';

/** Installs the peers of bench/package.json into bench/node_modules, if they are not there. */
export function installPeers() {
  if (folderOfPeer('@ai-sdk-tool/parser') && folderOfPeer('@portkey-ai/gateway')) return;
  console.error('  installing the peers into bench/node_modules …');
  // npm is a script on Windows, which only a shell starts; the line is constant.
  const { status } = spawnSync('npm install --no-package-lock --no-audit --no-fund', {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (status !== 0) console.error('  the peers could not be installed; going on without them');
}

/** Where a peer is installed; undefined when it is not. */
export function folderOfPeer(name) {
  const found = join(folder, 'node_modules', name);
  return existsSync(join(found, 'package.json')) ? found : undefined;
}

/** The peer's module; undefined when it is not installed. */
export async function importPeer(name) {
  if (folderOfPeer(name) === undefined) return undefined;
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  return import(pathToFileURL(path).href);
}
