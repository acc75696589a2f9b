import { expect, test } from 'vitest';
import { dialects } from '../../registry.ts';
import { MarkerTrie } from './marker-trie.ts';

const trie = new MarkerTrie([
  ['<tool_call>', 1],
  ['<tool_calls>', 2],
  ['[ARGS]', 3],
  ['｜end｜', 4],
]);

test('finds the marker at a place, and only there', () => {
  expect(trie.find('x<tool_calls>', 1, false)).toEqual({ value: 2, length: 12 });
  expect(trie.find('x<tool_calls>', 0, false)).toBe('no');
});

test('asks for more only at the beginning of a marker', () => {
  expect(trie.find('<tool', 0, false)).toBe('more');
  expect(trie.find('<tool', 0, true)).toBe('no');
  expect(trie.find('<tools', 0, false)).toBe('no');
});

test('knows the characters that markers start with, beyond ASCII too', () => {
  expect(['<', '[', '｜', 't', '💥'].map((first) => trie.starts.has(first.charCodeAt(0)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('the first of two equal markers counts', () => {
  const twice = new MarkerTrie([
    ['<think>', 'tool'],
    ['<think>', 'reasoning'],
  ]);
  expect(twice.find('<think>', 0, false)).toEqual({ value: 'tool', length: 7 });
});

test('of two markers of which one begins the other, the longer one counts', () => {
  const nested = new MarkerTrie([
    ['[', 'list'],
    ['[CALLS]', 'calls'],
  ]);
  expect(nested.find('[CALLS]', 0, false)).toEqual({ value: 'calls', length: 7 });
  expect(nested.find('[CALM', 0, false)).toEqual({ value: 'list', length: 1 });
  expect(nested.find('[CA', 0, false)).toBe('more');
  expect(nested.find('[CA', 0, true)).toEqual({ value: 'list', length: 1 });
});

test('what markers have in common is found in whatever order they came', () => {
  const literals = ['<call>', '<calls>', '<call', '<', '<cal:', 'call'];
  for (const turn of literals.keys()) {
    const turned = [...literals.slice(turn), ...literals.slice(0, turn)];
    const all = new MarkerTrie(turned.map((literal) => [literal, literal] as const));
    for (const literal of literals) expect(all.find(`${literal}.`, 0, false)).toMatchObject({ value: literal });
  }
});

test('looks at few characters of any text, with the markers of all dialects in it', () => {
  const literals = [...new Set([...dialects.values()].flatMap(({ markers }) => markers([])))];
  const all = new MarkerTrie(literals.map((literal) => [literal, true] as const));
  expect(literals.length).toBeGreaterThan(400);
  let longest = 0;
  for (const literal of literals) {
    const text = literal.slice(0, -1).repeat(20);
    let looked = 0;
    const charCodeAt = (at: number) => {
      looked += 1;
      return text.charCodeAt(at);
    };
    const counted = { length: text.length, charCodeAt };
    for (let at = 0; at < text.length; at += 1) all.find(counted, at, false);
    longest = Math.max(longest, looked / text.length);
  }
  expect(longest).toBeLessThan(4);
});

test('where letter case does not matter, the first letter of a marker is one of both', () => {
  const folded = new MarkerTrie([['Action:', 'word']], { fold: true });
  for (const text of ['Action:', 'action:', 'ACTION:']) {
    expect(folded.starts.has(text.charCodeAt(0))).toBe(true);
    expect(folded.find(text, 0, true)).toEqual({ value: 'word', length: 7 });
  }
  expect(new MarkerTrie([['Action:', 'word']]).starts.has('a'.charCodeAt(0))).toBe(false);
});
