import { performance } from 'node:perf_hooks';

/** CPU milliseconds of this process, all threads: on a shared machine it varies far less than the time on the wall. */
export function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How many calls of `work` fill about `milliseconds`, found by doubling, which also warms the code up. */
function countFor(work, milliseconds) {
  let count = 1;
  for (;;) {
    const from = performance.now();
    for (let turn = 0; turn < count; turn += 1) work();
    const took = performance.now() - from;
    if (took >= milliseconds) return count;
    count = Math.max(count * 2, Math.ceil((count * milliseconds) / Math.max(took, 0.01) / 2));
  }
}

/**
 * Measures several pieces of work beside each other: all are warmed up, then each is run in every round, so that noise
 * and heat meet all of them alike. Returns CPU milliseconds for one call of each, one value for each round.
 *
 * `candidates` maps names to functions without arguments. A round of one candidate lasts about `milliseconds`.
 */
export function alternate(candidates, { rounds = 5, milliseconds = 40, warmUp = milliseconds * 3 } = {}) {
  const runs = Object.entries(candidates).map(([name, work]) => {
    countFor(work, warmUp);
    return { name, work, count: countFor(work, milliseconds), times: [] };
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const run of runs) {
      const from = cpuMilliseconds();
      for (let turn = 0; turn < run.count; turn += 1) run.work();
      run.times.push((cpuMilliseconds() - from) / run.count);
    }
  }
  return Object.fromEntries(runs.map(({ name, times }) => [name, times]));
}
