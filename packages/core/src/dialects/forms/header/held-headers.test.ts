import { describe, expect, it } from 'vitest';
import type { Span } from '../../dialect.ts';
import { createGrammar } from '../../parser/create-grammar.ts';
import type { GrammarForm } from '../../parser/grammar.ts';
import { createSpanParser } from '../../parser/reply-parser.ts';
import { attributeCalls } from '../../readers/tool-request.ts';
import { bareName, impliedName, nameAttribute } from '../tags/tag-header.ts';
import { taggedCalls } from '../tags/tagged-call.ts';

/** `<invoke name="…"><parameter name="…">…</parameter></invoke>` */
const invokeCalls = taggedCalls({
  calls: [{ literal: '<invoke', header: nameAttribute }],
  callClosers: ['</invoke>'],
  parameters: [{ literal: '<parameter', header: nameAttribute }],
  parameterClosers: ['</parameter>'],
});

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];

const attributed: GrammarForm = { calls: [...attributeCalls(tools, (name) => [`<use ${name}`])] };

const invoked: GrammarForm = {
  calls: [invokeCalls],
};

const named: GrammarForm = {
  calls: [
    taggedCalls({
      calls: [{ literal: '<name>', header: bareName({ ends: ['</name>'] }) }],
      callClosers: ['</call>'],
      parameters: [{ literal: '<path>', header: impliedName('path') }],
      parameterClosers: ['</path>'],
    }),
  ],
};

function spansOf(form: GrammarForm, pieces: readonly string[]): Span[] {
  const spans: Span[] = [];
  const parser = createSpanParser(createGrammar(form), { tools })((span) => spans.push(span));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return spans;
}

/** The most characters that wait while `text` comes one by one. */
function longestWait(form: GrammarForm, text: string): number {
  let waiting = 0;
  let longest = 0;
  const parser = createSpanParser(createGrammar(form), { tools })((span) => {
    if (span.kind === 'text') waiting -= span.text.length;
  });
  for (const character of text) {
    waiting += 1;
    parser.push(character);
    longest = Math.max(longest, waiting);
  }
  return longest;
}

describe('a header that never ends', () => {
  it('of attributes without an equals sign is text at the first word', () => {
    expect(longestWait(attributed, `<use read${' words and words'.repeat(1000)}`)).toBeLessThan(32);
  });

  it.each([
    ['white space after the name of a tool', attributed, '<use read', ' '],
    ['one key', attributed, '<use read ', 'a'],
    ['white space behind the key of an attribute', invoked, '<invoke name', ' '],
    ['white space after an equals sign', invoked, '<invoke name=', '\n'],
  ])('holds back a bounded number of characters: %s', (_, form, opener, filler) => {
    expect(longestWait(form, opener + filler.repeat(20_000))).toBeLessThan(6000);
  });
});

describe('an object after a header', () => {
  it.each([0, 256, 257, 2000])('is judged alike whatever the cuts, behind %s spaces', (length) => {
    const text = `<name>read</name>${' '.repeat(length)}{"path":"a"}</call>`;
    const kinds = (pieces: readonly string[]) => new Set(spansOf(named, pieces).map(({ kind }) => kind));
    expect(kinds([...text])).toEqual(kinds([text]));
    expect(kinds([text]).has('call')).toBe(length <= 256);
  });
});
