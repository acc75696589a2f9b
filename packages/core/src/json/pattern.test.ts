import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { holdsPattern, readPattern } from './pattern.ts';

const matches = (pattern: string, text: string) => holdsPattern(text, pattern, () => {});

describe('a pattern is found as every engine finds it', () => {
  const texts = [
    '',
    'a',
    'b',
    'ab',
    'ba b',
    'aab',
    'abc',
    'A_1',
    'x-y',
    'é',
    '😀',
    '\n',
    'a\nb',
    '0-9',
    ']',
    '\\',
    '12.5',
    ' ',
  ];
  it.each([
    '',
    'a',
    '^a$',
    'a|b',
    '(a|b)+c',
    '^(?:ab)?$',
    '(?<name>a)b',
    'a{2}',
    '^a{1,2}b',
    'a{0,}b',
    'a+?b',
    '^.$',
    '[abc]',
    '[^abc]',
    '^[a-z]+$',
    '[\\]]',
    '[\\\\]',
    '[0-9-]',
    '[-x]',
    '\\d+\\.\\d',
    '^\\w+$',
    '\\W',
    '\\s',
    '\\S\\s\\S',
    '\\bb\\b',
    '\\Bb',
    '\\u0061',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '^\\x61',
    '^$',
    '$^',
    '[\\d_]',
    '[^\\d]',
    '\\/',
    '\\-',
    '^\\cJ$',
    '[\\b]',
    '^[^]$',
    '[]',
  ])('%s', (pattern) => {
    const known = new RegExp(pattern, pattern === '\\-' ? '' : 'u');
    for (const text of texts) expect(matches(pattern, text), JSON.stringify(text)).toBe(known.test(text));
  });
});

it.each(['(', 'a)', '*', 'a**', '[', '[b-a]', '[\\w-a]', '{', 'a{2,1}', '\\', '\\u{110000}', '\\xg0', '^*'])(
  '%s is no pattern',
  (pattern) => {
    expect(() => new RegExp(pattern, 'u')).toThrow();
    expect(readPattern(pattern)).toBe('invalid');
  },
);

it.each(['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?<n>a)\\k<n>', '(?i)a', '(?P<n>a)', '\\p{L}'])(
  '%s is not supported',
  (pattern) => {
    expect(readPattern(pattern)).toBe('unsupported');
    expect(matches(pattern, 'b')).toBeUndefined();
  },
);

test('random patterns are found as every engine finds them', () => {
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', ''),
      fc.tuple(tie('part'), tie('part')).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie('part'), tie('part')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?'))
        .map(([one, times]) => `(${one})${times}`),
    ),
  }));
  const text = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 8 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(part, text, (pattern, each) => {
      expect(matches(pattern, each)).toBe(new RegExp(pattern, 'u').test(each));
    }),
    { numRuns: runs(2_000) },
  );
});

test('no source makes it throw', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'ab()[]{}\\|*+?^$-,0123<>:=!ux.'), { maxLength: 20 }), (letters) => {
      const pattern = letters.join('');
      const node = readPattern(pattern);
      matches(pattern, 'ab');
      let known = true;
      try {
        new RegExp(pattern, 'u');
      } catch {
        known = false;
      }
      // What every engine reads, we read, or say that we do not.
      if (known) expect(node).not.toBe('invalid');
    }),
    { numRuns: runs(3_000) },
  );
});
