import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainSigns } from './plain-signs.ts';

describe('a text as it is compared with markers', () => {
  it.each([
    ['HTML', '&lt;invoke&gt;'],
    ['HTML in capitals', '&LT;INVOKE&GT;'],
    ['HTML without semicolons', '&ltinvoke&gt'],
    ['HTML with numbers', '&#60;invoke&#062;'],
    ['HTML with hexadecimal numbers', '&#x3C;invoke&#X003e;'],
    ['HTML in HTML in HTML', '&amp;amp;lt;invoke&amp;amp;gt;'],
    ['JSON', '\\u003cinvoke\\u003E'],
    ['JSON in JSON', '\\\\u003cinvoke\\\\u003E'],
    ['a script', '\\x3cinvoke\\u{3e}'],
    ['Markdown', '\\<invoke\\>'],
    ['an address', '%3cinvoke%3E'],
    ['an address in an address', '%253cinvoke%253E'],
    ['what was escaped with signs of no width', '<\u200binvoke\u2060>'],
    ['what was escaped with blanks', '< invoke >'],
    ['wide signs', '\uff1cinvoke\uff1e'],
  ])('is the same where it is written in %s', (_, written) => {
    expect(plainSigns(written)).toBe('<invoke>');
  });

  it.each([
    ['&lt;\uff5cDSML\uff5cinvoke'],
    ['<\\uff5cDSML\\uff5cinvoke'],
    ['<%EF%BD%9CDSML%EF%BD%9Cinvoke'],
    ['<&#65372;DSML&#65372;invoke'],
    ['<|dsml|invoke'],
  ])('is the same where signs beyond ASCII are escaped: %s', (written) => {
    expect(plainSigns(written)).toBe('<|dsml|invoke');
  });

  it.each([
    '&copy;',
    '&',
    '&#;',
    '&#x;',
    '&#x110000;',
    '100%',
    '%3',
    '%zz',
    '\\u12',
    '\\x',
    '\\u{}',
    '\\u{3c',
    '\\',
    '\\d',
  ])('keeps what is no escape: %s', (written) => {
    expect(plainSigns(written)).toBe(written);
  });

  it('holds each marker that is in it, whatever is around (property)', () => {
    const piece = fc.constantFrom('&', '%', '\\', '&#', '%4', 'u00', 'x', '&l', ';', '{', 'a', ' ', '3c', '\ud83d');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (before, after) => {
        const text = `${before.join('')}\n<invoke>${after.join('')}`;
        expect(plainSigns(text)).toContain('<invoke>');
      }),
    );
  });
});
