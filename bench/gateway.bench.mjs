// What a gateway adds: requests, first chunks, streamed chunks, memory and starts, beside no gateway and beside the barest ones.
import { candidatesFor } from './gateway/candidates.mjs';
import { judge } from './gateway/judge.mjs';
import { measureStarts } from './gateway/measure-starts.mjs';
import { ask, cpuOf, memoryOf, startScript, stop, untilStill } from './gateway/processes.mjs';
import { showTables } from './gateway/show-tables.mjs';
import { readFlags } from './measure/flags.mjs';
import { folderOfPeer, howToGetPeers, installPeers } from './measure/peers.mjs';
import { Report } from './measure/report.mjs';

const flags = readFlags();
if (flags.peers) installPeers();
const report = new Report('gateway', flags);
const rounds = flags.quick ? 3 : 5;
const milliseconds = flags.quick ? 300 : 800;
// Until the optimiser has seen everything; shorter, and CPU per request comes out twice as high.
const warmUpFor = flags.quick ? 700 : 1200;
const idleStreams = { small: flags.quick ? 200 : 1000, agent: flags.quick ? 100 : 500 };
const coldTurns = 3;

/**
 * The kinds of load, each run for every candidate in every round. The size `agent` is the request that counts: 136 KB, thirty
 * tools, and as a stream it asks for usage, of which the upstream tells nothing.
 */
const loads = {
  requests: { kind: 'whole', stream: false, connections: 16, milliseconds },
  one: { kind: 'whole', stream: false, connections: 1, milliseconds: milliseconds / 2 },
  large: { kind: 'whole', stream: false, size: 'agent', connections: 8, milliseconds },
  agent: { kind: 'stream', stream: true, size: 'agent', connections: 8, milliseconds },
  first: { kind: 'brief', stream: true, connections: 1, milliseconds: milliseconds / 2 },
  streams: { kind: 'stream', stream: true, connections: 8, milliseconds },
  bursts: { kind: 'burst', stream: true, connections: 8, milliseconds },
};

const upstream = await startScript('upstream-mock.mjs');
const { child: generator } = await startScript('load.mjs', { reports: false });
const running = await startAll();
for (const each of running) await measure(each, { warmUp: true });
for (let round = 0; round < rounds; round += 1) {
  report.progress(`round ${round + 1} of ${rounds}`);
  // Another one begins each round, so that nobody is always first.
  const turn = round % running.length;
  for (const each of [...running.slice(turn), ...running.slice(0, turn)]) await measure(each, { warmUp: false });
}
for (const { child } of running) if (child) await stop(child);
report.progress('fresh processes');
const fresh = await measureFresh();
const starts = await measureStarts(upstream.port);
const found = { running, fresh, starts };
showTables(report, { ...found, rounds, idleStreams });
judge(report, found);
report.finish();
process.exit();

async function startAll() {
  const all = [];
  for (const candidate of candidatesFor(flags)) {
    const process = await candidate.start(upstream.port);
    if (process === undefined) report.progress(`${candidate.name} is not here`);
    else
      all.push({ ...candidate, ...process, found: Object.fromEntries(Object.keys(loads).map((name) => [name, []])) });
  }
  if (folderOfPeer('@portkey-ai/gateway') === undefined) report.say(`\n  ${howToGetPeers}`);
  return all;
}

function jobOf(candidate, { kind, stream, size, ...load }) {
  const request = candidate.request({ kind, stream, size, upstreamPort: upstream.port });
  const expect = candidate.expect ?? (stream ? '[DONE]' : '"content"');
  return { kind: 'load', port: candidate.port, request, expect, ...load };
}

async function measure(candidate, { warmUp }) {
  for (const [name, load] of Object.entries(loads)) {
    const job = jobOf(candidate, load);
    const before = cpuOf(candidate.child?.pid ?? Number.NaN);
    const result = await ask(generator, warmUp ? { ...job, milliseconds: warmUpFor } : job);
    const cpu = (cpuOf(candidate.child?.pid ?? Number.NaN) - before) / result.count;
    const errors = Object.entries(result.errors);
    if (errors.length > 0)
      report.progress(`${candidate.name}, ${name}: ${errors.map(([what, count]) => `${count} × ${what}`)}`);
    const failed = errors.reduce((sum, [, count]) => sum + count, 0);
    if (!warmUp) candidate.found[name].push({ ...result, cpu, failed, rate: result.count / result.seconds });
  }
}

/** Processes that have just been started: what one holds idle, what each silent stream adds, and what its first requests cost. */
async function measureFresh() {
  const rows = [];
  for (const candidate of candidatesFor(flags)) {
    if (candidate.name === 'direct') continue;
    const small = await measureMemory(candidate, 'small');
    if (small === undefined) continue;
    const agent = await measureMemory(candidate, 'agent');
    const cold = [];
    for (let turn = 0; turn < coldTurns; turn += 1) cold.push(await measureCold(candidate));
    const least = (value) => Math.min(...cold.map(value));
    rows.push({
      name: candidate.name,
      ours: candidate.ours,
      idle: small.idle,
      perStream: { small: small.perStream, agent: agent.perStream },
      failed: small.failed + agent.failed,
      cold: { first: least(({ first }) => first), next: least(({ next }) => next) },
    });
  }
  return rows;
}

async function measureMemory(candidate, size) {
  const process = await candidate.start(upstream.port);
  if (process === undefined) return undefined;
  const { request, expect } = jobOf({ ...candidate, ...process }, { kind: 'idle', stream: true, size });
  const hold = (count) => ask(generator, { kind: 'hold', port: process.port, request, expect, count });
  await untilStill([process.child]);
  const idle = await memoryOf(process.child);
  // Code, pools and caches are there after the first streams; only what the next ones add is theirs.
  await hold(size === 'agent' ? 250 : 50);
  const before = await memoryOf(process.child);
  const { failed } = await hold(idleStreams[size]);
  const after = await memoryOf(process.child);
  await ask(generator, { kind: 'release' });
  await stop(process.child);
  return { idle, perStream: (after - before) / idleStreams[size], failed };
}

/** CPU µs of the first small request, and of each of the next 31, some time after the start. */
async function measureCold(candidate) {
  const { child, port } = await candidate.start(upstream.port);
  const { request, expect } = jobOf({ ...candidate, port }, { kind: 'whole', stream: false });
  const askFor = async (count) => {
    const before = cpuOf(child.pid);
    await ask(generator, { kind: 'count', port, request, expect, count });
    return (cpuOf(child.pid) - before) / count;
  };
  await untilStill([child]);
  const found = { first: await askFor(1), next: await askFor(31) };
  await stop(child);
  return found;
}
