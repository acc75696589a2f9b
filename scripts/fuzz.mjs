import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensure, root } from './ensure.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    dialect: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});

const usage = `npm run fuzz -- [--minutes 10] [--seed N] [--dialect ID]…

Searches for replies that break a promise of a dialect: the properties of \`npm test\`, over as many random examples as
there is time for. What it finds is printed with the smallest example and the line that shows it again.`;

/** Properties of one dialect, near enough to share out the time. */
const propertiesOfEach = 18;

if (values.help) console.log(usage);
else {
  ensure();
  process.exitCode = search(Number(values.minutes), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)));
}

/** Runs the tests that hold properties, each for its share of the time, and says how many examples they had. */
function search(minutes, seed) {
  const files = testFiles();
  if (!(minutes > 0) || !Number.isInteger(seed) || files.length === 0) {
    console.error(files.length === 0 ? 'There is no such dialect.' : usage);
    return 2;
  }
  const workers = Math.min(files.length, availableParallelism());
  const seconds = (minutes * 60 * workers) / (files.length * propertiesOfEach);
  console.log(`seed ${seed}, ${minutes} minutes, ${files.length} dialects, ${seconds.toFixed(2)} s for each property`);
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-fuzz-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${report}`];
  const only = ['-t', 'keeps the promises', '--testTimeout=0', '--no-color'];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...files, ...only, ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      DRAGOMAN_FUZZ: '1',
      DRAGOMAN_FUZZ_SEED: String(seed),
      DRAGOMAN_FUZZ_SECONDS: String(seconds),
    },
  });
  if (existsSync(report)) tell(JSON.parse(readFileSync(report, 'utf8')), seed);
  rmSync(folder, { recursive: true });
  return status ?? 1;
}

/** The tests of the dialects that were asked for, or of all. */
function testFiles() {
  const folder = join('packages', 'core', 'src', 'dialects');
  return readdirSync(join(root, folder))
    .filter((id) => values.dialect.length === 0 || values.dialect.includes(id))
    .map((id) => join(folder, id, 'index.test.ts'))
    .filter((file) => existsSync(join(root, file)));
}

function tell({ testResults }, seed) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const held = tests.filter(({ meta }) => meta?.examples !== undefined);
  const examples = held.reduce((sum, { meta }) => sum + meta.examples, 0);
  const broken = held.filter(({ status }) => status === 'failed');
  console.log(`\nseed ${seed}: ${examples} examples of ${held.length} properties, ${broken.length} broken`);
  for (const { fullName } of broken) console.log(`  ${fullName}`);
}
