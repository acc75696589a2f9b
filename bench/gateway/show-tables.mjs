import { summary } from '../measure/statistics.mjs';

/** Frames of one streamed answer of the mock. */
const framesInStream = 203;

const gateway = { of: ({ name }) => name };
const rate = (result) => result.rate;
const cpu = (result) => result.cpu;
const cpuPerFrame = (result) => result.cpu / framesInStream;

/** Shows what was found of requests, streams, first chunks and memory. */
export function showTables(report, { running, memory, rounds, idleStreams }) {
  report.table(`requests: one JSON answer of about 1 KB, ${rounds} rounds`, { columns: requestColumns, rows: running });
  report.table(`streams: 200 chunks of 16 characters, ${rounds} rounds`, { columns: streamColumns, rows: running });
  report.table(`first chunk of a stream: µs, ${rounds} rounds`, { columns: firstColumns, rows: running });
  report.table(`memory: ${idleStreams} streams that have begun and say nothing`, {
    columns: memoryColumns,
    rows: memory,
  });
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
  const shown = ({ min, max }) => (Number.isNaN(min) ? '–' : `${min.toFixed(digits)}–${max.toFixed(digits)}`);
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

const memoryColumns = {
  gateway,
  'idle process MB': { of: ({ idle }) => idle / 1024, digits: 1 },
  'KB/stream': { of: ({ perStream }) => perStream, digits: 1 },
  errors: { of: ({ failed }) => failed, digits: 0 },
};
