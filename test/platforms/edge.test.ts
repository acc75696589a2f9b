import { sample } from '@dragoman/testkit';
import { EdgeVM } from '@edge-runtime/vm';
import { expect, it } from 'vitest';
import { platformCases, platformScript } from './platform-cases.ts';
import { readCases } from './read-cases.ts';

it('the library reads and writes at the edge what it does in Node', async () => {
  expect(platformCases().length).toBeGreaterThan(500);
  const cases = sample(platformCases(), 300);
  const edge = new EdgeVM();
  // Web standards and nothing else: what needs more would fail here.
  expect(edge.evaluate('[typeof process, typeof require, typeof Buffer, typeof ReadableStream].join()')).toBe(
    'undefined,undefined,undefined,function',
  );
  edge.evaluate(`${await platformScript()};globalThis.platform = platform;`);
  edge.context.given = JSON.stringify(cases);
  const found: string = await edge.evaluate('platform.readCases(JSON.parse(given)).then(JSON.stringify)');
  expect(JSON.parse(found)).toEqual(JSON.parse(JSON.stringify(await readCases(cases))));
}, 120_000);
