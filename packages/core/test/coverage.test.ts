import { casesOf, cutText, isWhole } from '@dragoman/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { PastCall, Span } from '../src/dialects/dialect.ts';
import { measureCoverage } from './measure-coverage.ts';

const sizeOf = (pieces: readonly string[]) => pieces.reduce((sum, piece) => sum + piece.length, 0);

/** Every case of every dialect, whole and in single characters; what is found in it is written again. */
async function runAllCases(): Promise<void> {
  const { dialects } = await import('../src/dialects/registry.ts');
  const { runStage } = await import('../src/stream/stage.ts');
  for (const dialect of dialects.values()) {
    for (const { context, output } of casesOf(dialect)) {
      runStage(dialect.createParser(context), cutText(output, 'chars'));
      const calls = callsIn(runStage(dialect.createParser(context), [output]));
      dialect.renderTools(context.tools, { choice: 'auto', parallel: true });
      dialect.renderCalls(calls, context.tools);
      const results = (status: 'ok' | 'error') => calls.map((call) => ({ call, status, text: 'what came' }));
      dialect.renderResults([...results('ok'), ...results('error')]);
    }
  }
}

/** The whole calls of a reply. */
function callsIn(spans: readonly Span[]): readonly PastCall[] {
  const calls: PastCall[] = [];
  let open = { callId: 'call_1', name: '', arguments: '', ordinal: 0 };
  for (const span of spans) {
    if (span.kind === 'call') open = { ...open, ...span, arguments: '', ordinal: calls.length };
    else if (span.kind === 'arguments') open = { ...open, arguments: open.arguments + span.text };
    else if (span.kind === 'call-end') calls.push(open);
  }
  return calls;
}

/** A tool of each kind that the manual tells apart. */
async function writeManuals(): Promise<void> {
  const { exampleLabel, transformToolsToXML } = await import('../src/dialects/readers/tool-manual.ts');
  const { decodeTag, tagOf } = await import('../src/dialects/readers/tag-names.ts');
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
  for (const name of ['', '_x_', '2 things', 'a_x5f_b', '_xyz', 'Ünder.score:-9'])
    expect(decodeTag(tagOf(name))).toBe(name);
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
    const parsers = modules.filter(({ path }) =>
      ['parser', 'forms', 'readers', 'table', 'families'].some((room) => path.includes(`/dialects/${room}/`)),
    );
    expect(parsers.length).toBeGreaterThan(20);
    const total = parsers.reduce((sum, each) => sum + each.total, 0);
    const missed = parsers.flatMap((each) => each.missed);
    expect(1 - sizeOf(missed) / total, missed.join('\n…\n')).toBeGreaterThanOrEqual(0.95);
  });
});
