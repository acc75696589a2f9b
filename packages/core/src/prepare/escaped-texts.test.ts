import { expect, it } from 'vitest';
import { escapeFirst } from '../chat/escape.ts';
import { createMarkerSearch, type MarkerSearch } from '../chat/marker-search.ts';
import { EscapedTexts } from './escaped-texts.ts';

/** A search that counts how often it is asked. */
function counting(marker: string) {
  const search = createMarkerSearch([marker]);
  const counted = { asked: 0 };
  const counts: MarkerSearch = (text, most) => {
    counted.asked += 1;
    return search(text, most);
  };
  return { counted, search: counts };
}

const long = (text: string, length = 1000) => text.repeat(Math.ceil(length / text.length));

it('says what escaping says, and looks through a text once, however often it is asked', () => {
  const { counted, search } = counting('<call>');
  const texts = new EscapedTexts();
  const text = long('a <call> and a\u2060joiner. ');
  const once = escapeFirst(text, createMarkerSearch(['<call>']));
  for (let turn = 0; turn < 5; turn += 1) expect(texts.of(text, search)).toMatchObject(once);
  expect(counted.asked).toBe(1);
});

it('keeps apart what other markers make of the same text', () => {
  const texts = new EscapedTexts();
  const text = long('<a> <b> ');
  const [a, b] = [counting('<a>').search, counting('<b>').search];
  for (let turn = 0; turn < 2; turn += 1) {
    expect(texts.of(text, a).text).toBe(text.replaceAll('<a>', '<\u2060a>'));
    expect(texts.of(text, b).text).toBe(text.replaceAll('<b>', '<\u2060b>'));
  }
});

it('holds no more than its bound, and still has what was asked for meanwhile', () => {
  const { counted, search } = counting('<call>');
  const texts = new EscapedTexts();
  const asked = long('asked for again and again <call> ');
  for (let at = 0; at < 200; at += 1) {
    texts.of(long(`text ${at} `, 100_000), search);
    texts.of(asked, search);
    expect(texts.units).toBeLessThanOrEqual(8_000_000);
  }
  expect(counted.asked).toBe(201);
  texts.of(long('text 0 ', 100_000), search);
  expect(counted.asked).toBe(202);
});
