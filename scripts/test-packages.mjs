import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './ensure.mjs';
import { scratch } from './scratch.mjs';

// The packages as users get them: packed, installed into an empty folder, and run there.

const packages = ['core', 'agent', 'conformance', 'worker', 'server', 'dragoman', 'ai-sdk', 'openresponses-client'];
const folder = scratch();
const home = join(folder, 'home');
const run = promisify(execFile);
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
const inHome = (file, args) => execFileSync(file, args, { cwd: home, env, encoding: 'utf8' });
const compilers = ['typescript5.4@npm:typescript@5.4', 'typescript5.9@npm:typescript@5.9', 'typescript@latest'];
const check = (good, what) => {
  console.log(`${good ? 'ok    ' : 'FAILED'}  ${what}`);
  if (!good) process.exitCode = 1;
};

const tarballs = packages.map((name) => {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], join(root, 'packages', name)));
  const paths = packed.files.map(({ path }) => path);
  check(
    ['README.md', 'LICENSE', ...modulesOf(name)].every((path) => paths.includes(path)),
    `${packed.name} holds what it needs, in ${paths.length} files and ${(packed.unpackedSize / 1e6).toFixed(1)} MB`,
  );
  check(!paths.some((path) => /\.map$|\.tsbuildinfo$|\.test\./.test(path)), `${packed.name} holds nothing else`);
  return join(folder, packed.filename);
});
/** Installs into a new folder. */
async function install(folder, ...wanted) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], { cwd: folder });
}
/** The versions of the AI SDK beside the newest, each in a folder of its own. */
const olderSdks = ['5', '6'].map((version) => ({ version, older: join(folder, `ai${version}`) }));
const forSdk = tarballs.filter((path) => /dragoman-(core|ai-sdk)-/.test(path));
await Promise.all([
  install(home, ...tarballs, 'ai@7', ...compilers),
  ...olderSdks.map(({ version, older }) => install(older, ...forSdk, `ai@${version}`)),
]);

const use =
  "import { parseAllToolCalls } from '@dragoman/core';\nimport { hermes } from '@dragoman/core/dialects/hermes';\n";
const print = "console.log(parseAllToolCalls('Hm.', { tools: [], dialect: hermes }).text);\n";
const ask = [
  "import { createClient, type ResponsesRequest } from '@dragoman/openresponses-client';",
  "const request: ResponsesRequest = { model: 'demo', input: 'Hi' };",
  "export const answer = createClient({ baseUrl: 'http://127.0.0.1:1' }).create(request).then(({ id }) => id);\n",
].join('\n');
for (const file of ['use.ts', 'use.mts', 'use.cts']) writeFileSync(join(home, file), use + ask + print);
writeFileSync(join(home, 'use.mjs'), `${use}import '@dragoman/ai-sdk';\n${print}`);
writeFileSync(join(home, 'use.cjs'), "console.log(typeof require('@dragoman/core').parseAllToolCalls);\n");
check(inHome(process.execPath, ['use.mjs']) === 'Hm.\n', 'an ES module imports the library and the middleware');
check(inHome(process.execPath, ['use.cjs']).startsWith('function'), 'CommonJS requires the library');
// Each compiler on its own: one at a time would leave processors idle.
await Promise.all([...['typescript5.4', 'typescript5.9', 'typescript'].map(findsTypes), ...olderSdks.map(fitsSdk)]);
check(inHome('npx', ['dragoman', '--help']).includes('serve'), 'npx dragoman --help');
const [answered, chatted] = await answersOfGateway();
check(
  answered === 'completed demo true\n',
  'npx dragoman serve answers the client of OpenResponses, and counts tokens',
);
check(chatted.includes('package.json (read)'), 'npx dragoman chat reads a file of the folder');

function modulesOf(name) {
  if (name === 'dragoman') return [];
  const bundles = { core: ['dist/index.js', 'dist/bundle/index.js'], server: ['dist/bundle/index.js'] };
  return ['dist/index.d.ts', ...(bundles[name] ?? ['dist/index.js'])];
}

async function findsTypes(typescript) {
  for (const [files, module, resolution] of [
    [['use.mts', 'use.cts'], 'nodenext', 'nodenext'],
    [['use.ts'], 'esnext', 'bundler'],
    // TypeScript 7 has no other way left.
    ...(typescript === 'typescript' ? [] : [[['use.ts'], 'commonjs', 'node10']]),
  ]) {
    const how = ['--module', module, '--moduleResolution', resolution, ...files];
    const found = await compiles(typescript, how, home);
    check(found, `${typescript} finds the types of ${files.join(' and ')}, by ${resolution}`);
  }
}

async function fitsSdk({ version, older }) {
  writeFileSync(
    join(older, 'use.mts'),
    `import { dragoman } from '@dragoman/ai-sdk/v${version}';
import { type LanguageModel, wrapLanguageModel } from 'ai';
declare const model: Exclude<Parameters<typeof wrapLanguageModel>[0]['model'], string>;
export const wrapped: LanguageModel = wrapLanguageModel({ model, middleware: dragoman({ dialect: 'hermes' }) });
`,
  );
  const fits = await compiles('typescript5.9', ['--skipLibCheck', '--module', 'nodenext', 'use.mts'], older);
  check(fits, `@dragoman/ai-sdk/v${version} fits the types of ai ${version}`);
}

async function compiles(typescript, how, cwd) {
  const compiler = join(home, 'node_modules', typescript, 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2022', ...how];
  return run(process.execPath, [compiler, ...options], { cwd }).then(
    () => true,
    ({ stdout, message }) => {
      console.log(stdout || message);
      return false;
    },
  );
}

/** Starts the command on a free port and asks it with the client, and in a chat. */
async function answersOfGateway() {
  const gateway = spawn('node_modules/.bin/dragoman', ['serve', '--port', '0'], { cwd: home });
  try {
    let said = '';
    for await (const chunk of gateway.stdout) {
      said += chunk;
      const [address] = said.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
      if (address === undefined) continue;
      const ask = `import { createClient } from '@dragoman/openresponses-client';
        const client = createClient({ baseUrl: '${address}' });
        const { status, model, usage } = await client.create({ model: 'demo', input: 'Hi' });
        console.log(status, model, usage.input_tokens > 0);`;
      return [
        inHome(process.execPath, ['--input-type=module', '--eval', ask]),
        inHome('node_modules/.bin/dragoman', ['chat', '--url', address, '--print', 'Read package.json']),
      ];
    }
    return ['', ''];
  } finally {
    gateway.kill();
  }
}
