import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const installTimeout = 300_000;

/**
 * Brings an agent into its own folder below `cache` unless exactly this version is there. Returns the file that starts
 * it and the seconds that it took, or `problem`: npm's own words on why it cannot be had here. Install scripts run only
 * where an agent needs them.
 */
export function installAgent(agent, cache) {
  const from = performance.now();
  const folder = join(cache, agent.name);
  const done = join(folder, 'installed');
  const file = join(folder, 'node_modules', '.bin', agent.command);
  const wanted = `${agent.package}@${agent.version}`;
  if (!(existsSync(file) && existsSync(done) && readFileSync(done, 'utf8') === wanted)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // npm would otherwise look upwards for a project and find this repository.
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const problem = install(wanted, { folder, scripts: agent.installScripts === true });
    if (problem !== undefined) return { problem };
    if (!existsSync(file)) return { problem: `${wanted} brings no command "${agent.command}"` };
    writeFileSync(done, wanted);
  }
  return { file, seconds: (performance.now() - from) / 1000 };
}

function install(wanted, { folder, scripts }) {
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const { status, error, signal, stderr } = spawnSync(
    'npm',
    [...args, ...(scripts ? [] : ['--ignore-scripts']), wanted],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: installTimeout,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  if (status === 0) return undefined;
  if (error !== undefined) return error.message;
  const said = stderr.split('\n').filter((line) => line.startsWith('npm error') && !line.includes('complete log'));
  return said.length > 0 ? said.slice(0, 3).join('\n') : `npm ended with ${status ?? signal}`;
}
