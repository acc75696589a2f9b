// What reading a reply costs in each dialect: prose and one call whose string argument is source code.
import { dialects } from '@dragoman/core';
import { alternate } from './measure/cpu-time.mjs';
import { readFlags } from './measure/flags.mjs';
import { howToGetPeers, installPeers } from './measure/peers.mjs';
import { Report } from './measure/report.mjs';
import { growthExponent, summary } from './measure/statistics.mjs';
import { countDelay } from './replies/count-delay.mjs';
import { loadPeerParsers } from './replies/peer-parsers.mjs';
import { cut, tools, writeReply } from './replies/write-reply.mjs';

const flags = readFlags();
if (flags.peers) installPeers();
const report = new Report('dialects', flags);
const sizes = [1024, 10_240, 102_400, 1_048_576];
const timing = flags.quick ? { rounds: 3, milliseconds: 15 } : { rounds: 7, milliseconds: 50 };
const chosen = [...dialects.values()].filter(({ id }) => id.includes(flags.only));

measureDelay();
const largest = measureSizes();
measurePieces();
await measurePeers();
judge(largest);
report.finish();

/** By counting, not by clock: this is exact and never noisy. */
function measureDelay() {
  const rows = chosen.map((dialect) => ({ id: dialect.id, ...countDelay(dialect, 10_240) }));
  report.table('delay, in characters that arrive between a character and its delta (one character at a time)', {
    columns: {
      dialect: { of: ({ id }) => id },
      'value max': { of: ({ value }) => value.max, digits: 0 },
      'value mean': { of: ({ value }) => value.mean, digits: 3 },
      'prose max': { of: ({ text }) => text.max, digits: 0 },
      'prose mean': { of: ({ text }) => text.mean, digits: 3 },
    },
    rows,
  });
  const worst = Math.max(...rows.map(({ value }) => value.mean));
  report.target('delay of an argument character', {
    want: 'in the push that made it certain: mean < 1 character',
    got: `mean ≤ ${worst.toFixed(2)}, max ${Math.max(...rows.map(({ value }) => value.max))}`,
    met: worst < 1,
  });
}

/** All sizes in 4-character pieces. Returns the rows, each with the growth between the last two sizes. */
function measureSizes() {
  const rows = chosen.map((dialect) => {
    const work = sizes.map((size) => {
      const { text } = writeReply(dialect, size);
      const pieces = cut(text, 4);
      return [size, { pieces, length: text.length, run: () => parse(dialect, pieces) }];
    });
    const times = alternate(Object.fromEntries(work.map(([size, { run }]) => [size, run])), timing);
    const costs = work.map(([size, { pieces, length }]) => ({
      size: length,
      pieces: pieces.length,
      ...summary(times[size]),
    }));
    return { id: dialect.id, costs };
  });
  const at = (row, place) => row.costs[place];
  const growth = (row, from) =>
    growthExponent(
      { size: at(row, from).size, cost: at(row, from).min },
      { size: at(row, from + 1).size, cost: at(row, from + 1).min },
    );
  report.table('4-character pieces: CPU ms for the whole reply (median; least for 1 MB beside it)', {
    columns: {
      dialect: { of: ({ id }) => id },
      '1 KB': { of: (row) => at(row, 0).median },
      '10 KB': { of: (row) => at(row, 1).median },
      '100 KB': { of: (row) => at(row, 2).median },
      '1 MB': { of: (row) => at(row, 3).median },
      'least 1 MB': { of: (row) => at(row, 3).min },
      'growth 10→100 KB': { of: (row) => growth(row, 1), digits: 2 },
      'growth 100 KB→1 MB': { of: (row) => growth(row, 2), digits: 2 },
      'MB/s': { of: (row) => megabytesPerSecond(at(row, 3)), digits: 1 },
      'µs/piece': { of: (row) => (at(row, 3).median * 1000) / at(row, 3).pieces, digits: 3 },
    },
    rows,
  });
  return rows.map((row) => ({ ...row, growth: growth(row, 2) }));
}

/** The same reply, 100 KB, in other pieces. */
function measurePieces() {
  const size = sizes[2];
  const rows = chosen.map((dialect) => {
    const { text } = writeReply(dialect, size);
    const work = (piece) => {
      const pieces = cut(text, piece);
      return () => parse(dialect, pieces);
    };
    const times = alternate({ 1: work(1), 4: work(4), 30: work(30), 4096: work(4096), whole: work(0) }, timing);
    const speed = (key) => megabytesPerSecond({ size: text.length, ...summary(times[key]) });
    return { id: dialect.id, speeds: Object.fromEntries(Object.keys(times).map((key) => [key, speed(key)])) };
  });
  const of = (key) => ({ of: ({ speeds }) => speeds[key], digits: 1 });
  report.table('100 KB in pieces of several sizes: MB/s', {
    columns: {
      dialect: { of: ({ id }) => id },
      '1 character': of('1'),
      '4 characters': of('4'),
      '30 characters': of('30'),
      '4 KB': of('4096'),
      'in one piece': of('whole'),
    },
    rows,
  });
}

/** Peers in the same run, at sizes that they finish. */
async function measurePeers() {
  const peers = await loadPeerParsers();
  if (peers.length === 0) {
    report.say(`\n  ${howToGetPeers}`);
    return;
  }
  const limits = flags.quick ? [1024, 10_240] : [1024, 10_240, 40_960, 102_400];
  // A peer that took this many milliseconds is not asked for the next size. */
  const patience = 1000;
  const rows = [];
  for (const peer of peers) {
    let last = 0;
    for (const size of limits) {
      if (last > patience) break;
      const { text, content } = peer.reply(size);
      const pieces = cut(text, 4);
      const took = await peer.time(pieces, content);
      last = took.milliseconds;
      const dialect = dialects.get(peer.dialect);
      const ours = dialect && summary(alternate({ run: () => parse(dialect, pieces) }, timing).run).min;
      rows.push({ name: peer.name, size, length: text.length, took, ours });
    }
  }
  const growthOf = (row) => {
    const last = rows.find(({ name, size }) => name === row.name && size === limits[limits.indexOf(row.size) - 1]);
    if (last === undefined) return Number.NaN;
    return growthExponent(
      { size: last.length, cost: last.took.milliseconds },
      { size: row.length, cost: row.took.milliseconds },
    );
  };
  report.table('peers, 4-character pieces: CPU ms for the whole reply, the least of up to five runs', {
    columns: {
      peer: { of: ({ name }) => name },
      KB: { of: ({ size }) => size / 1024, digits: 0 },
      'peer ms': { of: ({ took }) => took.milliseconds },
      growth: { of: growthOf, digits: 2 },
      'argument deltas': { of: ({ took }) => took.deltas, digits: 0 },
      'value came back': { of: ({ took }) => (took.whole ? 'as written' : 'changed') },
      'Dragoman ms': { of: ({ ours }) => ours },
      'times faster': { of: ({ took, ours }) => (ours ? took.milliseconds / ours : Number.NaN), digits: 0 },
    },
    rows,
  });
}

function judge(rows) {
  const slowest = Math.min(...rows.map(({ costs }) => megabytesPerSecond(costs[3])));
  report.target('dialect parsing, 4-character pieces, 1 MB', {
    want: '≥ 25 MB/s in every dialect',
    got: `${slowest.toFixed(1)} MB/s in the slowest`,
    met: slowest >= 25,
  });
  const steepest = Math.max(...rows.map(({ growth }) => growth));
  report.target('growth from 100 KB to 1 MB', {
    want: '≤ 1.05',
    got: steepest.toFixed(2),
    met: steepest <= 1.05,
  });
  const longest = Math.max(...rows.map(({ costs }) => costs[3].median));
  report.target('1 MB in 4-character pieces', {
    want: '≤ 40 ms',
    got: `${longest.toFixed(0)} ms`,
    met: longest <= 40,
  });
}

/** One reply through a fresh parser. What comes out is counted, so that nothing is optimised away. */
function parse(dialect, pieces) {
  let characters = 0;
  const parser = dialect.createParser({ tools })((span) => {
    if ('text' in span) characters += span.text.length;
  });
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return characters;
}

function megabytesPerSecond({ size, median }) {
  return size / 1_048_576 / (median / 1000);
}
