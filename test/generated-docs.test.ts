import { readFileSync } from 'node:fs';
import { dialects, knownModels } from '@dragoman/core';
import { expect, it } from 'vitest';
import { renderDialectDocs } from '../scripts/docs.mjs';

it('docs/dialects.md is current; otherwise run: npm run fix', () => {
  const text = readFileSync(new URL('../docs/dialects.md', import.meta.url), 'utf8');
  expect(text).toBe(renderDialectDocs(dialects, knownModels));
});
