import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMarkerSearch, type Marker } from './marker-search.ts';

const literals = ['<a>', '<ab', '</a>', '|', 'ab', 'Tool x', 'é|', '［a］', 'aaab'];
const pieces = [...literals, '<', 'a', 'A', 'b', '>', '/', 'é', '［', 'TOOL X', 'tool', '\u0080', ' '];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => all.join(''));

/** Only ASCII letters lose their case. */
const lower = (written: string) => written.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function placesIn(given: string, markers: readonly Marker[]): readonly number[] {
  const search = createMarkerSearch(markers);
  const places: number[] = [];
  for (let at = search(given, 0); at >= 0; at = search(given, at + 1)) places.push(at);
  return places;
}

it('finds every place where a marker begins, and no other (property)', () => {
  const marker = fc.record({ text: fc.constantFrom(...literals), anyCase: fc.boolean() });
  fc.assert(
    fc.property(text, fc.array(marker, { maxLength: 5 }), (given, markers) => {
      const begins = (at: number) =>
        markers.some(({ text: literal, anyCase }) =>
          anyCase ? lower(given).startsWith(lower(literal), at) : given.startsWith(literal, at),
        );
      expect(placesIn(given, markers)).toEqual([...given.split('').keys()].filter(begins));
    }),
  );
});

it('has no place for an empty marker, and none in an empty text', () => {
  expect(placesIn('abc', [''])).toEqual([]);
  expect(placesIn('', ['a'])).toEqual([]);
});
