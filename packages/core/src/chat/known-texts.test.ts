import { expect, it } from 'vitest';
import { KnownTexts } from './known-texts.ts';

/** What makes capitals of texts, and counts how often it is asked. */
function capitals() {
  const counted = { made: 0 };
  const texts = new KnownTexts<string>((made) => made.length);
  const of = (text: string, by?: unknown, mark = '') =>
    texts.of(
      text,
      () => {
        counted.made += 1;
        return mark + text.toUpperCase();
      },
      by,
    );
  return { texts, counted, of };
}

const long = (text: string, length = 1000) => text.repeat(Math.ceil(length / text.length));

it('makes of a text what is made of it once, however often it is asked', () => {
  const { counted, of } = capitals();
  for (let turn = 0; turn < 5; turn += 1) expect(of(long('a text. '))).toBe(long('A TEXT. '));
  expect(counted.made).toBe(1);
});

it('keeps apart what others make of the same text', () => {
  const { of } = capitals();
  const [a, b] = [{}, {}];
  for (let turn = 0; turn < 2; turn += 1) {
    expect(of(long('text '), a, 'a')).toBe(`a${long('TEXT ')}`);
    expect(of(long('text '), b, 'b')).toBe(`b${long('TEXT ')}`);
  }
});

it('holds no more than its bound, and still has what was asked for meanwhile', () => {
  const { texts, counted, of } = capitals();
  const asked = long('asked for again and again ');
  for (let at = 0; at < 200; at += 1) {
    of(long(`text ${at} `, 50_000));
    of(asked);
    expect(texts.units).toBeLessThanOrEqual(8_000_000);
  }
  expect(counted.made).toBe(201);
  of(long('text 0 ', 50_000));
  expect(counted.made).toBe(202);
});

it('knows texts that look alike: they differ in one place, as two runs of the same tests do', () => {
  const { counted, of } = capitals();
  const alike = Array.from(
    { length: 16 },
    (_, at) => long('a line. ', 440) + String.fromCharCode(0x61 + at) + long('x', 559),
  );
  for (let turn = 0; turn < 3; turn += 1) for (const text of alike) expect(of(text)).toBe(text.toUpperCase());
  expect(counted.made).toBe(16);
});
