import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEscape, createJsonUnescape, createUnescape, escapeJoiners, joiner as J } from './escape.ts';
import type { SearchedMarker } from './marker-search.ts';

const markers = ['<tool_call>', '</tool_call>', '[Tool Result', '## Return of ', '<a<b>', '<b>', '\n---\n'];
const escaping = createEscape(markers);

describe('createEscape', () => {
  it('A-209 puts a joiner after the first character of each marker', () => {
    expect(escaping('x <tool_call>{}</tool_call> [Tool Result: y]')).toEqual({
      text: `x <${J}tool_call>{}<${J}/tool_call> [${J}Tool Result: y]`,
      count: 3,
    });
    expect(escaping('<a<b>')).toEqual({ text: `<${J}a<${J}b>`, count: 2 });
  });

  it('returns text without markers as it is', () => {
    const text = 'if (a < b && c[1] > 2) # <tool call> </tool_cal> &lt;tool_call>';
    expect(escaping(text)).toEqual({ text, count: 0 });
    expect(escaping('')).toEqual({ text: '', count: 0 });
    expect(createEscape([])(text)).toEqual({ text, count: 0 });
  });

  it('is case-sensitive unless a marker says otherwise', () => {
    const loose: readonly SearchedMarker[] = [{ text: '[Tool RESULT', anyCase: true }];
    expect(createEscape(loose)('[tool result').count).toBe(1);
    expect(createEscape(loose)('[TOOL Result').text).toBe(`[${J}TOOL Result`);
    expect(escaping('[tool result').count).toBe(0);
  });
});

const text = fc
  .array(fc.constantFrom(...markers, J, J, '<', 'a', '&lt;', '\\', '"', '\n', '\\u2060', 'é', '😀'), { maxLength: 30 })
  .map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(), { maxLength: 20 });

function cutUp(whole: string, at: readonly number[]): readonly string[] {
  const places = [...new Set(at.map((place) => place % (whole.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
}

describe('escapes come back', () => {
  it('as the very text, with no marker on the way, whatever the cuts (property)', () => {
    fc.assert(
      fc.property(text, cuts, (given, at) => {
        const once = escaping(escapeJoiners(given).text).text;
        for (const marker of markers) expect(once).not.toContain(marker);
        expect(escaping(once)).toEqual({ text: once, count: 0 });
        const back = createUnescape();
        expect(cutUp(once, at).map(back).join('')).toBe(given);
      }),
    );
  });

  it('in JSON text, joiners spelled out or not (property)', () => {
    fc.assert(
      fc.property(text, cuts, fc.boolean(), (given, at, spelled) => {
        const json = JSON.stringify({ a: escaping(escapeJoiners(given).text).text, b: 1.0 });
        const back = createJsonUnescape();
        const read = cutUp(spelled ? json.replaceAll(J, '\\u2060') : json, at).map(back);
        expect(JSON.parse(read.join(''))).toEqual({ a: given, b: 1 });
      }),
    );
  });

  it('and a copy without joiners says the same', () => {
    expect(createUnescape()('<tool_call> &lt;b>')).toBe('<tool_call> &lt;b>');
  });
});
