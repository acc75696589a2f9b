import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { bundlePackages, ensure, root, runTool } from './ensure.mjs';

// npm runs it in a package's folder before it packs that: what is packed is built, and has the licence beside it.
ensure();
copyFileSync(join(root, 'LICENSE'), 'LICENSE');
// What the command line points at is there for those who have no clone.
if (process.env.npm_package_name === '@dragoman/server') cpSync(join(root, 'docs'), 'docs', { recursive: true });
if (existsSync('tsconfig.json')) {
  process.exitCode = runTool('tsc', ['-b', process.cwd()]);
  const name = basename(process.cwd());
  if (['core', 'server'].includes(name) && !bundlePackages([name])) process.exitCode = 1;
  const unused = unusedDeclarations();
  declareForCommonJs(unused);
  // Also the other files below `dist` that `files` names go without what is listed here; the build keeps them.
  const listed = unused.map((path) => `/${relative('dist', path).split(sep).join('/')}`);
  writeFileSync('dist/.npmignore', `${listed.join('\n')}\n`);
}

/** Declarations of modules that no type of what the package exports leads to: nobody's compiler reads them. */
function unusedDeclarations() {
  const paths = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .map((path) => resolve('dist', path))
    .filter((path) => path.endsWith('.d.ts') && !path.startsWith(resolve('dist', 'cjs') + sep));
  const { types, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = JSON.stringify([types, exports]).match(/\.\/dist\/(?!cjs\/)[^"]+\.d\.ts/g) ?? [];
  const isEntry = (path) =>
    entries.some((entry) => {
      const [before, after] = resolve(entry).split('*');
      return after === undefined ? path === before : path.startsWith(before) && path.endsWith(after);
    });
  const used = new Set(paths.filter(isEntry));
  for (const path of used) {
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)[ (]*['"](\.[^'"]+)\.[jt]s['"]/g)) {
      used.add(resolve(dirname(path), `${name}.d.ts`));
    }
  }
  return paths.filter((path) => !used.has(path));
}

/**
 * `require` loads the ES modules, but TypeScript before 5.8 refuses what is declared as one in a CommonJS file: the same
 * declarations stand once more in a folder that says otherwise.
 */
function declareForCommonJs(unused) {
  rmSync('dist/cjs', { recursive: true, force: true });
  const isDeclaration = (path) => !/\.(js|map|tsbuildinfo|npmignore)$/.test(path) && !unused.includes(resolve(path));
  const copy = join(root, 'node_modules', '.cache', 'dragoman-cjs');
  rmSync(copy, { recursive: true, force: true });
  cpSync('dist', copy, { recursive: true, filter: isDeclaration });
  mkdirSync('dist/cjs');
  cpSync(copy, 'dist/cjs', { recursive: true });
  rmSync(copy, { recursive: true });
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
}
