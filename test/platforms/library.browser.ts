import { expect, it } from 'vitest';
import { runInChromium } from './chromium.ts';
import { platformCases, platformScript } from './platform-cases.ts';
import { readCases } from './read-cases.ts';

// "npm run test:browser" runs this; it needs Chromium.

it('the library reads and writes in a browser what it does in Node', async () => {
  const cases = platformCases();
  expect(cases.length).toBeGreaterThan(500);
  const found = await runInChromium({
    script: `${await platformScript()};
      export const run = async (given) => JSON.stringify(await platform.readCases(JSON.parse(given)));`,
    given: JSON.stringify(cases),
    timeout: 120_000,
  });
  expect(JSON.parse(found)).toEqual(JSON.parse(JSON.stringify(await readCases(cases))));
}, 180_000);

it('a page that fails tells why', async () => {
  const script = `export const run = () => { throw new Error('no such thing'); };`;
  await expect(runInChromium({ script, given: '', timeout: 60_000 })).rejects.toThrow(/no such thing/);
}, 90_000);
