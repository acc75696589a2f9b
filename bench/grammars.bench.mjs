// What the grammar of an agent's tools costs, which servers are told so that calls fit: in a process that has made none yet, in one that
// has, and again for the same tools.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dialects } from '@dragoman/core';
import { constrainCalls, constraintOf } from '../packages/core/dist/prepare/constrain-calls.js';
import { cpuMilliseconds } from './measure/cpu-time.mjs';
import { readFlags } from './measure/flags.mjs';
import { Report } from './measure/report.mjs';
import { summary } from './measure/statistics.mjs';
import { toolsOf } from './replies/agent-tools.mjs';

const rule = { constrainCalls: 'auto', outputFormat: 'auto' };
const cold = process.env.DRAGOMAN_BENCH_COLD;
if (cold === undefined) measure();
else console.log(JSON.stringify(makeInTurns(...JSON.parse(cold))));

/** A request with new tools, as if they had just come in. */
function asking(id, count, mark) {
  const tools = JSON.parse(JSON.stringify(toolsOf(count, mark)));
  const request = { tools, toolChoice: 'required', parallelToolCalls: true };
  return [request, { dialect: dialects.get(id), rule, wire: {}, takes: 'grammar' }];
}

/**
 * Milliseconds of CPU, all of it and the longest turn, where it is made in turns of two, as the engine does. What other threads compile
 * and collect meanwhile is no part of a turn, which is no longer than it took on the wall.
 */
function makeInTurns(id, count, mark = 'new') {
  const made = constraintOf(...asking(id, count, mark));
  const turns = [];
  while (!made.isMade) {
    const [from, fromWall] = [cpuMilliseconds(), performance.now()];
    made.goOn(2);
    turns.push({ all: cpuMilliseconds() - from, wall: performance.now() - fromWall });
  }
  return {
    all: turns.reduce((sum, { all }) => sum + all, 0),
    longest: Math.max(...turns.map(({ all, wall }) => Math.min(all, wall))),
  };
}

function measure() {
  const flags = readFlags();
  const report = new Report('grammars', flags);
  const [starts, rounds] = flags.quick ? [3, 20] : [7, 60];
  // Arguments as one JSON object; between tags; between tags that are called as they are; and as tags inside of tags.
  const forms = ['hermes', 'anthropic-xml', 'cline-xml', 'minimax-m3'].filter((id) => id.includes(flags.only));
  const rows = [2, 30, 60].flatMap((count) => forms.map((id) => ({ id, count })));
  for (const row of rows) {
    row.cold = Array.from({ length: starts }, () => inNewProcess(row.id, row.count));
    row.warm = [];
    row.again = [];
  }
  // In turns, after rounds that warm it up.
  for (let round = -10; round < rounds; round += 1) {
    for (const { id, count, warm, again } of rows) {
      const made = makeInTurns(id, count, `new${round}`);
      const known = asking(id, count, `new${round}`);
      // The tools of a body that is known are found by its bytes, and are the same list.
      constrainCalls(...known);
      const from = cpuMilliseconds();
      for (let time = 0; time < 100; time += 1) constrainCalls(...known);
      if (round < 0) continue;
      warm.push(made);
      again.push((cpuMilliseconds() - from) / 100);
    }
  }
  const median = (times) => summary(times).median;
  const of = (name, part) => ({ of: (row) => median(row[name].map((each) => each[part])), digits: 1 });
  report.table('The grammar of calls, milliseconds of CPU', {
    columns: {
      dialect: { of: ({ id }) => id },
      tools: { of: ({ count }) => count, digits: 0 },
      KB: { of: ({ count }) => JSON.stringify(toolsOf(count, 'new')).length / 1000, digits: 0 },
      new: of('warm', 'all'),
      'longest turn': of('warm', 'longest'),
      'first of a process': of('cold', 'all'),
      'its longest turn': of('cold', 'longest'),
      'the same again': { of: ({ again }) => median(again), digits: 3 },
    },
    rows,
  });
  const many = rows.filter(({ count }) => count === 60);
  if (many.length > 0) {
    const most = Math.max(...many.map(({ warm }) => median(warm.map(({ all }) => all))));
    const again = Math.max(...many.map((row) => median(row.again)));
    const turn = Math.max(...many.map((row) => median(row.cold.map(({ longest }) => longest))));
    const target = (name, limit, got) =>
      report.target(name, { want: `≤ ${limit} ms`, got: `${got.toFixed(got < 1 ? 3 : 1)} ms`, met: got <= limit });
    target('a grammar of sixty tools that are new', 20, most);
    target('the same again', 0.2, again);
    target('the longest turn of it in a new process', 10, turn);
  }
  report.finish();
}

function inNewProcess(id, count) {
  const env = { ...process.env, DRAGOMAN_BENCH_COLD: JSON.stringify([id, count]) };
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
