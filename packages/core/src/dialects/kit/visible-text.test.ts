import { expect, test } from 'vitest';
import type { Span } from '../dialect.ts';
import { createFrame } from './frame.ts';
import type { Marker } from './grammar.ts';
import { MarkerTrie } from './marker-trie.ts';

test('sections inside sections are held back only so far, and leave as the text they are', () => {
  const followers = new MarkerTrie<true>([['<calls>', true]]);
  const markers = new MarkerTrie<Marker>([['<calls>', { kind: 'section', followers }]]);
  const spans: Span[] = [];
  const parser = createFrame({ markers, names: 'exact' }, { tools: [] })((span) => spans.push(span));
  const text = '<calls>'.repeat(100);
  for (const letter of text) parser.push(letter);
  const left = () => spans.map((span) => (span.kind === 'text' ? span.text : '')).join('');
  expect(left().length).toBeGreaterThan(text.length - 300);
  parser.push(' and so on');
  parser.end();
  expect(left()).toBe(`${text} and so on`);
});
