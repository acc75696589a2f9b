// One process, two and four, by `serve --workers`, on one store: requests that store nothing, and responses that are stored.
// Each process has a small share of a core where the machine lets us say so: what ends throughput then are the processes, and not the
// load, the upstream and the database, which need cores of their own.
import { join } from 'node:path';
import { scratch } from '../scripts/scratch.mjs';
import { dragoman } from './gateway/candidates.mjs';
import { endLimits, limitCpu } from './gateway/limit-cpu.mjs';
import { ask, cpuOf, startScript, stop, treeOf, untilStill } from './gateway/processes.mjs';
import { readFlags } from './measure/flags.mjs';
import { Report } from './measure/report.mjs';
import { median } from './measure/statistics.mjs';

const flags = readFlags();
const report = new Report('processes', flags);
const rounds = flags.quick ? 3 : 5;
const milliseconds = flags.quick ? 1500 : 3000;
const counts = [1, 2, 4];
/** What one process gets of a core: four of them and what answers them fit into two. */
const share = 0.1;
// The variable names an empty PostgreSQL database; without it, a SQLite file.
const isPostgres = (process.env.DATABASE_URL ?? '') !== '';
const store = isPostgres ? { postgres: 'env:DATABASE_URL' } : `sqlite:${join(scratch(), 'store.db')}`;

const upstream = await startScript('upstream-mock.mjs');
const generators = await Promise.all([1, 2].map(() => startScript('load.mjs', { reports: false })));
const candidates = [];
for (const count of counts) {
  const candidate = dragoman({
    name: `${count} of them`,
    ours: `processes-${count}`,
    rule: { toolCalling: 'native' },
    answer: 'text',
    more: { store },
    args: ['--workers', String(count)],
  });
  candidates.push({ ...candidate, count, ...(await candidate.start(upstream.port)) });
}
await untilStill(candidates.map(({ child }) => child));
const isLimited = candidates.every(({ child }) => limitCpu(treeOf(child.pid), share));
const loads = {
  'chats, nothing stored': { write: (text) => text, expect: '"choices"' },
  'responses, each stored': { write: asResponses, expect: '"output":[{' },
};
const rows = [];
for (const [name, load] of Object.entries(loads)) {
  const found = new Map(counts.map((count) => [count, { rate: [], cpu: [] }]));
  for (let round = -1; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? candidates : [...candidates].reverse()) {
      const { rate, cpu } = await measure(each, load);
      if (round < 0) continue;
      found.get(each.count).rate.push(rate);
      found.get(each.count).cpu.push(cpu);
    }
  }
  for (const [count, { rate, cpu }] of found) {
    rows.push({
      what: name,
      count,
      rate: median(rate),
      cpu: median(cpu),
      times: median(rate) / median(found.get(1).rate),
      dearer: median(cpu) / median(found.get(1).cpu),
    });
  }
}
for (const { child } of candidates) await stop(child);
await endLimits();
report.table(
  `Processes on one ${isPostgres ? 'PostgreSQL' : 'SQLite file'}, ${isLimited ? `each with ${share} of a core` : 'none limited'}, 16 connections, medians of ${rounds} rounds`,
  {
    columns: {
      load: { of: ({ what }) => what },
      processes: { of: ({ count }) => count, digits: 0 },
      'req/s': { of: ({ rate }) => rate, digits: 0 },
      'times one': { of: ({ times }) => times, digits: 2 },
      'CPU µs/request': { of: ({ cpu }) => cpu, digits: 0 },
      'CPU, times one': { of: ({ dearer }) => dearer, digits: 2 },
    },
    rows,
  },
);
report.finish();
process.exit();

async function measure({ port, child, request }, { write, expect }) {
  const text = write(request({ kind: 'whole', stream: false, upstreamPort: upstream.port }));
  const job = { kind: 'load', port, request: text, expect, connections: 8, milliseconds };
  const before = cpuOf(child.pid);
  const results = await Promise.all(generators.map((generator) => ask(generator.child, job)));
  const count = results.reduce((sum, result) => sum + result.count, 0);
  for (const { errors } of results)
    for (const [what, times] of Object.entries(errors)) report.progress(`${times} × ${what}`);
  return { rate: count / Math.max(...results.map(({ seconds }) => seconds)), cpu: (cpuOf(child.pid) - before) / count };
}

/** The same words over the Responses API, which stores what it answers. */
function asResponses(text) {
  const end = text.indexOf('\r\n\r\n');
  const { model, messages } = JSON.parse(text.slice(end + 4));
  const body = JSON.stringify({ model, input: messages });
  const head = text
    .slice(0, end)
    .replace('/v1/chat/completions', '/v1/responses')
    .replace(/content-length: \d+/, `content-length: ${Buffer.byteLength(body)}`);
  return `${head}\r\n\r\n${body}`;
}
