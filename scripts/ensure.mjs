import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, wherever the command was started. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where the agents of `npm run test:agents` are installed. */
export const agentsFolder = process.env.DRAGOMAN_AGENTS ?? join(root, 'node_modules', '.cache', 'agents');

const oldest = [20, 19];
const stamp = join(root, 'node_modules', '.cache', 'dragoman-build');
const built = join(root, 'packages', 'server', 'dist', 'bundle', 'run.js');

/**
 * Brings the repository into a state in which it runs: installs when node_modules does not hold what package-lock.json
 * asks for, builds when a source has changed since the last build. Ends the process with one clear line when it cannot.
 */
export function ensure() {
  checkNode();
  if (!isInstalled()) install();
  const now = sourcesDigest();
  if (existsSync(built) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  say('building …');
  if (runTool('tsc', ['-b', 'packages/server']) !== 0 || !bundlePackages(['core', 'server'])) {
    fail('The build failed; see above.');
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}

/** Bundles packages that are built, and tells whether that went well. */
export function bundlePackages(names) {
  const script = join(root, 'scripts', 'bundle-packages.mjs');
  return spawnSync(process.execPath, [script, ...names], { stdio: ['inherit', 2, 2] }).status === 0;
}

/** Runs an installed package's command from the root and returns its exit code. */
export function runTool(name, args) {
  const manifest = join(root, 'node_modules', packageOf[name], 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  const file = join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
  const plain = process.stderr.isTTY ? [] : withoutColour[name];
  const { status, error } = spawnSync(process.execPath, [file, ...args, ...plain], {
    cwd: root,
    stdio: ['inherit', 2, 2],
  });
  if (error) fail(`${name} cannot be started: ${error.message}`);
  return status ?? 1;
}

/** Some colour whatever they write, also into a pipe or a log file. */
const withoutColour = { tsc: [], biome: ['--colors=off'], vitest: ['--no-color'] };

const packageOf = { tsc: 'typescript', biome: '@biomejs/biome', vitest: 'vitest' };

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  fail(`Dragoman needs Node ${oldest.join('.')} or later; this is ${process.versions.node}. See https://nodejs.org.`);
}

/** npm leaves a list of what it installed; every package of the lock file has to be on it in the same version. */
function isInstalled() {
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  const wanted = packagesIn(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.peer === true || entry.devOptional === true;
    return found.version === entry.version && found.link === entry.link;
  });
}

function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

function install() {
  say('installing packages …');
  // npm is a script on Windows, which only a shell starts; the line is constant. Test packages that ask for a newer
  // Node than they need would only warn.
  const { status, error } = spawnSync('npm ci --no-audit --no-fund --loglevel=error', {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (error || status !== 0) fail('The packages could not be installed; see above. Is npm there, and the network?');
}

/** Names, sizes and times of all sources: cheap, and it notices removed files too. */
function sourcesDigest() {
  const hash = createHash('sha256').update(process.versions.node);
  const add = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else if (stat && !path.endsWith('.test.ts') && /\.(ts|json)$/.test(path)) {
      hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    }
  };
  for (const name of ['tsconfig.base.json', 'package-lock.json']) add(join(root, name));
  for (const name of ['core', 'agent', 'conformance', 'worker', 'server']) {
    for (const part of ['src', 'package.json', 'tsconfig.json']) add(join(root, 'packages', name, part));
  }
  return hash.digest('hex');
}

function say(text) {
  process.stderr.write(`dragoman: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
