import { cutText } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { runStage } from '../stream/stage.ts';
import type { Dialect, Span } from './dialect.ts';
import { dialects } from './registry.ts';

const properties = {
  first: { type: 'string' },
  last: { type: 'string' },
  words: { type: 'array', items: { type: 'string' } },
};
const tools: readonly ToolDefinition[] = [{ name: 'put', inputSchema: { type: 'object', properties } }];

function rendered(dialect: Dialect, given: object): string {
  return dialect.renderCalls([{ callId: 'a', ordinal: 0, name: 'put', arguments: JSON.stringify(given) }], tools);
}

/** The markup between two values, and after them, with the closer that both have in common. */
function markupOf(dialect: Dialect) {
  const text = rendered(dialect, { first: 'AAA', last: 'BBB' });
  const [front = '', between = '', after = ''] = text.split(/AAA|BBB/);
  let length = 0;
  while (length < between.length && between[length] === after[length]) length += 1;
  const closer = between.slice(0, length).slice(0, between.slice(0, length).lastIndexOf('>') + 1);
  return { front, closer, opener: between.slice(closer.length), end: after.slice(closer.length) };
}

/** Dialects whose values are between tags. */
const tagged = [...dialects.values()].filter((dialect) => {
  return rendered(dialect, { first: '"' }).includes('>"<') || rendered(dialect, { first: '"' }).includes('>\n"\n<');
});
/** What comes after a value of these is a quotation mark, or a closer with the parameter's name: their own cases show them. */
const others = ['gemma4', 'functiongemma', 'cline-xml', 'minimax-m3'];
const rows = tagged.filter(({ id }) => !others.includes(id)).map((dialect) => [dialect.id, dialect] as const);

function read(dialect: Dialect, text: string) {
  const parser = dialect.createParser({ tools });
  const found = summary(runStage(parser, [text]));
  expect(summary(runStage(parser, cutText(text, 'chars')))).toEqual(found);
  return found;
}

function summary(spans: readonly Span[]) {
  const json = spans.map((span) => (span.kind === 'arguments' ? span.text : '')).join('');
  const codes = spans.flatMap((span) => (span.kind === 'warning' ? [span.warning.code] : []));
  const isWhole = spans.some(({ kind }) => kind === 'call-end');
  return { given: isWhole ? (JSON.parse(json) as unknown) : undefined, codes };
}

it('finds the dialects', () => {
  expect(rows.length).toBeGreaterThan(12);
});

describe.each(rows)('%s', (_, dialect) => {
  const { front, closer, opener, end } = markupOf(dialect);

  it('ends a value before the next parameter on its line', () => {
    const { given, codes } = read(dialect, `${front}AAA${opener.trimStart()}BBB${closer}${end}`);
    expect(given).toEqual({ first: 'AAA', last: 'BBB' });
    expect(codes).toContain('call-repaired');
  });

  it('ends the last value before the end of the call', () => {
    const { given, codes } = read(dialect, `${front}AAA${closer}${opener}BBB${end}`);
    expect(given).toEqual({ first: 'AAA', last: 'BBB' });
    expect(codes).toContain('call-repaired');
  });

  it('collects the values of a list that come one by one', () => {
    const text = rendered(dialect, { first: 'AAA', words: ['X'] });
    const from = text.indexOf(closer) + closer.length;
    const to = text.indexOf(closer, from) + closer.length;
    const chunk = text.slice(from, to);
    expect(chunk).toContain('["X"]');
    const chunks = ['git', 'log', '5'].map((word) => chunk.replace('["X"]', word)).join('');
    const { given, codes } = read(dialect, text.slice(0, from) + chunks + text.slice(to));
    expect(given).toEqual({ first: 'AAA', words: ['git', 'log', '5'] });
    expect(codes).toContain('value-coerced');
  });
});
