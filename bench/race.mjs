// Races the working tree against the commit before it (or another one: node bench/race.mjs COMMIT), and that commit against
// itself, which says how much of a difference is noise. Fails only where a request has become half as dear again.
import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, root } from '../scripts/ensure.mjs';
import { scratch } from '../scripts/scratch.mjs';
import { gatewaysOf } from './gateway/candidates.mjs';
import { ask, cpuOf, startScript, stop, untilStill } from './gateway/processes.mjs';
import { median } from './measure/statistics.mjs';

const rounds = 4;
/** Milliseconds after which no further round begins: a slow machine compares fewer. */
const longest = 40_000;
/** A ratio beyond this one fails: noise must never block a change. */
const most = 1.5;

/** So many requests by each way, whose CPU counts, and three times as many before, until Node has compiled what they run through. */
const loads = {
  'small request': { kind: 'whole', stream: false, count: 300, ways: ['native', 'hermes'] },
  'agent, one answer': { kind: 'whole', stream: false, size: 'agent', count: 32, ways: ['hermes'] },
  'agent, 203 frames': { kind: 'burst', stream: true, size: 'agent', count: 32, ways: ['native', 'relayed'] },
};
const connections = 4;
const warmUps = 3;

const commit = process.argv[2] ?? 'HEAD~1';
const before = build(commit);
if (typeof before === 'string') {
  console.log(`race: nothing to compare with, ${before}`);
} else {
  process.exitCode = await race(before.folder);
}
process.exit();

/** The commit, built in a folder of its own on the packages that are installed here; why not, in words. */
function build(name) {
  ensure();
  if (git('rev-parse', '--verify', '--quiet', `${name}^{commit}`) !== 0) return `there is no commit ${name}`;
  const folder = join(scratch(), 'before');
  // The folder goes with what is temporary; here Git forgets it.
  process.once('exit', () => git('worktree', 'prune'));
  if (git('worktree', 'add', '--detach', '--force', folder, name) !== 0) return `${name} cannot be checked out`;
  sharePackages(folder);
  const run = (...args) => spawnSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0;
  if (
    run('node_modules/typescript/bin/tsc', '-b', 'packages/server') &&
    run('scripts/bundle-packages.mjs', 'core', 'server')
  ) {
    return { folder };
  }
  return `${name} does not build on the packages that are installed here`;
}

/** Links to what is installed here; links into this repository become links into that one. */
function sharePackages(folder) {
  const [from, to] = [root, folder].map((each) => join(each, 'node_modules'));
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === '@dragoman' || lstatSync(join(from, name)).isSymbolicLink()) {
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    } else if (name !== '.cache') symlinkSync(join(from, name), join(to, name));
  }
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 2] }).status;
}

async function race(folder) {
  const { port: upstreamPort } = await startScript('upstream-mock.mjs');
  const { child: generator } = await startScript('load.mjs', { reports: false });
  const runners = await Promise.all(
    Object.entries({ now: root, before: folder, again: folder }).flatMap(([label, at]) =>
      gatewaysOf(at).map(async (gateway) => ({ ...gateway, label, ...(await gateway.start(upstreamPort)) })),
    ),
  );
  await untilStill(runners.map(({ child }) => child));
  const found = new Map();
  const began = performance.now();
  for (let round = 0; round <= rounds; round += 1) {
    if (round > 1 && performance.now() - began > longest) break;
    // Those that are compared run right after each other, and another one begins each round.
    for (const [name, load] of Object.entries(loads)) {
      for (const ours of load.ways) {
        const [a, b, c] = runners.filter((each) => each.ours === ours);
        for (const runner of [a, b, c, a, b].slice(round % 3, (round % 3) + 3)) {
          const cpu = await cpuPerRequest(runner, { ...load, generator, upstreamPort, isWarmUp: round === 0 });
          if (round > 0) add(found, `${ours}, ${name}`, { label: runner.label, cpu });
        }
      }
    }
  }
  for (const { child } of runners) await stop(child);
  return judge(found);
}

async function cpuPerRequest(runner, { kind, stream, size, count, generator, upstreamPort, isWarmUp }) {
  const request = runner.request({ kind, stream, size, upstreamPort });
  const expect = runner.expect ?? (stream ? '[DONE]' : '"content"');
  const each = (count / connections) * (isWarmUp ? warmUps : 1);
  const from = cpuOf(runner.child.pid);
  const result = await ask(generator, { kind: 'count', port: runner.port, request, expect, count: each, connections });
  return result.count === each * connections ? (cpuOf(runner.child.pid) - from) / result.count : Number.NaN;
}

function add(found, name, { label, cpu }) {
  if (!found.has(name)) found.set(name, { now: [], before: [], again: [] });
  found.get(name)[label].push(cpu);
}

/** Tells each ratio beside that of the old commit to itself; 1 where one is too large. */
function judge(found) {
  let isSlower = false;
  console.log('race: CPU per request, medians; "itself" is what the old commit costs beside itself');
  for (const [name, { now, before, again }] of found) {
    const [a, b, c] = [now, before, again].map(median);
    // Noise only adds: what is slower is so in its best round, and beside both runs of the old commit.
    const isBad = Math.min(...now) > most * Math.max(b, c) || Number.isNaN(a);
    isSlower ||= isBad;
    const ratios = `${(a / b).toFixed(2)} × before, itself ${(c / b).toFixed(2)} ×`;
    console.log(`  ${name.padEnd(36)} ${a.toFixed(0).padStart(6)} µs  ${ratios}${isBad ? '  SLOWER' : ''}`);
  }
  return isSlower ? 1 : 0;
}
