// The load generator, a process of its own. It takes one job at a time and answers with what it measured.
import { quantile } from '../measure/statistics.mjs';
import { Client } from './http-client.mjs';

let held = [];

process.on('message', async (job) => process.send?.(await jobs[job.kind](job)));
process.once('disconnect', () => process.exit());

const jobs = {
  /** Keeps `connections` busy for `milliseconds`. */
  async load({ port, request, expect, connections, milliseconds }) {
    const found = { first: [], end: [], errors: {} };
    const from = performance.now();
    const until = from + milliseconds;
    const work = Array.from({ length: connections }, () => keepBusy({ port, request, expect, until, found }));
    await Promise.all(work);
    return {
      count: found.end.length,
      seconds: (performance.now() - from) / 1000,
      errors: found.errors,
      first: spread(found.first),
      end: spread(found.end),
    };
  },

  /** Asks `count` times over each connection, one request after the other, however long it takes. */
  async count({ port, request, expect, count, connections = 1 }) {
    const found = { first: [], end: [], errors: {} };
    const job = { port, request, expect, until: Number.POSITIVE_INFINITY, most: count, found };
    await Promise.all(Array.from({ length: connections }, () => keepBusy(job)));
    return { count: found.end.length, errors: found.errors };
  },

  /** Opens `count` streams and holds them once each has let something be seen. */
  async hold({ port, request, expect, count }) {
    let failed = 0;
    for (let opened = 0; opened < count; ) {
      const batch = Array.from({ length: Math.min(50, count - opened) }, () => holdOne({ port, request, expect }));
      opened += batch.length;
      failed += (await Promise.all(batch)).filter((good) => !good).length;
    }
    return { failed };
  },

  async release() {
    for (const client of held) client.close();
    held = [];
    return {};
  },
};

async function keepBusy({ port, request, expect, until, most = Number.POSITIVE_INFINITY, found }) {
  let answered;
  const client = new Client({ port, request, expect, onAnswer: (answer) => answered(answer) });
  await client.ready;
  for (let sent = 0; sent < most && performance.now() < until; sent += 1) {
    const { first, end, error } = await new Promise((resolve) => {
      answered = resolve;
      client.send();
    });
    if (error === undefined) {
      found.first.push(first);
      found.end.push(end);
    } else {
      found.errors[error] = (found.errors[error] ?? 0) + 1;
      break;
    }
  }
  client.close();
}

async function holdOne({ port, request, expect }) {
  return new Promise((resolve) => {
    const client = new Client({ port, request, expect, onFirst: () => resolve(true), onAnswer: () => resolve(false) });
    held.push(client);
    client.ready.then((good) => (good ? client.send() : resolve(false)));
  });
}

function spread(values) {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}
