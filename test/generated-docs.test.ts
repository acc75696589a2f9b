import { readFileSync } from 'node:fs';
import { dialectSample, dialects, dialectTable, knownForms, knownModels } from '@dragoman/core';
import { expect, it } from 'vitest';
import { clients } from '../packages/server/src/cli/connect/clients.ts';
import { blocksForPage } from '../packages/server/src/cli/connect/render-connection.ts';
import { run } from '../packages/server/src/cli/run.ts';
import { testTerminal } from '../packages/server/test/test-terminal.ts';
import { clientPage, renderClientPage } from '../scripts/client-docs.mjs';
import { renderDialectDocs, renderDialectSamples, withFields } from '../scripts/docs.mjs';

it('docs/dialects.md is current; otherwise run: npm run fix', () => {
  const text = readFileSync(new URL('../docs/dialects.md', import.meta.url), 'utf8');
  expect(text).toBe(renderDialectDocs(dialects, { knownModels, knownForms }));
});

it('each dialect writes its tools, calls and results as before; otherwise run: npm run fix', () => {
  const text = readFileSync(new URL('dialect-samples.txt', import.meta.url), 'utf8');
  expect(text).toBe(renderDialectSamples(dialects, { dialectSample }));
});

it('docs/adding-a-dialect.md has every field of a table; otherwise run: npm run fix', () => {
  const text = readFileSync(new URL('../docs/adding-a-dialect.md', import.meta.url), 'utf8');
  expect(text).toBe(withFields(text, { dialectTable }));
  expect(text).toContain('| `closerOptional` | true or false |');
});

it.each([...clients.values()])(
  'docs/clients/$id.md shows what connect prints; otherwise run: npm run fix',
  async (client) => {
    const text = readFileSync(new URL(`../${clientPage(client)}`, import.meta.url), 'utf8');
    const blocks = blocksForPage(client);
    expect(text).toBe(renderClientPage(text, blocks));
    for (const [api, each] of blocks) {
      const terminal = testTerminal({ env: { HOME: '/nowhere' } });
      expect(await run(['connect', client.id, '--api', api], terminal)).toBe(0);
      for (const block of each) expect(terminal.out()).toContain(block.text);
    }
  },
);
