import { performance } from 'node:perf_hooks';

/**
 * Runs every step, also after one has failed, and returns 0 only when all went well. A step returns its exit code. The
 * last lines say how each went.
 */
export function runSteps(steps) {
  const decisions = Object.entries(steps).map(([name, step]) => {
    console.error(`${name} …`);
    const from = performance.now();
    const isGood = step() === 0;
    return { isGood, line: `${isGood ? 'ok    ' : 'FAILED'}  ${name} (${secondsSince(from)} s)` };
  });
  console.error(`\n${decisions.map(({ line }) => line).join('\n')}`);
  return decisions.every(({ isGood }) => isGood) ? 0 : 1;
}

function secondsSince(from) {
  return ((performance.now() - from) / 1000).toFixed(1);
}
