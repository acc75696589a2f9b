import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runTool } from './ensure.mjs';

/** What has to hold before tests are worth running; steps for `runSteps`. */
export const checkSteps = {
  'format and lint': formatAndLint,
  types: () => runTool('tsc', ['-b']),
};

const record = join(root, 'node_modules', '.cache', 'dragoman-lint.json');
/** What decides how all others are read. */
const settings = ['biome.json', 'package-lock.json', '.gitignore'];
/** A command line has room for so many names. */
const most = 500;

/**
 * Looks at the files that have changed since they were last found in order; at all where nothing is known, or where the rules
 * have changed. A rule that follows imports, such as the one against cycles, speaks up in each file of a cycle, so in the
 * changed one, too.
 */
function formatAndLint() {
  const now = statesOfFiles();
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const changed = Object.keys(now).filter((file) => now[file] !== before[file]);
  const isKnown = Object.keys(now).length > 0;
  if (isKnown && changed.length === 0) return 0;
  const isAll = !isKnown || changed.length > most || settings.some((file) => changed.includes(file));
  const code = runTool('biome', [
    'ci',
    '--diagnostic-level=warn',
    ...(isAll ? [] : ['--no-errors-on-unmatched', ...changed]),
  ]);
  if (code === 0) {
    mkdirSync(dirname(record), { recursive: true });
    writeFileSync(record, JSON.stringify(now));
  }
  return code;
}

/** Size and time of each file that Git knows or would take; none where there is no Git. */
function statesOfFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (listed.status !== 0) return {};
  const states = {};
  for (const file of listed.stdout.split('\0')) {
    const stat = file === '' ? undefined : statSync(join(root, file), { throwIfNoEntry: false });
    if (stat?.isFile()) states[file] = `${stat.size} ${stat.mtimeMs}`;
  }
  return states;
}
