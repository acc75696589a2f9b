import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './ensure.mjs';
import { licenseOfVocabulary, setup as writeVocabulary } from './vocabulary.mjs';

// Started with the names of packages that are built: node scripts/bundle-packages.mjs core server

/** What each package is entered by: modules of its build, by the name that each has in the bundle. */
const entriesOf = {
  core: (dist) => {
    const dialects = readdirSync(join(dist, 'dialects'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `dialects/${name}/index`)
      .filter((name) => existsSync(join(dist, `${name}.js`)));
    return Object.fromEntries(['index', 'parse', 'dialects/registry', ...dialects].map((name) => [name, name]));
  },
  server: () => ({ index: 'index', run: 'cli/run' }),
};

/**
 * Of these the server uses little, thirty modules of a hundred; or it needs them at every start, where many files take long to find.
 */
const inlined = ['zod', 'commander', 'jsonc-parser', 'fastest-levenshtein', '@dragoman/worker'];

/**
 * Writes a package's build once more, as few files below `dist/bundle`, which Node loads: it takes longer to find and compile a
 * thousand modules than to run them. What only some commands load stays apart. Bundlers take the modules, of which they leave
 * out what is not used.
 */
async function bundlePackage(name) {
  const dist = join(root, 'packages', name, 'dist');
  const entries = Object.entries(entriesOf[name](dist));
  const input = await rolldown({
    input: Object.fromEntries(entries.map(([to, from]) => [to, join(dist, `${from}.js`)])),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    // All other packages, also our own, are shared with whoever imports them.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !inlined.some((name) => isOf(name, id)),
    treeshake: { moduleSideEffects: false },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  try {
    const dir = join(dist, 'bundle');
    rmSync(dir, { recursive: true, force: true });
    const files = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
    const groups = name === 'core' ? groupsOfCore(dist) : [];
    const { output } = await input.write({ dir, format: 'esm', comments: false, codeSplitting: { groups }, ...files });
    for (const chunk of output) writeFileSync(join(dir, chunk.fileName), narrow(chunk.code));
    if (name !== 'server') return;
    writeVocabulary();
    writeFileSync(join(dir, 'LICENSE.o200k_base'), licenseOfVocabulary());
    for (const each of inlined.filter((id) => !id.startsWith('@dragoman/'))) {
      const folder = join(root, 'node_modules', each);
      const license = readdirSync(folder).find((file) => /^license/i.test(file));
      copyFileSync(join(folder, license), join(dir, `LICENSE.${each}`));
    }
  } finally {
    await input.close();
  }
}

/**
 * What becomes one file of the core, whose parts lead to the same values by whatever entry. Each takes along what it needs, so that no
 * file waits for a later one. It is not one for all: what has read a file frees a block as long as that, and the system's
 * allocator keeps up to twice the longest such block for each of Node's threads.
 */
function groupsOfCore(dist) {
  const folders = {
    parser: ['dialects/parser'],
    dialects: ['dialects'],
    prepare: ['prepare', 'plan'],
    wires: ['wires', 'client', 'upstream'],
    core: [''],
  };
  return Object.entries(folders).map(([name, within], at, { length }) => ({
    name,
    test: (id) => within.some((folder) => id.startsWith(join(dist, folder))),
    priority: length - at,
  }));
}

/**
 * Code with escapes for characters beyond Latin 1: with a single one of them, Node keeps two bytes for each character of a file, for
 * as long as it runs.
 */
function narrow(code) {
  if (/\\[^\0-\xff]|String\.raw/.test(code)) throw new Error('an escape would mean something else after a backslash');
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether what is imported is a package, or a part of it. */
function isOf(name, id) {
  return id === name || id.startsWith(`${name}/`);
}

for (const name of process.argv.slice(2)) await bundlePackage(name);
