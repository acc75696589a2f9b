import { describe, expect, test } from 'vitest';
import type { Span } from '../../dialect.ts';
import { createGrammar } from '../../parser/create-grammar.ts';
import { createSpanParser } from '../../parser/reply-parser.ts';
import { longestGap } from '../../parser/scanner.ts';
import { jsonCalls } from './json-call.ts';

const grammar = createGrammar({
  calls: [jsonCalls({ openers: [{ literal: '<call>' }], closers: ['</call>'] })],
  names: 'exact',
});
const call = '{"name":"read","arguments":{}}';

/** Everything that has left when `text` has come character by character and the reply has not ended. */
function leftSoFar(text: string): readonly Span[] {
  const spans: Span[] = [];
  const parser = createSpanParser(grammar, { tools: [{ name: 'read', inputSchema: true }] })((span) =>
    spans.push(span),
  );
  for (const letter of text) parser.push(letter);
  return spans;
}

/** Everything that has left when `text` has come and the reply has ended. */
function readWhole(text: string): readonly Span[] {
  const spans: Span[] = [];
  const parser = createSpanParser(grammar, { tools: [{ name: 'read', inputSchema: true }] })((span) =>
    spans.push(span),
  );
  parser.push(text);
  parser.end();
  return spans;
}

const warningsIn = (spans: readonly Span[]) =>
  spans.flatMap((span) => (span.kind === 'warning' ? [span.warning.message] : []));

const textIn = (spans: readonly Span[]) => spans.map((span) => (span.kind === 'text' ? span.text : '')).join('');

describe('JSON calls', () => {
  test('read a rare name for all arguments as a parameter where the tool has one of that name', () => {
    const schema = { type: 'object', properties: { params: { type: 'object' } } };
    const spans: Span[] = [];
    const parser = createSpanParser(grammar, { tools: [{ name: 'read', inputSchema: schema }] })((span) =>
      spans.push(span),
    );
    parser.push('<call>{"name":"read","params":{"x":1}}</call>');
    parser.end();
    expect(spans).toContainEqual({ kind: 'arguments', text: '{"params":{"x":1}}' });
  });

  test('hold back only so much white space before what may still open a list', () => {
    const gap = ' '.repeat(longestGap);
    expect(leftSoFar(`<call>[${gap}`)).toEqual([]);
    expect(textIn(leftSoFar(`<call>[${gap} `))).toBe(`<call>[${gap} `);
  });

  test('hold back only so much white space before what may still be the next call of a list', () => {
    const gap = ' '.repeat(longestGap);
    expect(leftSoFar(`<call>[${call},${gap}`).at(-1)).toEqual({ kind: 'arguments', text: '}' });
    expect(textIn(leftSoFar(`<call>[${call},${gap} `))).toBe(`,${gap} `);
    expect(leftSoFar(`<call>[${call},${gap}${call}`).filter(({ kind }) => kind === 'call')).toHaveLength(2);
  });

  test('of many openers and closers, what is wrong with them is asked only of those that are in a reply', () => {
    const strays = Array.from({ length: 400 }, (_, at) => `<stray${at}>`);
    let asked = 0;
    const form = jsonCalls({ openers: strays.map((literal) => ({ literal })), closers: strays });
    const repairOf = () => {
      asked += 1;
      return undefined;
    };
    const frame = createSpanParser(createGrammar({ calls: [form], repairOf }), {
      tools: [{ name: 'read', inputSchema: true }],
    });
    const parser = frame(() => {});
    parser.push(`<stray7>${call}<stray7>`);
    parser.end();
    expect(asked).toBeLessThan(10 * strays.length);
  });

  test.each(['"argu', "'argu", '"', 'argu'])('of a reply that ends inside the key %s are said to break off', (key) => {
    const spans = readWhole(`<call>{"name":"read",${key}`);
    expect(warningsIn(spans)).toEqual(['A call could not be read: it broke off. It was delivered as text.']);
    expect(textIn(spans)).toBe(`<call>{"name":"read",${key}`);
  });

  test('whose key is none are said to hold what cannot be there', () => {
    const spans = readWhole('<call>{"name":"read",!');
    expect(warningsIn(spans)).toEqual([expect.stringContaining('something is in it that cannot be there')]);
  });

  test('nothing under the key of the arguments hides none under another one', () => {
    const argumentsOf = (json: string) =>
      readWhole(`<call>${json}</call>`)
        .map((span) => (span.kind === 'arguments' ? span.text : ''))
        .join('');
    expect(argumentsOf('{"name":"read","arguments":null,"parameters":{"path":"a"}}')).toBe('{"path":"a"}');
    expect(argumentsOf('{"parameters":{"path":"a"},"arguments":null,"name":"read"}')).toBe('{"path":"a"}');
    expect(argumentsOf('{"name":"read","arguments":null,"path":"a"}')).toBe('{"path":"a"}');
    expect(argumentsOf('{"name":"read","arguments":null}')).toBe('{}');
  });
});

describe('a call that is too long, whose strings hold quotation marks that nobody escaped', () => {
  const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
  const limits = { callLength: 500 };
  const text = `<call>[{"name": "read", "arguments": {"path":${'"name": "edit", "arguments": {'.repeat(100)}`;
  /** What has not left when all has come in pieces of this length, and all spans. */
  const readBy = (size: number) => {
    const spans: Span[] = [];
    const parser = createSpanParser(grammar, { tools, limits })((span) => spans.push(span));
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
    const left = spans.map((span) => ('text' in span && span.kind !== 'arguments' ? span.text : '')).join('');
    parser.end();
    return { held: text.length - left.length, text: spans.map((span) => ('text' in span ? span.text : '')).join('') };
  };

  test.each([1, 7, 600, text.length])(
    'leaves as text in pieces of %i, and no more of it is held than a call may have',
    (size) => {
      const { held, text: said } = readBy(size);
      expect(held).toBeLessThan(2 * limits.callLength);
      expect(said).toContain(text.slice(-limits.callLength));
      expect(said).toBe(readBy(2).text);
    },
  );
});
