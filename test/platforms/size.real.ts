import { expect, it } from 'vitest';
import { coreSizes } from '../../scripts/core-sizes.mjs';

// A few percent above what it is: more has to be meant. "npm run size" prints it.
const most = new Map([
  ['reading one dialect', 32_200],
  ['reading and writing one dialect', 54_600],
  ['reading and writing all dialects', 93_500],
  ['the engine for one server', 220_900],
  ['the whole core', 253_000],
  ['the agent over a folder', 28_200],
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
