import { expect, test } from 'vitest';
import { ActiveSet } from './active-set.ts';

test('holds what was added until it is deleted, which counts once', () => {
  const bag = new ActiveSet<string>();
  for (const item of ['a', 'b', 'c', 'd']) bag.add(item);
  expect(bag.delete('b')).toBe(true);
  expect(bag.delete('b')).toBe(false);
  expect(bag.delete('d')).toBe(true);
  expect(bag.size).toBe(2);
  expect([...bag].sort()).toEqual(['a', 'c']);
});

test('a look at all of them meets each once, also when they go meanwhile', () => {
  const bag = new ActiveSet<string>();
  for (const item of ['a', 'b', 'c']) bag.add(item);
  const met: string[] = [];
  for (const item of bag) {
    met.push(item);
    bag.delete(item);
  }
  expect(met).toEqual(['a', 'b', 'c']);
  expect(bag.size).toBe(0);
});
