import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './agents/run-command.mjs';

/** How long one attempt may take, and how long to wait before each further one; in milliseconds. */
const installTimeout = 200_000;
const pauses = [2_000, 6_000];

/**
 * Brings a program, such as an agent, from npm into its own folder below `cache` unless exactly this version is there, trying again where
 * that fails. Returns the file that starts it and the seconds that it took, or `problem`: npm's own words on why it cannot be had.
 * Install scripts run only where a program needs them. What is half done is never taken for done.
 */
export async function installProgram(program, cache) {
  const from = performance.now();
  const folder = join(cache, program.name);
  const wanted = `${program.package}@${program.version}`;
  const file = join(folder, 'node_modules', '.bin', program.command);
  let problem = isInstalled(folder, { file, wanted }) ? undefined : await install(program, { folder, wanted });
  for (const pause of pauses) {
    if (problem === undefined) break;
    process.stderr.write(`${program.name}: ${problem}; trying again\n`);
    await sleep(pause);
    problem = await install(program, { folder, wanted });
  }
  if (problem !== undefined) return { problem: `${wanted} cannot be installed: ${problem}` };
  if (!existsSync(file)) return { problem: `${wanted} brings no command "${program.command}"` };
  return { file, seconds: (performance.now() - from) / 1000 };
}

function isInstalled(folder, { file, wanted }) {
  const done = join(folder, 'installed');
  return existsSync(file) && existsSync(done) && readFileSync(done, 'utf8') === wanted;
}

/** One attempt, in a folder beside the right one. Returns what went wrong. */
async function install({ installScripts = false }, { folder, wanted }) {
  const draft = `${folder}.${process.pid}`;
  for (const each of [folder, draft]) rmSync(each, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // npm would otherwise look upwards for a project and find this repository.
  writeFileSync(join(draft, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', draft];
  const { problem, stderr } = await runCommand(
    'npm',
    [...args, ...(installScripts ? [] : ['--ignore-scripts']), wanted],
    {
      cwd: draft,
      timeout: installTimeout,
    },
  );
  if (problem !== undefined) {
    rmSync(draft, { recursive: true, force: true });
    const said = stderr.split('\n').filter((line) => line.startsWith('npm error') && !line.includes('complete log'));
    return said.length > 0 ? said.slice(0, 3).join('; ') : problem;
  }
  writeFileSync(join(draft, 'installed'), wanted);
  renameSync(draft, folder);
  return undefined;
}
