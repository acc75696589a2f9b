import { performance } from 'node:perf_hooks';

/** Runs every step, also after one has failed, and returns 0 only when all went well. A step returns its exit code. */
export function runSteps(steps) {
  const failed = [];
  for (const [name, step] of Object.entries(steps)) {
    const from = performance.now();
    const code = step();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.error(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)`);
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}
