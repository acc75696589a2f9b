import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJson } from './json-escape.ts';

describe('escapeJson', () => {
  test('A-133 any text comes back from JSON.parse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(JSON.parse(`"${escapeJson(text)}"`)).toBe(text);
      }),
    );
  });

  test('text without special characters is untouched', () => {
    expect(escapeJson('plain text, ümläuts / and 漢字')).toBe('plain text, ümläuts / and 漢字');
    expect(escapeJson('')).toBe('');
  });

  test('quotes, backslashes and control characters are escaped', () => {
    expect(escapeJson('a"b\\c\n\u0001')).toBe('a\\"b\\\\c\\n\\u0001');
  });

  test('E-056 a lone surrogate is escaped, a pair is not', () => {
    expect(escapeJson('\ud83d')).toBe('\\ud83d');
    expect(escapeJson('\ude00x')).toBe('\\ude00x');
    expect(escapeJson('😀')).toBe('😀');
  });
});
