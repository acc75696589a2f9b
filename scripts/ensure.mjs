import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, wherever the command was started. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where the agents of `npm run test:agents` are installed. */
export const agentsFolder = process.env.DRAGOMAN_AGENTS ?? join(root, 'node_modules', '.cache', 'agents');

const oldest = [20, 19];
const stamp = join(root, 'node_modules', '.cache', 'dragoman-build');
/** What npm has installed. */
const installed = join('node_modules', '.package-lock.json');
const built = join(root, 'packages', 'server', 'dist', 'bundle', 'run.js');

/**
 * Brings the repository into a state in which it runs: installs when node_modules does not hold what package-lock.json
 * asks for, builds when a source has changed since the last build. Ends the process with one clear line when it cannot.
 */
export function ensure() {
  checkNode();
  if (existsSync(built) && existsSync(stamp) && readFileSync(stamp, 'utf8') === listSources()) return;
  if (!isInstalled()) install();
  const now = listSources();
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
  const there = packagesIn(join(root, installed));
  const wanted = packagesIn(join(root, 'package-lock.json'));
  if (there === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = there[path];
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

/**
 * Names, sizes and times of all sources and of what is installed: it is cheap, as every command in a clone begins with it, and it notices
 * removed files too.
 */
function listSources() {
  const lines = [];
  const add = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) lines.push(`${path}\0${found.size}\0${found.mtimeMs}`);
  };
  const addFolder = (path) => {
    const entries = readdirSync(path, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry;
      if (entry.isDirectory()) addFolder(`${path}/${name}`);
      else if (name.endsWith('.json') || (name.endsWith('.ts') && !name.endsWith('.test.ts'))) add(`${path}/${name}`);
    }
  };
  for (const name of ['tsconfig.base.json', 'package-lock.json', installed]) add(join(root, name));
  for (const name of ['core', 'agent', 'conformance', 'worker', 'server']) {
    const folder = join(root, 'packages', name);
    for (const part of ['package.json', 'tsconfig.json']) add(join(folder, part));
    addFolder(join(folder, 'src'));
  }
  return lines.join('\n');
}

function say(text) {
  process.stderr.write(`dragoman: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
