import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PieceForm } from './growing-text.ts';

/** What comes out of each piece and of the end. */
function read(pieces: readonly string[], repeats?: boolean): readonly (string | undefined)[] {
  const text = new PieceForm(repeats).growing();
  return [...pieces.map((piece) => text.push(piece)), text.end()];
}

const textOf = (...reading: Parameters<typeof read>) => read(...reading).join('');

/** A text as a server sends it that repeats all text so far. */
const repeated = (pieces: readonly string[]) => pieces.map((_, at) => pieces.slice(0, at + 1).join(''));

describe('pieces that repeat all text so far', () => {
  it('give what is new, once two of them go on after a text that says something', () => {
    expect(read(['The q', 'The quick', 'The quick brown', 'The quick brown fox'])).toEqual([
      'The q',
      '',
      'uick brown',
      ' fox',
      '',
    ]);
  });

  it('are known at the end of a short reply, too', () => {
    expect(textOf(['Four', 'Forty', 'Forty-two.'].map((_, at, all) => all.slice(0, at + 1).join(' ')))).toBe(
      'Four Forty Forty-two.',
    );
    expect(textOf(['Sure', 'Sure.'])).toBe('Sure.');
    expect(textOf([...'Hello'].map((_, at) => 'Hello'.slice(0, at + 1)))).toBe('Hello');
  });

  it('are known by their number where they hold the same over and over', () => {
    const line = Array.from({ length: 12 }, (_, at) => '='.repeat(at + 1));
    expect(textOf([...line, `${line.at(-1)}\nTitle`])).toBe('============\nTitle');
  });

  it('are known in the text that follows, once they are in one of the stream', () => {
    const stream = new PieceForm();
    const [thoughts, answer] = [stream.growing(), stream.growing()];
    for (const piece of repeated(['Let me ', 'think of ', 'it.'])) thoughts.push(piece);
    expect(['ha', 'haha'].map((piece) => answer.push(piece))).toEqual(['ha', 'ha']);
  });

  it('may come twice, and what takes something back is told', () => {
    const pieces = [
      'I have read',
      'I have read',
      'I have read it',
      'I have read it.',
      'You have',
      'I have read it. Bye',
    ];
    expect(read(pieces)).toEqual(['I have read', '', '', ' it.', undefined, ' Bye', '']);
  });
});

describe('pieces that are new', () => {
  it.each([
    ['a word three times', ['ha', 'haha', '!'], 'hahaha!'],
    ['a word three times and nothing more', ['ha', 'haha'], 'hahaha'],
    ['digits', ['1', '10', '100'], '110100'],
    ['a line that is drawn', ['-', '--', '----', '--------', ' |'], '--------------- |'],
    ['a line over and over', Array.from({ length: 40 }, () => '| 0 |\n'), '| 0 |\n'.repeat(40)],
    ['a sentence that is said twice', ['I said no. ', 'I said no. ', 'Really.'], 'I said no. I said no. Really.'],
    [
      'a sentence that is said again and goes on',
      ['Hello there', 'Hello there, friend', '. Bye'],
      'Hello thereHello there, friend. Bye',
    ],
    ['nothing between them', ['a', '', 'b', '', 'ab'], 'abab'],
  ])('stay as they are: %s', (_, pieces, text) => {
    expect(textOf(pieces)).toBe(text);
  });

  it('leave at once from the first one on that does not begin with what was before', () => {
    expect(read(['The ', 'quick', ' brown', 'The quick brown'])).toEqual([
      'The ',
      'quick',
      ' brown',
      'The quick brown',
      '',
    ]);
  });

  it('that would repeat all text so far are taken as they are where it is known that none does', () => {
    expect(textOf(repeated(['I read', ' all', ' of it']), false)).toBe('I readI read allI read all of it');
  });
});

const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,6} $/), { minLength: 4, maxLength: 30 });

it('any prose comes out as it was written, whichever way its pieces come', () => {
  fc.assert(
    fc.property(words, (pieces) => {
      expect(textOf(repeated(pieces))).toBe(pieces.join(''));
      expect(textOf(pieces)).toBe(pieces.join(''));
    }),
  );
});
