import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmless } from '../../log/harmless.ts';
import { MarkdownStream } from './markdown.ts';
import { Screen, widthOf } from './screen.ts';

/** What stands on a screen of so many columns when a text has come in pieces. */
function show(pieces: readonly string[], { columns = 40, colour = false } = {}): string {
  let written = '';
  const output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    }),
    { columns },
  );
  const markdown = new MarkdownStream(new Screen(output, colour ? {} : { NO_COLOR: '1' }));
  for (const piece of pieces) markdown.push(piece);
  markdown.end();
  return written;
}

const whole = (text: string, options = {}) => show([text], options);

describe('D-078: Markdown in a terminal', () => {
  it.each([
    ['marks', 'a **bold** and `code` [word](https://x.test)', 'a **bold** and `code`\n[word](https://x.test)\n'],
    ['a heading', '## Plan', '## Plan\n'],
    ['items', '- one\n* two\n  1. three', '- one\n* two\n  1. three\n'],
    ['a quote', '> said', '> said\n'],
    ['a quote that is wrapped', `> ${'word '.repeat(9)}`, '> word word word word word word word\n> word word\n'],
    ['code', '```ts\nconst **a** = `b`;\n```\nAfter', '```ts\nconst **a** = `b`;\n```\nAfter\n'],
    ['code that never ends', '~~~\n  code', '~~~\n  code\n'],
    ['empty lines', 'a\n\n\n\nb', 'a\n\nb\n'],
    ['a table', `| a | b |\n|---|---|\n| 1 | ${'x '.repeat(25)}|`, `| a | b |\n|---|---|\n| 1 | ${'x '.repeat(25)}|\n`],
    ['words that are wrapped', `${'word '.repeat(10)}`, 'word word word word word word word word\nword word\n'],
    ['items that are wrapped', `- ${'word '.repeat(9)}`, '- word word word word word word word\n  word word\n'],
    ['a word that is too long', 'x'.repeat(50), `${'x'.repeat(50)}\n`],
    ['wide letters', `${'字'.repeat(18)} 字字字`, `${'字'.repeat(18)}\n字字字\n`],
  ])('%s', (_what, text, shown) => {
    expect(whole(text)).toBe(shown);
  });

  it.each([
    ['bold text and code', '**b** `c`', '\u001b[1m**b**\u001b[22m \u001b[36m`c`\u001b[39m\n'],
    ['marks in code', '`**`', '\u001b[36m`**`\u001b[39m\n'],
    ['stars that open nothing', '2 ** 3 * 4', '2 ** 3 * 4\n'],
    [
      'a heading',
      '# A',
      '\u001b[1m\u001b[36m#\u001b[39m\u001b[22m\u001b[1m\u001b[36m \u001b[39m\u001b[22m\u001b[1m\u001b[36mA\u001b[39m\u001b[22m\n',
    ],
    ['code', '```\nx\n```', '\u001b[2m```\u001b[22m\n\u001b[36mx\u001b[39m\n\u001b[2m```\u001b[22m\n'],
    ['a mark without an end, for its line', '`a\nb', '\u001b[36m`a\u001b[39m\nb\n'],
  ])('has a look for %s', (_what, text, shown) => {
    expect(whole(text, { colour: true })).toBe(shown);
  });

  it('D-012 D-075: lines of state are not shown, and a sentence with that word is', () => {
    expect(whole('STATE: idle\n\nThe STATE: of it\nSTATE: is a word')).toBe('The STATE: of it\nSTATE: is a word\n');
    expect(whole('```\nSTATE: idle\n```')).toBe('```\nSTATE: idle\n```\n');
  });
});

const controlling = ['\u001b[2J', '\u009b', '\u202e'];
const pieces = fc.constantFrom(
  ...['word ', 'x', ' ', '\n', '\n\n', '*', '**', '_', '`', '```', '~~', '[', '](', ')', '# ', '- ', '1. ', '> ', '| '],
  ...['\\', '---', '\t', '字', '😀', 'STATE: ', ...controlling, '\r'],
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

describe('any text', () => {
  it('looks the same in every cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(60), { maxLength: 8 }), fc.boolean(), (text, cuts, colour) => {
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((one, other) => one - other);
        const parts = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
        expect(show(parts, { colour })).toBe(show([text], { colour }));
        expect(show([...text], { colour })).toBe(show([text], { colour }));
      }),
    );
  });

  it('loses no word and no digit', () => {
    const letters = (text: string) => [...text].filter((letter) => /[\p{L}\p{N}😀]/u.test(letter)).join('');
    // Of what controls, its number is shown; a line of state is no word.
    const others = [...controlling, 'STATE: '];
    const bare = texts.filter((text) => !others.some((each) => text.includes(each)));
    fc.assert(
      fc.property(bare, (text) => {
        expect(letters(whole(text))).toBe(letters(text));
      }),
    );
  });

  it('never controls the terminal', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = whole(text);
        expect(shown.split('\n').map(harmless).join('\n')).toBe(shown);
      }),
    );
  });

  it('breaks lines between words, at the width of the window', () => {
    const prose = fc.array(fc.constantFrom('a', 'word', 'longer', '字字'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(prose, fc.integer({ min: 20, max: 60 }), (words, columns) => {
        const lines = whole(words.join(' '), { columns }).trimEnd().split('\n');
        expect(lines.join(' ')).toBe(words.join(' '));
        expect(lines.every((line) => widthOf(line) <= columns)).toBe(true);
      }),
    );
  });
});
