import { expect, it } from 'vitest';
import { coreSizes } from '../../scripts/core-sizes.mjs';

// A few percent above what it is: more has to be meant. "npm run size" prints it.
const most = new Map([
  ['reading one dialect', 29_900],
  ['reading and writing one dialect', 52_300],
  ['reading and writing all dialects', 91_900],
  ['the engine for one server', 217_500],
  ['the whole core', 249_400],
  ['the agent over a folder', 27_900],
]);

it('programs load little of the core, and nothing of Node', async () => {
  const sizes = await coreSizes();
  expect(sizes.map(({ taking }) => taking)).toEqual([...most.keys()]);
  for (const { taking, gzip } of sizes) expect(gzip, taking).toBeLessThan(most.get(taking) ?? 0);
  const [one, , all, , whole] = sizes.map(({ gzip }) => gzip);
  // Each entry leaves out what the next one adds.
  expect((one ?? 0) * 2).toBeLessThan(all ?? 0);
  expect((all ?? 0) * 2).toBeLessThan(whole ?? 0);
}, 60_000);
