// What records of exchanges cost: the CPU of a gateway that keeps them beside that of one that only has a store, all threads, in one run.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from '../scripts/scratch.mjs';
import { dragoman } from './gateway/candidates.mjs';
import { ask, cpuOf, startScript, stop, untilStill } from './gateway/processes.mjs';
import { readFlags } from './measure/flags.mjs';
import { Report } from './measure/report.mjs';
import { median } from './measure/statistics.mjs';

const flags = readFlags();
const report = new Report('records', flags);
const rounds = flags.quick ? 3 : 5;
const milliseconds = flags.quick ? 400 : 1000;
// Node compiles for longer, and on all its threads, the more code runs.
const warmUpFor = flags.quick ? 3000 : 8000;
const wanted = 1.3;

const loads = {
  'small request': { kind: 'whole', stream: false, connections: 8 },
  'request of 136 KB': { kind: 'whole', stream: false, size: 'agent', connections: 8 },
  'the same as a stream': { kind: 'stream', stream: true, size: 'agent', connections: 8 },
};

const models = [
  { name: 'native', rule: { toolCalling: 'native' }, answer: 'text' },
  { name: 'hermes', rule: { toolCalling: { dialect: 'hermes' } }, answer: 'hermes', expect: '"tool_calls"' },
];

const upstream = await startScript('upstream-mock.mjs');
const { child: generator } = await startScript('load.mjs', { reports: false });
const rows = [];
for (const model of models.filter(({ name }) => name.includes(flags.only))) {
  const candidates = await Promise.all([begin(model, 'off'), begin(model, 'full')]);
  await untilStill(candidates.map(({ child }) => child));
  for (const [name, load] of Object.entries(loads)) {
    for (const each of candidates) await measure(each, load, warmUpFor);
    const ratios = [];
    const cpu = { off: [], full: [] };
    for (let round = 0; round < rounds; round += 1) {
      report.progress(`${model.name}, ${name}: round ${round + 1} of ${rounds}`);
      for (const each of round % 2 === 0 ? candidates : [...candidates].reverse()) {
        cpu[each.level].push(await measure(each, load, milliseconds));
      }
      ratios.push(cpu.full.at(-1) / cpu.off.at(-1));
    }
    rows.push({ what: `${name}, ${model.name}`, off: median(cpu.off), full: median(cpu.full), ratio: median(ratios) });
  }
  const [, full] = candidates;
  const { records } = await healthOf(full);
  if (records?.lost > 0) report.say(`  ${model.name}: ${records.lost} records were lost, and cost nothing`);
  for (const { child } of candidates) await stop(child);
}
report.table(`CPU µs of a turn, without records and with them (full, SQLite), medians of ${rounds} rounds`, {
  columns: {
    turn: { of: ({ what }) => what },
    without: { of: ({ off }) => off, digits: 0 },
    with: { of: ({ full }) => full, digits: 0 },
    ratio: { of: ({ ratio }) => ratio, digits: 2 },
  },
  rows,
});
for (const { what, ratio } of rows) {
  report.target(`records, ${what}`, { want: `≤ ${wanted} ×`, got: `${ratio.toFixed(2)} ×`, met: ratio <= wanted });
}
report.finish();
process.exit();

async function begin(model, level) {
  const more = { store: `sqlite:${join(scratch(), `${model.name}-${level}.db`)}`, records: { level } };
  const candidate = dragoman({ ...model, ours: `records-${level}-${model.name}`, more });
  return { ...candidate, level, ...(await candidate.start(upstream.port)) };
}

/** CPU µs of a turn, until all that it left to be written is written. */
async function measure(candidate, { kind, stream, size, connections }, milliseconds) {
  const request = candidate.request({ kind, stream, size, upstreamPort: upstream.port });
  const expect = candidate.expect ?? (stream ? '[DONE]' : '"content"');
  const before = cpuOf(candidate.child.pid);
  const result = await ask(generator, {
    kind: 'load',
    port: candidate.port,
    request,
    expect,
    connections,
    milliseconds,
  });
  for (const [what, count] of Object.entries(result.errors)) report.progress(`${candidate.name}: ${count} × ${what}`);
  for (let left = 1; left > 0; await sleep(20)) {
    const { records } = await healthOf(candidate);
    left = records?.waiting ?? 0;
  }
  return (cpuOf(candidate.child.pid) - before) / result.count;
}

async function healthOf({ port }) {
  return (await fetch(`http://127.0.0.1:${port}/health`)).json();
}
