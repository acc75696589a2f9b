import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsOf, widthOf } from './screen.ts';

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

it('D-056: a text in rows is all there, in rows that fit, at its words', () => {
  expect([...rowsOf('a long line of words', 10)]).toEqual(['a long ', 'line of ', 'words']);
  expect([...rowsOf('averylongword', 5)]).toEqual(['avery', 'longw', 'ord']);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, width) => {
      const rows = [...rowsOf(text, width)];
      expect(rows.join('')).toBe(text);
      // A letter alone cannot be cut: some are as wide as three.
      const tooWide = rows.filter((row) => widthOf(row) > width);
      for (const row of tooWide) expect([...letters.segment(row)]).toHaveLength(1);
      if (text !== '') expect(rows).not.toContain('');
    }),
  );
});
