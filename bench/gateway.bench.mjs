// What a gateway adds: requests, first chunks, streamed chunks and memory, beside no gateway and beside the barest ones.
import { candidatesFor } from './gateway/candidates.mjs';
import { judge } from './gateway/judge.mjs';
import { ask, cpuOf, memoryOf, startScript, stop } from './gateway/processes.mjs';
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
const idleStreams = flags.quick ? 200 : 1000;

/** The kinds of load, each run for every candidate in every round. */
const loads = {
  requests: { kind: 'whole', stream: false, connections: 16, milliseconds },
  one: { kind: 'whole', stream: false, connections: 1, milliseconds: milliseconds / 2 },
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
const memory = await measureMemory();
showTables(report, { running, memory, rounds, idleStreams });
judge(report, { running, memory });
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

function jobOf(candidate, { kind, stream, ...load }) {
  const request = candidate.request({ kind, stream, upstreamPort: upstream.port });
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

/** A fresh process each: what it holds idle, and what each silent stream adds. */
async function measureMemory() {
  const rows = [];
  for (const candidate of candidatesFor(flags)) {
    const process = candidate.name === 'direct' ? undefined : await candidate.start(upstream.port);
    if (process === undefined) continue;
    const { request, expect } = jobOf({ ...candidate, ...process }, { kind: 'idle', stream: true });
    const hold = (count) => ask(generator, { kind: 'hold', port: process.port, request, expect, count });
    const idle = await memoryOf(process.child);
    // Code and pools are there after the first streams; only what the next ones add is theirs.
    await hold(50);
    const before = await memoryOf(process.child);
    const { failed } = await hold(idleStreams);
    const after = await memoryOf(process.child);
    await ask(generator, { kind: 'release' });
    await stop(process.child);
    rows.push({ name: candidate.name, ours: candidate.ours, idle, perStream: (after - before) / idleStreams, failed });
  }
  return rows;
}
