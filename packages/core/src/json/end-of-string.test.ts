import { expect, it } from 'vitest';
import { endOfString } from './end-of-string.ts';

/** The same, unit by unit. */
function slowly(json: string, from: number): number {
  for (let at = from; at < json.length; at += json[at] === '\\' ? 2 : 1) if (json[at] === '"') return at;
  return json.length;
}

it('passes over escaped quotation marks, however many backslashes stand before them', () => {
  const units = ['"', '\\', 'a'];
  const texts = [''];
  for (let length = 0; length < 7; length += 1) {
    for (const text of texts.splice(0)) for (const unit of units) texts.push(text + unit);
    for (const text of texts) {
      // A text ends in no half of an escape.
      if (slowly(text, 0) === text.length && /(?<!\\)(\\\\)*\\$/.test(text)) continue;
      expect(endOfString(text, 0), JSON.stringify(text)).toBe(slowly(text, 0));
      expect(endOfString(`x${text}"`, 1), JSON.stringify(text)).toBe(slowly(`x${text}"`, 1));
    }
  }
});
