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
    ['bold and code', 'a **bold** and `code` word', 'a bold and code word\n'],
    ['marks that mean nothing', '2 * 3 * 4, snake_case_name, a ** b', '2 * 3 * 4, snake_case_name, a ** b\n'],
    ['marks without an end', 'a **bold and `code', 'a **bold and `code\n'],
    ['escaped marks', '\\*no\\* \\`mark\\`', '*no* `mark`\n'],
    ['marks in code', '`**no**`', '**no**\n'],
    ['bold in italic', '*one **two** three*', 'one two three\n'],
    ['a link', '[words](https://x.test) [https://y.test](https://y.test)', 'words (https://x.test) https://y.test\n'],
    ['a note in brackets', 'a [note] here', 'a [note] here\n'],
    ['a heading', '## Plan', 'Plan\n'],
    ['no heading', '#tag', '#tag\n'],
    ['items', '- one\n- two\n  1. three', '• one\n• two\n  1. three\n'],
    ['a number that is no item', '3.14 and 2024.', '3.14 and 2024.\n'],
    ['a quote', '> said', '│ said\n'],
    ['code with its marks', '```ts\nconst **a** = `b`;\n```\nAfter', '    const **a** = `b`;\nAfter\n'],
    ['code that never ends', '~~~\ncode', '    code\n'],
    ['empty lines', 'a\n\n\n\nb\n\n', 'a\n\nb\n'],
    ['a table', '| a | b |\n|---|---|\n| 1 | long |', 'a │ b\n──┼─────\n1 │ long\n'],
    ['a table with numbers', '| a | b |\n|---|---:|\n| 1 | 100 |\n| 2 | 7 |', 'a │   b\n──┼────\n1 │ 100\n2 │   7\n'],
    ['a table that is too wide', `| ${'x'.repeat(50)} |\n|---|`, `| ${'x'.repeat(50)} |\n|---|\n`],
    ['a line', 'a\n\n---', `a\n\n${'─'.repeat(40)}\n`],
    ['words that are wrapped', `${'word '.repeat(10)}`, 'word word word word word word word word\nword word\n'],
    ['items that are wrapped', `- ${'word '.repeat(9)}`, '• word word word word word word word\n  word word\n'],
    ['a word that is too long', 'x'.repeat(50), `${'x'.repeat(50)}\n`],
    ['wide letters', `${'字'.repeat(18)} 字字字`, `${'字'.repeat(18)}\n字字字\n`],
  ])('%s', (_what, text, shown) => {
    expect(whole(text)).toBe(shown);
  });

  it('has its looks', () => {
    expect(whole('**b** `c`', { colour: true })).toBe('\u001b[1mb\u001b[22m \u001b[36mc\u001b[39m\n');
  });

  it('D-012 D-075: lines of state are not shown, and a sentence with that word is', () => {
    expect(whole('STATE: idle\n\nThe STATE: of it\nSTATE: is a word')).toBe('The STATE: of it\nSTATE: is a word\n');
    expect(whole('```\nSTATE: idle\n```')).toBe('    STATE: idle\n');
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
    // Of what controls, its number is shown; a line of state and what comes after a fence are no words.
    const others = [...controlling, 'STATE: ', '```', '~~~'];
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
