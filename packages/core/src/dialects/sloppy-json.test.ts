import { cutText, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { run } from '../stage.ts';
import type { Dialect, Span } from './dialect.ts';
import { dialects } from './registry.ts';

const tools: readonly ToolDefinition[] = [
  { name: 'say', inputSchema: { type: 'object', properties: { text: { type: 'string' }, loud: { type: 'boolean' } } } },
];

const rendered = (dialect: Dialect, given: object) =>
  dialect.renderCalls([{ callId: 'a', ordinal: 0, name: 'say', arguments: JSON.stringify(given) }], tools);

/** Dialects whose arguments are JSON. */
const rows = [...dialects.values()]
  .filter((dialect) => /"text": ?"PROBE"/.test(rendered(dialect, { text: 'PROBE' })))
  .map((dialect) => [dialect.id, dialect] as const);

/** The values of `text` in the calls of a reply, in every place cut the same. */
function read(dialect: Dialect, text: string): readonly unknown[] {
  const parser = dialect.createParser({ tools });
  const whole = texts(run(parser, [text]));
  expect(texts(run(parser, cutText(text, 'chars'))), text).toEqual(whole);
  return whole;
}

function texts(spans: readonly Span[]): readonly unknown[] {
  const found: string[] = [];
  for (const span of spans) {
    if (span.kind === 'call') found.push('');
    if (span.kind === 'arguments') found.push((found.pop() ?? '') + span.text);
    if (span.kind === 'call-cut') found.pop();
  }
  return found.map((json) => JSON.parse(json).text);
}

it('finds the dialects', () => {
  expect(rows.length).toBeGreaterThan(25);
});

describe.each(rows)('%s', (_, dialect) => {
  it.each([
    'He said "hello" to me',
    '"Yes", he said.',
    'It says "no"',
    'print("a", "b")',
    'a "b" {"c": "d"} [e]',
    'line\nof "two" words',
  ])('mends quotation marks that nobody escaped: %s', (value) => {
    const call = (given: object) => rendered(dialect, given).replace('PROBE', () => value);
    expect(read(dialect, call({ text: 'PROBE' }))).toEqual([value]);
    expect(read(dialect, call({ loud: true, text: 'PROBE' }))).toEqual([value]);
    expect(read(dialect, call({ text: 'PROBE', loud: true }))).toEqual([value]);
  });

  it('reads what follows a call that it cannot read', () => {
    const broken = rendered(dialect, { text: 'PROBE' }).replace('PROBE', 'a" b');
    const found = read(dialect, `${broken}\n${rendered(dialect, { text: 'whole' })}`);
    expect(found.filter((text) => text !== 'whole')).toEqual([]);
  });

  it('never runs another value (property)', () => {
    const piece = fc.oneof(
      { arbitrary: fc.constant('"'), weight: 4 },
      fc.constantFrom(' ', ',', '}', ']', '{', '[', ':', '\n', '(', ')'),
      fc.constantFrom('a', 'he said', '5', "'", '": "', '"}', '"},'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const value = pieces.join('');
        // Where the first quotation mark ends a string of JSON, nothing shows that it was not meant to.
        fc.pre(!/^[^"]*"\s*[,}\]]/.test(value));
        const found = read(
          dialect,
          rendered(dialect, { text: 'PROBE' }).replace('PROBE', () => value),
        );
        expect(found.filter((text) => text !== value)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});
