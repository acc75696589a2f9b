import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runCommand } from '../agents/run-command.mjs';

// A real VS Code, all of it from npm, about 850 MB on disk:
// - code-server (MIT): VS Code's own sources as a server, with Copilot Chat (MIT) built in; its dependencies are pinned
//   by the lists that it ships
// - the one release of Node that it runs on, as it is published for this platform
const codeServer = 'code-server@4.139.1';
const node = `node-${process.platform}-${process.arch}@24.21.0`;
const wanted = [codeServer, node].join(' ');

/** Modules without which the server ends at the first page. All others ship built, or are for passwords and proxies. */
const toBuild = ['@vscode/spdlog', '@vscode/native-watchdog'];

/** Milliseconds for one step. */
const stepTimeout = 5 * 60_000;
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Where VS Code is kept between runs. */
export function vscodeFolder(env = process.env) {
  return env.DRAGOMAN_VSCODE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'dragoman-vscode');
}

/**
 * Brings VS Code into the folder unless exactly this one is there. Returns where it is, or `problem`: what this machine
 * lacks, or what went wrong. What is half done is never taken for done.
 */
export async function installVscode(folder, report) {
  const browser = browsers.find(existsSync);
  if (browser === undefined) return { problem: `This machine lacks ${browsers.join(', ')} (Debian: chromium).` };
  const done = join(folder, 'installed');
  const modules = join(folder, 'node_modules');
  const bin = join(modules, node.slice(0, node.indexOf('@')), 'bin');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
    const lacking = await findLacking();
    if (lacking.length > 0) return { problem: `This machine lacks ${lacking.join(', and ')}.` };
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    for (const { name, args, at = '.' } of steps) {
      const from = performance.now();
      const env = { ...process.env, ...headers(), PATH: [bin, process.env.PATH].join(delimiter) };
      const options = { cwd: join(folder, at), timeout: stepTimeout, env };
      const { problem, stderr } = await runCommand('npm', [...args, ...quiet], options);
      if (problem !== undefined) return { problem: `${name}: ${problem}\n${stderr.slice(-2000)}` };
      report(`${name}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
    }
    writeFileSync(done, wanted);
  }
  return { node: join(bin, 'node'), server: join(modules, 'code-server', 'out', 'node', 'entry.js') };
}

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

async function findLacking() {
  const lacking = [];
  const runs = async (command) => (await runCommand(command, ['--version'], { timeout: 30_000 })).problem === undefined;
  if (!(await runs('python3'))) lacking.push('Python 3');
  if (!(await runs('make')) || !(await runs('c++'))) lacking.push('make and a C++ compiler (Debian: build-essential)');
  return lacking;
}

const inside = join('node_modules', 'code-server', 'lib', 'vscode');

// Scripts of packages would build what nobody needs here, against libraries that are not there.
const steps = [
  { name: 'code-server', args: ['install', '--ignore-scripts', codeServer, node] },
  { name: "VS Code's modules", at: inside, args: ['install', '--omit=dev', '--ignore-scripts'] },
  {
    name: "its extensions' modules",
    at: join(inside, 'extensions'),
    args: ['install', '--omit=dev', '--ignore-scripts'],
  },
  { name: 'built modules', at: inside, args: ['rebuild', ...toBuild] },
];

/** The headers of the Node that runs this, where it has brought any: the modules built here need none of a later one. */
function headers() {
  const place = dirname(dirname(process.execPath));
  return existsSync(join(place, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: place } : {};
}
