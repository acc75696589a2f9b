import { expect, test } from 'vitest';
import type { Span } from '../dialect.ts';
import { createGrammar } from './create-grammar.ts';
import { sectionForm } from './markers/sections.ts';
import { createSpanParser } from './reply-parser.ts';

test('sections inside sections are held back only so far, and leave as the text they are', () => {
  const grammar = createGrammar({ calls: [], sections: sectionForm({ openers: ['<calls>'], closers: ['</calls>'] }) });
  const spans: Span[] = [];
  const parser = createSpanParser(grammar, { tools: [] })((span) => spans.push(span));
  const text = '<calls>'.repeat(100);
  for (const letter of text) parser.push(letter);
  const left = () => spans.map((span) => (span.kind === 'text' ? span.text : '')).join('');
  expect(left().length).toBeGreaterThan(text.length - 300);
  parser.push(' and so on');
  parser.end();
  expect(left()).toBe(`${text} and so on`);
});
