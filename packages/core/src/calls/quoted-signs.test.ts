import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leakMarkers } from '../dialects/together/read-any.ts';
import { plainSigns, QuotedSigns } from './plain-signs.ts';

const said = (role: 'user' | 'tool', text: string) =>
  ({ role, callId: 'c', content: [{ type: 'text', text }] }) as const;

it('finds what somebody has written, however long the text is and however it is escaped (property)', () => {
  const markers = leakMarkers();
  const literal = fc
    .tuple(fc.constantFrom(...markers), fc.constantFrom('', 'read_file', '=x>', '>'))
    .map(([marker, more]) => marker + more);
  const escaped = fc.tuple(literal, fc.constantFrom('<', '_', 'l', '')).map(([text, sign]) => {
    return sign === '' ? text : text.replaceAll(sign, `&#x${sign.charCodeAt(0).toString(16)};`);
  });
  const filler = fc.constantFrom(
    '',
    'a < b & c\n',
    'x'.repeat(300),
    '<section>',
    '\\u003c',
    ' if (a[1]) { "<" } '.repeat(30),
  );
  const text = fc.array(fc.oneof(escaped, literal, filler), { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), literal, (texts, sought) => {
      const signs = new QuotedSigns(texts.map((each) => said('tool', each)));
      const isThere = texts.some((each) => plainSigns(each).includes(plainSigns(sought)));
      expect(signs.has(sought)).toBe(isThere);
      // The second time what was found before is found again.
      expect(new QuotedSigns(texts.map((each) => said('user', each))).has(sought)).toBe(isThere);
    }),
  );
});

it('compares the beginning of what is very long', () => {
  const name = 'n'.repeat(400);
  const signs = new QuotedSigns([said('user', `see <function=${name}>`)]);
  expect(signs.has(`<function=${name}>`)).toBe(true);
  expect(signs.has('<function=m')).toBe(false);
});
