import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  declareForCommonJs();
}

/**
 * `require` loads the ES modules, but TypeScript before 5.8 refuses what is declared as one in a CommonJS file: the same
 * declarations stand once more in a folder that says otherwise.
 */
function declareForCommonJs() {
  rmSync('dist/cjs', { recursive: true, force: true });
  const isDeclaration = (path) => !/\.(js|map|tsbuildinfo)$/.test(path);
  const copy = join(root, 'node_modules', '.cache', 'dragoman-cjs');
  rmSync(copy, { recursive: true, force: true });
  cpSync('dist', copy, { recursive: true, filter: isDeclaration });
  mkdirSync('dist/cjs');
  cpSync(copy, 'dist/cjs', { recursive: true });
  rmSync(copy, { recursive: true });
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
}
