import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// The page for whoever works on the extension.

const sources = new URL('../src/', import.meta.url);
const guide = readFileSync(new URL('../../../docs/clients/vscode-extension.md', import.meta.url), 'utf8');

it('C-115: the guide says which formats apply, names files that are there, and only one file speaks another API', () => {
  expect(guide).toContain('neither Chat Completions');
  const named = [...guide.matchAll(/\| `([\w/.-]+)` \|$/gm)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) expect(existsSync(new URL(path, sources)), path).toBe(true);
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const direct = files.filter((file) => readFileSync(new URL(file, sources), 'utf8').includes("from '@dragoman/core'"));
  expect(direct).toEqual(['endpoints/connect.ts']);
});

it('C-119: the guide leads to specification, reference, OpenAPI document and site', () => {
  for (const page of ['/specification)', '/reference)', '/openapi.json)', 'openresponses.org)'])
    expect(guide).toContain(page);
});
