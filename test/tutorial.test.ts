import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { fileOf, readDocument } from './documents/read-document.ts';
import { createSnippetFolder } from './documents/snippet-folder.ts';

// The dialect that docs/adding-a-dialect.md builds, taken out of the page and run with its own test.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = createSnippetFolder(root);
afterAll(() => folder.remove());

const { blocks } = readDocument(root, 'docs/adding-a-dialect.md');
const files = new Map(blocks.filter(({ use }) => use === 'file').map(fileOf));
const written = folder.writeAsIf(files);
const tests = [...written].filter(([name]) => name.endsWith('.test.ts'));

it('the page has a test', () => {
  expect(tests).toHaveLength(1);
});

// Registers the tests that the page's own test file describes.
for (const [, path] of tests) await import(pathToFileURL(path).href);
