import { expect, test } from 'vitest';
import { MarkerTrie } from './markers/marker-trie.ts';
import { afterLiteral, anySuffix, findLiteral, longestSuffix, lookFor, Scanner } from './scanner.ts';

const literal = `<call:${anySuffix}>`;
const longest = 'x'.repeat(longestSuffix);

test.each(['a', '7', 'Rel_2-b', longest])('%s is a suffix, at every cut', (suffix) => {
  const text = `<call:${suffix}>`;
  const trie = new MarkerTrie([[literal, 'call']]);
  for (let cut = 0; cut < text.length; cut += 1) {
    expect(afterLiteral(text.slice(0, cut), 0, literal), text.slice(0, cut)).toBe('more');
    if (cut > 0) expect(trie.find(text.slice(0, cut), 0, false), text.slice(0, cut)).toBe('more');
  }
  expect(afterLiteral(`${text}>`, 0, literal)).toBe(text.length);
  expect(trie.find(`${text}>`, 0, false)).toEqual({ value: 'call', length: text.length });
  expect(findLiteral(`<call:><call ${text}`, literal, 0)).toEqual({ at: 13, end: 13 + text.length });
});

test.each(['', `${longest}x`, 'a.b', 'ä', anySuffix, 'a b'])('%j is none', (suffix) => {
  const text = `<call:${suffix}>`;
  expect(afterLiteral(text, 0, literal)).toBe('no');
  expect(new MarkerTrie([[literal, 'call']]).find(text, 0, false)).toBe('no');
  expect(findLiteral(text, literal, 0)).toBeUndefined();
});

test('nothing waits for a suffix that is too long already', () => {
  const text = `<call:${longest}x`;
  expect(afterLiteral(text, 0, literal)).toBe('no');
  expect(new MarkerTrie([[literal, 'call']]).find(text, 0, false)).toBe('no');
});

test('a literal of its own counts for more than any suffix', () => {
  const trie = new MarkerTrie([
    [literal, 'any'],
    ['<call:own>', 'own'],
  ]);
  expect(trie.find('<call:own>', 0, true)).toEqual({ value: 'own', length: 10 });
  expect(trie.find('<call:abc>', 0, true)).toEqual({ value: 'any', length: 10 });
});

test('where the input is over, what is not whole is not there', () => {
  const scanner = new Scanner();
  scanner.feed('<call:a');
  expect(lookFor(scanner, 0, [literal])).toBe('more');
  scanner.end(false);
  expect(lookFor(scanner, 0, [literal])).toBe('no');
});
