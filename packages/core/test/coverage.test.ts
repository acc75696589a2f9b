import { readdirSync, readFileSync } from 'node:fs';
import { cutText, isWhole, readCasePage } from '@dragoman/testkit';
import { describe, expect, it, vi } from 'vitest';
import { measureCoverage } from './measure-coverage.ts';

const dialectFolder = new URL('../src/dialects/', import.meta.url);

const sizeOf = (pieces: readonly string[]) => pieces.reduce((sum, piece) => sum + piece.length, 0);

/** Every case of every dialect, whole and in single characters. */
async function runAllCases(): Promise<void> {
  const { dialects } = await import('../src/dialects/registry.ts');
  const { run } = await import('../src/stream/stage.ts');
  for (const dialect of dialects.values()) {
    const folder = new URL(`${dialect.id}/cases/`, dialectFolder);
    for (const file of readdirSync(folder)) {
      if (!file.endsWith('.md') || file === 'README.md') continue;
      for (const { context, output } of readCasePage(readFileSync(new URL(file, folder), 'utf8')).cases) {
        for (const cuts of ['whole', 'chars'] as const) run(dialect.createParser(context), cutText(output, cuts));
      }
    }
  }
}

/** A tool of each kind that the manual tells apart. */
async function writeManuals(): Promise<void> {
  const { exampleLabel, transformToolsToXML } = await import('../src/dialects/kit/readers/tool-manual.ts');
  const properties = {
    text: { type: 'string', description: 'First.\nSecond.', default: '<&' },
    mode: { enum: ['a', 'b'] },
    list: { type: 'array', items: { type: 'object', properties: { inner: { type: 'string' } } } },
  };
  const tools = [
    {
      name: 'one',
      description: 'Does.\nMore.',
      inputSchema: { type: 'object', properties, required: ['text', 'list'] },
    },
    { name: 'two', inputSchema: { type: 'object', properties } },
    { name: 'three', inputSchema: true },
    { name: ' ', inputSchema: {} },
  ];
  transformToolsToXML(tools, { compact: true });
  expect(transformToolsToXML(tools)).toContain(exampleLabel);
  transformToolsToXML([]);
}

describe('how much the examples reach', () => {
  it('B-015 all of the tool manual', async () => {
    vi.resetModules();
    const modules = await measureCoverage(writeManuals);
    const manual = modules.filter(({ path }) => path.endsWith('/readers/tool-manual.ts'));
    expect(manual).toHaveLength(1);
    expect(manual[0]?.missed).toEqual([]);
  });

  it('B-064 the case pages reach 95 of 100 characters of the parsers', { skip: !isWhole }, async () => {
    vi.resetModules();
    const modules = await measureCoverage(runAllCases);
    const parsers = modules.filter(
      ({ path }) => (path.includes('/dialects/kit/') && !path.includes('/render/')) || path.endsWith('/parser.ts'),
    );
    expect(parsers.length).toBeGreaterThan(20);
    const total = parsers.reduce((sum, each) => sum + each.total, 0);
    const missed = parsers.flatMap((each) => each.missed);
    expect(1 - sizeOf(missed) / total, missed.join('\n…\n')).toBeGreaterThanOrEqual(0.95);
  });
});
