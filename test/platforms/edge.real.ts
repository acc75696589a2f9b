import { fileURLToPath } from 'node:url';
import { sample } from '@dragoman/testkit';
import { EdgeVM } from '@edge-runtime/vm';
import { expect, it } from 'vitest';
import { startDemoGateway } from '../../packages/server/src/cli/demo-gateway.ts';
import { bundle } from '../../scripts/bundle.mjs';
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

it('the client of OpenResponses asks at the edge', async () => {
  const file = fileURLToPath(new URL('ask-client.ts', import.meta.url));
  const gateway = await startDemoGateway();
  try {
    const edge = new EdgeVM();
    edge.evaluate(
      `${await bundle(`export { askClient } from ${JSON.stringify(file)};`, { name: 'own' })};globalThis.own = own;`,
    );
    const found: string = await edge.evaluate(`own.askClient(${JSON.stringify(gateway.url)})`);
    expect(JSON.parse(found)).toEqual({ call: '{"path":"README.md"}', end: 'end', code: 'aborted' });
  } finally {
    await gateway.close();
  }
}, 60_000);
