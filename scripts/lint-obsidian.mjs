import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../test/agents/run-command.mjs';
import { ensure, root } from './ensure.mjs';

// What the review of Obsidian's community plugins looks for, by its own rules. They stand on ESLint and an older TypeScript, 300
// packages that nothing else needs, so they are installed beside the repository, once.

const wanted = [
  'eslint@9.39.5',
  'eslint-plugin-obsidianmd@0.4.2',
  'typescript@5.9.3',
  'typescript-eslint@8.73.0',
  '@eslint/js@9.39.5',
  '@eslint/json@0.14.0',
  'obsidian@1.13.1',
];
const folder =
  process.env.DRAGOMAN_OBSIDIAN_LINT ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'dragoman-obsidian-lint');
const done = join(folder, 'installed');
const modules = join(folder, 'node_modules');
const packages = join(root, 'packages');

ensure();
if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted.join(' ')) await install();

// The rules read the manifest there.
process.chdir(join(packages, 'obsidian'));
const load = (path) => import(pathToFileURL(join(modules, path)).href);
const { ESLint } = await load('eslint/lib/api.js');
const { default: obsidian } = await load('eslint-plugin-obsidianmd/dist/lib/index.js');

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    ...obsidian.configs.recommended,
    { files: ['**/*.ts'], languageOptions: { parserOptions: { project: writeProject() } } },
    {
      files: ['src/**/*.ts'],
      rules: {
        'obsidianmd/ui/sentence-case': [
          'error',
          { acronyms: ['MCP', 'HTTP', 'URL'], ignoreRegex: ['^https?://', '^\\{'] },
        ],
        // Streaming needs it, and where CORS forbids it `requestUrl` follows.
        'no-restricted-globals': 'off',
        // A signal's reason is whatever its owner gave.
        '@typescript-eslint/prefer-promise-reject-errors': 'off',
        // From 1.13 on; the oldest version that the plugin runs in has `display` alone.
        'obsidianmd/settings-tab/prefer-setting-definitions': 'off',
        '@typescript-eslint/no-deprecated': 'off',
        // The linter of the repository forbids it in sources; these two are what JSON says of itself.
        '@typescript-eslint/no-unsafe-return': 'off',
        '@typescript-eslint/no-unsafe-assignment': 'off',
        '@typescript-eslint/no-unsafe-argument': 'off',
      },
    },
    {
      // The panel knows a page and nothing of Obsidian; the height of its field is that of its text.
      files: ['src/view/**/*.ts'],
      rules: {
        'obsidianmd/prefer-create-el': 'off',
        'obsidianmd/prefer-instanceof': 'off',
        'obsidianmd/no-static-styles-assignment': 'off',
      },
    },
  ],
});
const results = await eslint.lintFiles(['src']);
const text = await (await eslint.loadFormatter('stylish')).format(results);
if (text !== '') console.log(text);
const count = results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0);
console.log(`${results.length} files, ${count} remarks`);
process.exitCode = count === 0 ? 0 : 1;

async function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // The rules ask for an older `obsidian` than the one whose types they are to check.
  const args = ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error', ...wanted];
  const { problem, stderr } = await runCommand('npm', args, { cwd: folder, timeout: 5 * 60_000 });
  if (problem !== undefined) {
    console.error(`The rules cannot be installed into ${folder}. ${problem}\n${stderr.slice(-2000)}`);
    process.exit(1);
  }
  writeFileSync(done, wanted.join(' '));
}

/** The sources of all packages, so that none has to be built. */
function writeProject() {
  const project = join(folder, 'tsconfig.json');
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8'));
  const options = {
    ...compilerOptions,
    target: 'ES2023',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    composite: false,
    incremental: false,
    noEmit: true,
    baseUrl: root,
    paths: {
      '@dragoman/agent/*': ['packages/agent/src/*.ts'],
      '@dragoman/agent': ['packages/agent/src/index.ts'],
      '@dragoman/core': ['packages/core/src/index.ts'],
    },
  };
  writeFileSync(
    project,
    JSON.stringify({ compilerOptions: options, include: [join(packages, 'obsidian/src/**/*.ts')] }),
  );
  return project;
}
