import { summary } from '../measure/statistics.mjs';

/** Frames of one streamed answer of the mock. */
const framesInStream = 203;

const gateway = { of: ({ name }) => name };
const rate = (result) => result.rate;
const cpu = (result) => result.cpu;
const cpuPerFrame = (result) => result.cpu / framesInStream;

/** Shows what was found of requests, streams, first chunks, memory and starts. */
export function showTables(report, { running, fresh, starts, rounds, idleStreams }) {
  report.table(`requests: one JSON answer of about 1 KB, ${rounds} rounds`, { columns: requestColumns, rows: running });
  report.table(`the request of an agent, 136 KB with thirty tools, ${rounds} rounds`, {
    columns: agentColumns,
    rows: running,
  });
  report.table(`streams: 200 chunks of 16 characters, ${rounds} rounds`, { columns: streamColumns, rows: running });
  report.table(`first chunk of a stream: µs, ${rounds} rounds`, { columns: firstColumns, rows: running });
  report.table(
    `fresh processes: KB for each of ${idleStreams.small} silent streams of small requests, ${idleStreams.agent} of an agent's`,
    { columns: freshColumns, rows: fresh },
  );
  report.table('starts: CPU ms', { columns: startColumns, rows: starts });
}

/** The median over the rounds of one load. */
function middle(load, value, digits) {
  return { of: ({ found }) => summary(found[load].map(value)).median, digits };
}

/** The same for a number of milliseconds, shown in whole microseconds. */
function microseconds(load, value) {
  return middle(load, (result) => value(result) * 1000, 0);
}

function span(load, value, digits) {
  const shown = ({ min, max }) => (Number.isFinite(min) ? `${min.toFixed(digits)}–${max.toFixed(digits)}` : '–');
  return { of: ({ found }) => shown(summary(found[load].map(value))) };
}

function errors(...loads) {
  const sumOf = (found) => loads.flatMap((load) => found[load]).reduce((sum, { failed }) => sum + failed, 0);
  return { of: ({ found }) => sumOf(found), digits: 0 };
}

const requestColumns = {
  gateway,
  'req/s, 16 connections': middle('requests', rate, 0),
  'CPU µs/request': middle('requests', cpu, 1),
  'min–max': span('requests', cpu, 1),
  'p99 ms': middle('requests', ({ end }) => end.p99, 2),
  'one connection: p50 µs': microseconds('one', ({ end }) => end.p50),
  'p99 µs': microseconds('one', ({ end }) => end.p99),
  errors: errors('requests', 'one'),
};

const streamColumns = {
  gateway,
  'one by one, 8 streams: streams/s': middle('streams', rate, 0),
  'CPU µs/chunk': middle('streams', cpuPerFrame, 2),
  'min–max': span('streams', cpuPerFrame, 2),
  'all at once: streams/s': middle('bursts', rate, 0),
  'CPU µs/chunk ': middle('bursts', cpuPerFrame, 2),
  'min–max ': span('bursts', cpuPerFrame, 2),
  errors: errors('streams', 'bursts'),
};

const firstColumns = {
  gateway,
  'one stream: p50': microseconds('first', ({ first }) => first.p50),
  p99: microseconds('first', ({ first }) => first.p99),
  '8 streams: p50': microseconds('streams', ({ first }) => first.p50),
  'p99 ': microseconds('streams', ({ first }) => first.p99),
  errors: errors('first'),
};

const agentColumns = {
  gateway,
  'CPU µs/request, one JSON answer': middle('large', cpu, 0),
  'min–max': span('large', cpu, 0),
  'CPU µs/request, stream of 203 frames with usage': middle('agent', cpu, 0),
  'min–max ': span('agent', cpu, 0),
  errors: errors('large', 'agent'),
};

const freshColumns = {
  gateway,
  'idle process MB': { of: ({ idle }) => idle / 1024, digits: 1 },
  'KB/stream, small': { of: ({ perStream }) => perStream.small, digits: 0 },
  'KB/stream, agent': { of: ({ perStream }) => perStream.agent, digits: 0 },
  'first request, CPU ms': { of: ({ cold }) => cold.first / 1000, digits: 1 },
  'next 31, each': { of: ({ cold }) => cold.next / 1000, digits: 2 },
  errors: { of: ({ failed }) => failed, digits: 0 },
};

const startColumns = {
  start: { of: ({ name }) => name },
  'CPU ms': { of: ({ cpu: took }) => took, digits: 0 },
};
