/**
 * Prints which tests name which requirement: id, then the titles. `--json` gives the same for programs, `--missing` only
 * the ids that nothing names. Titles are read from test sources and from the case pages of the dialects, whose tests
 * carry the ids of a case's prose; tests of real servers and editors count, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const places = ['packages', 'test', 'bench', 'examples'];
const passedOver = new Set(['node_modules', 'dist']);
const idPattern = /\b[A-E]-\d{3}\b/g;

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Every file below a folder, in a stable order. */
function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (passedOver.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The titles of a test source: the string that `it`, `test` or `describe` is called with, `each` tables passed over. */
function titlesOfSource(text) {
  const called = /\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const each = /^\s*\]?(?: as const)?\)\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/gm;
  return [...text.matchAll(called), ...text.matchAll(each)].map((match) => match[2]);
}

/** The titles of a case page: a heading and the ids of the prose under it. */
function titlesOfPage(text) {
  const titles = [];
  let fence = '';
  let open;
  for (const line of text.split('\n')) {
    const marks = /^(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (marks.startsWith(fence) && line.trim() === marks) fence = '';
    } else if (marks !== '') fence = marks;
    else if (line.startsWith('## ')) {
      open = { name: line.slice(3).trim(), ids: [] };
      titles.push(open);
    } else open?.ids.push(...(line.match(idPattern) ?? []));
  }
  return titles.map(({ name, ids }) => (ids.length === 0 ? name : `${name} (${ids.join(', ')})`));
}

function titlesOf(path) {
  if (path.endsWith('.test.ts') || path.endsWith('.real.ts')) return titlesOfSource(readFileSync(path, 'utf8'));
  const isCasePage = path.endsWith('.md') && path.split(sep).at(-2) === 'cases' && !path.endsWith('README.md');
  return isCasePage ? titlesOfPage(readFileSync(path, 'utf8')) : [];
}

/** Every requirement id in a title, with the tests that name it. */
function testsById() {
  const tests = new Map();
  for (const path of places.flatMap((place) => filesIn(place))) {
    for (const title of titlesOf(path)) {
      for (const id of new Set(title.match(idPattern) ?? [])) {
        if (!tests.has(id)) tests.set(id, []);
        tests.get(id).push({ file: relative(root, path).split(sep).join('/'), title });
      }
    }
  }
  return tests;
}

/** A place that does not exist holds nothing. */
function filesIn(place) {
  try {
    return filesBelow(join(root, place));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function coverageMap() {
  const groups = readJson('test/requirements.json');
  const tests = testsById();
  return Object.entries(groups).map(([group, ids]) => ({
    group,
    requirements: ids.map((id) => ({
      id,
      tests: tests.get(id) ?? [],
    })),
  }));
}

function write(map, { onlyMissing }) {
  const lines = [];
  for (const { group, requirements } of map) {
    const shown = requirements.filter(({ tests }) => !onlyMissing || tests.length === 0);
    const covered = requirements.filter(({ tests }) => tests.length > 0).length;
    lines.push(`${group}: ${covered} of ${requirements.length}`);
    for (const { id, tests } of shown) {
      if (tests.length === 0) lines.push(`  ${id}  NO TEST`);
      for (const { file, title } of tests) lines.push(`  ${id}  ${title}  [${file}]`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const map = coverageMap();
const asked = new Set(process.argv.slice(2));
process.stdout.write(
  asked.has('--json') ? `${JSON.stringify(map)}\n` : write(map, { onlyMissing: asked.has('--missing') }),
);
