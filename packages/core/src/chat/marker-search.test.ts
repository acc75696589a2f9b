import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMarkerSearch, type SearchedMarker } from './marker-search.ts';

const literals = ['<a>', '<ab', '</a>', '|', 'ab', 'Tool x', 'é|', '［a］', 'aaab', 'aab', 'baaa'];
const pieces = [...literals, '<', 'a', 'A', 'b', '>', '/', 'é', '［', 'TOOL X', 'tool', '\u0080', ' '];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => all.join(''));

/** Only ASCII letters lose their case. */
const lower = (written: string) => written.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const placesIn = (given: string, markers: readonly SearchedMarker[]) =>
  createMarkerSearch(markers)(given, given.length);

it('finds every place where a marker begins, and no other (property)', () => {
  const marker = fc.record({ text: fc.constantFrom(...literals), anyCase: fc.boolean() });
  fc.assert(
    fc.property(text, fc.array(marker, { maxLength: 5 }), (given, markers) => {
      const begins = (at: number) =>
        markers.some(({ text: literal, anyCase }) =>
          anyCase ? lower(given).startsWith(lower(literal), at) : given.startsWith(literal, at),
        );
      const places = [...given.split('').keys()].filter(begins);
      expect(placesIn(given, markers)).toEqual(places);
      expect(createMarkerSearch(markers)(given, 2)).toEqual(places.slice(-2));
    }),
  );
});

it('has no place for an empty marker, and none in an empty text', () => {
  expect(placesIn('abc', [''])).toEqual([]);
  expect(placesIn('', ['a'])).toEqual([]);
});
