// What counting the tokens of a long prompt costs: the turns of the event loop of a process that has counted none yet, the CPU of one that
// has, and memory.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countTextTokens } from '../packages/server/dist/tokens/count-text-tokens.js';
import { TokenReader } from '../packages/server/dist/tokens/token-reader.js';
import { readVocabulary } from '../packages/server/dist/tokens/vocabulary.js';
import { alternate } from './measure/cpu-time.mjs';
import { readFlags } from './measure/flags.mjs';
import { Report } from './measure/report.mjs';
import { summary } from './measure/statistics.mjs';
import { toolsOf } from './replies/agent-tools.mjs';

const length = 136_000;
const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path) => readFileSync(pathOf(path), 'utf8');
const filesIn = (folder, extension) =>
  readdirSync(pathOf(folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => read(`${folder}/${name}`))
    .join('');
const texts = {
  prose: () => filesIn('docs', '.md'),
  code: () => filesIn('packages/core/src/plan', '.ts') + filesIn('packages/core/src/calls', '.ts'),
  'tools as JSON': () => JSON.stringify(toolsOf(60, 'new')),
  Chinese: () => read('node_modules/axe-core/locales/zh_CN.json').replaceAll(/[ -~]/g, '').repeat(16),
  base64: () => Array.from({ length: 1600 }, (_, at) => createHash('sha512').update(`${at}`).digest('base64')).join(''),
};

const cold = process.env.DRAGOMAN_BENCH_COLD;
if (cold === undefined) await measure();
else console.log(JSON.stringify(await countInNewProcess(textOf(cold))));

function textOf(name) {
  const text = texts[name]().slice(0, length);
  if (text.length < length) throw new Error(`${name} has only ${text.length} characters`);
  return text;
}

/** Milliseconds of each turn in which something is read, and what the process then takes more, in MB. */
async function countInNewProcess(text) {
  const turns = [];
  let [from, to] = [0, 0];
  const { read } = TokenReader.prototype;
  TokenReader.prototype.read = function (...asked) {
    from ||= performance.now();
    const end = read.apply(this, asked);
    to = performance.now();
    return end;
  };
  let isOver = false;
  const turn = () => {
    if (from > 0) turns.push(to - from);
    from = 0;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const before = process.memoryUsage().rss;
  await countTextTokens([text]);
  isOver = true;
  return { turns, memory: (process.memoryUsage().rss - before) / 1e6 };
}

async function measure() {
  const flags = readFlags();
  const report = new Report('tokens', flags);
  const reader = new TokenReader(await readVocabulary());
  const timing = flags.quick ? { rounds: 3, milliseconds: 50 } : { rounds: 9, milliseconds: 100 };
  const names = Object.keys(texts).filter((name) => name.includes(flags.only));
  const rows = names.map((name) => {
    const text = textOf(name);
    const pieces = Array.from({ length: length / 1000 }, (_, at) => text.slice(at * 1000, at * 1000 + 1000));
    const own = () => {
      for (const piece of pieces) for (let at = 0; at < piece.length; ) at = reader.read(piece, at);
    };
    const starts = Array.from({ length: flags.quick ? 7 : 15 }, () => inNewProcess(name));
    // The turns are the same in each process; what disturbs one of them does so in one process.
    const turns = starts[0].turns.map((_, at) => Math.min(...starts.map((start) => start.turns[at])));
    return { name, turns, memory: starts.map(({ memory }) => memory), times: alternate({ own }, timing) };
  });
  report.table(`${length} characters, counted: CPU milliseconds, turns of the event loop in a new process, and MB`, {
    columns: {
      text: { of: ({ name }) => name },
      ms: { of: ({ times }) => summary(times.own).median, digits: 1 },
      turns: { of: ({ turns }) => turns.length, digits: 0 },
      'the longest, ms': { of: ({ turns }) => Math.max(...turns), digits: 2 },
      'a usual one, ms': { of: ({ turns }) => summary(turns).median, digits: 2 },
      'MB more': { of: ({ memory }) => summary(memory).median, digits: 1 },
    },
    rows,
  });
  const longest = Math.max(...rows.flatMap(({ turns }) => turns));
  report.target('one turn that counts, in a new process', {
    want: '≤ 0.5 ms',
    got: `${longest.toFixed(2)} ms`,
    met: longest <= 0.5,
  });
  report.finish();
}

function inNewProcess(name) {
  const env = { ...process.env, DRAGOMAN_BENCH_COLD: name };
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
