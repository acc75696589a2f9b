import { describe, expect, test } from 'vitest';
import { longestGap, look, Scanner } from './scanner.ts';

function scannerOf(...chunks: readonly string[]): Scanner {
  const scanner = new Scanner();
  for (const chunk of chunks) scanner.feed(chunk);
  return scanner;
}

describe('Scanner', () => {
  test('answers "more" only while the literal may still come', () => {
    const scanner = scannerOf('ab<to');
    expect(look(scanner, '<tool>', 2)).toBe('more');
    expect(look(scanner, '<tap>', 2)).toBe('no');
    scanner.feed('ol>');
    expect(look(scanner, '<tool>', 2)).toBe('yes');
  });

  test('answers "no" for a literal that the end of the input cut off', () => {
    const scanner = scannerOf('<to');
    scanner.end(false);
    expect(look(scanner, '<tool>')).toBe('no');
  });

  test('looks after white space, as far as a look-ahead crosses', () => {
    const scanner = scannerOf(`a  b${' '.repeat(longestGap)}`);
    expect(scanner.afterSpace(1)).toBe(3);
    expect(scanner.afterSpace(3)).toBe(3);
    expect(scanner.afterSpace(4)).toBe('more');
    scanner.feed(' ');
    expect(scanner.afterSpace(4)).toBe('no');
  });

  test('keeps what is not consumed and counts the rest into the position', () => {
    const scanner = scannerOf('abcdef');
    scanner.at = 4;
    scanner.feed('gh');
    expect(scanner.text).toBe('efgh');
    expect(scanner.position()).toBe(4);
    expect(scanner.position(2)).toBe(6);
  });

  test('A-170 never shows half of a surrogate pair', () => {
    const [high, low] = ['\ud83d', '\ude00'];
    const scanner = scannerOf(`a${high}`);
    expect(scanner.text).toBe('a');
    scanner.feed(low ?? '');
    expect(scanner.text).toBe('a😀');
  });

  test('delivers a half that stays alone, since the model wrote it', () => {
    const scanner = scannerOf('a\ud83d');
    scanner.end(false);
    expect(scanner.text).toBe('a\ud83d');
  });
});
