import { describe, expect, it } from 'vitest';
import { type Cuts, cutText, everySingleCut, nameCuts } from './cut-text.ts';
import { randomInteger, seededRandom } from './seeded-random.ts';

const text = 'a\u{1f600}b\nc';

describe('cutText', () => {
  it('gives the text itself when it is not cut', () => {
    expect(cutText(text, 'whole')).toEqual([text]);
    expect(cutText('', 'whole')).toEqual(['']);
  });

  it('cuts into single units, inside surrogate pairs too', () => {
    expect(cutText(text, 'chars')).toEqual(['a', '\ud83d', '\ude00', 'b', '\n', 'c']);
    expect(cutText('', 'chars')).toEqual([]);
  });

  it('cuts at offsets in any order and passes over those outside', () => {
    expect(cutText('abcdef', [4, 2, 2, 0, 6, 99])).toEqual(['ab', 'cd', 'ef']);
  });

  it('cuts into random pieces of 1 to max that add up and are the same for the same seed', () => {
    const long = text.repeat(50);
    const lengths = new Set<number>();
    for (let seed = 0; seed < 50; seed += 1) {
      const pieces = cutText(long, { seed, max: 4 });
      expect(pieces.join(''), `seed ${seed}`).toBe(long);
      expect(cutText(long, { seed, max: 4 })).toEqual(pieces);
      for (const piece of pieces) lengths.add(piece.length);
    }
    expect([...lengths].sort()).toEqual([1, 2, 3, 4]);
  });

  it('cuts into single units where pieces have one at most', () => {
    expect(cutText(text, { seed: 7, max: 1 })).toEqual(cutText(text, 'chars'));
  });
});

describe('everySingleCut', () => {
  it('names every place between two units', () => {
    expect(everySingleCut('abcd')).toEqual([[1], [2], [3]]);
    expect(everySingleCut('a')).toEqual([]);
    expect(everySingleCut('')).toEqual([]);
  });

  it('spreads its cuts over a text that is too long for all of them', () => {
    const cuts = everySingleCut('x'.repeat(1001), 10);
    expect(cuts).toHaveLength(10);
    expect(cuts[0]).toEqual([1]);
    expect(cuts[9]).toEqual([901]);
  });
});

it('names a cut so that it can be repeated', () => {
  const cuts: Cuts[] = ['whole', { seed: 7, max: 3 }, [2, 5]];
  expect(cuts.map(nameCuts)).toEqual(['whole', '{"seed":7,"max":3}', '[2,5]']);
});

describe('seededRandom', () => {
  it('stays in range and covers it', () => {
    const random = seededRandom(1);
    const seen = new Set(Array.from({ length: 200 }, () => randomInteger(random, 3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
  });

  it('differs between seeds', () => {
    const first = seededRandom(1);
    const second = seededRandom(2);
    expect([first(), first()]).not.toEqual([second(), second()]);
  });
});
