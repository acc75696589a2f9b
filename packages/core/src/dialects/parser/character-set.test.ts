import { expect, test } from 'vitest';
import { CharacterSet } from './scanner.ts';

const codeOf = (character: string) => character.charCodeAt(0);
const setOf = (characters: string) => new CharacterSet([...characters].map(codeOf));

test('finds the next of its characters, or the end', () => {
  const set = setOf('<`');
  expect(set.find('a `b` <c', 0)).toBe(2);
  expect(set.find('a `b` <c', 3)).toBe(4);
  expect(set.find('abc', 1)).toBe(3);
  expect(set.find('', 0)).toBe(0);
});

test('of characters beyond ASCII it finds only its own', () => {
  const set = setOf('<✦');
  expect(set.find('工具✨✦<', 0)).toBe(3);
  expect(set.has(codeOf('✨'))).toBe(false);
  expect(set.has(codeOf('✦'))).toBe(true);
  expect(setOf('<').find('工具<', 0)).toBe(2);
});

test('takes in another one', () => {
  const set = setOf('<').addAll(setOf('✦['));
  expect([...'<[✦'].every((character) => set.has(codeOf(character)))).toBe(true);
  expect([...'>`✨'].some((character) => set.has(codeOf(character)))).toBe(false);
});
