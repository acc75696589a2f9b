import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CharacterSet } from '../scanner.ts';
import { Markdown, markdownMarks } from './markdown.ts';

const stops = new CharacterSet([...markdownMarks, '['.charCodeAt(0)]);

function reader(strict = false) {
  const markdown = new Markdown(strict);
  const read = (text: string) => {
    const next = (from: number) => markdown.skip(text, from, stops);
    for (let index = next(0); index < text.length; index = next(index + 1)) markdown.read(text.charCodeAt(index));
  };
  return { markdown, read };
}

/** Where a marker is shown that would come after `text`. */
function shownAfter(text: string, strict = false): string | undefined {
  const { markdown, read } = reader(strict);
  read(text);
  return markdown.findShown();
}

test.each([
  ['an open fence', '```xml\n'],
  ['directly after the opening ticks', '```'],
  ['a fence of tildes', 'text\n~~~\n'],
  ['an indented fence', '      ```\n'],
  ['a fence in a list', '- ```xml\n'],
  ['a fence in a numbered list', 'Do:\n12. ```\n'],
  ['a fence in a quotation', '> ```\n> '],
  ['a fence with back-ticks in it', '````\n```\n'],
  ['a closing run that is too short', '````\ncode\n```\n'],
  ['a closing run with text after it', '```\ncode\n``` no\n'],
  ['a fence after an open back-tick', 'press `\n```\n'],
  ['a fence with line ends of Windows', 'So:\r\n```xml\r\n'],
  ['a fence with line ends of an old Mac', 'So:\r```xml\r'],
])('A-138 is a fence: %s', (_name, text) => {
  expect(shownAfter(text)).toBe('a code fence');
});

test.each([
  ['directly after the ticks of a code span', 'like `'],
  ['directly after two ticks', 'like ``'],
  ['behind two ticks and a space', 'like `` '],
  ['behind a word in it', 'like `so '],
  ['behind ticks on a line of their own', 'like\n`\n'],
  ['behind three ticks at the end of a line', 'like ```\n'],
  ['behind three ticks and a language', 'like: ```xml\n'],
])('A-138 is a code span: %s', (_name, text) => {
  expect(shownAfter(text)).toBe('a code span');
});

test.each([
  ['an HTML element for code', 'a pre element', '<pre>\n\n'],
  ['an HTML element for code', 'a code element', 'so <code>'],
  ['an HTML element for code', 'a code element that is at the start of its line', '<CODE>\nso\n'],
  ['an HTML element for code', 'attributes', 'so <pre class="'],
  ['an HTML element for code', 'code in a list', '- <pre>\n  so\n\n'],
  ['an HTML element for code', 'a comment in a pre element', '<pre><!-- -->\n'],
  ['an HTML comment', 'a comment', '<!-- so\n\n'],
  ['an HTML comment', 'a comment in a line', 'so <!-- it\nis '],
  ['a quotation', 'a quotation', '> '],
  ['a quotation', 'words in a quotation', 'so\n   >it is '],
  ['a quotation', 'a quotation in a list', '1. > '],
  ['a quotation', 'a quotation in a quotation', '>> '],
  ['indented code', 'behind a blank line', 'so\n\n    '],
  ['indented code', 'behind a tab', 'so\n\n  \t'],
  ['indented code', 'behind a heading', '# so\n    '],
  ['indented code', 'further in it', 'so\n\n    it\n\n     is '],
  ['indented code', 'with a fence in it', 'so\n\n    it\n    ```\n    '],
  ['indented code', 'behind a list', '- one\n\nso\n\n    '],
])('is %s: %s', (place, _name, text) => {
  expect(shownAfter(text)).toBe(place);
});

test.each([
  ['the start', ''],
  ['plain text', 'read the file '],
  ['behind a closed fence', '```\ncode\n```\n'],
  ['behind a fence closed on a line that Windows ends', '```\r\ncode\r\n```\r\n'],
  ['behind a fence closed on a line that an old Mac ends', '```\rcode\r```\r'],
  ['behind a quotation that a line end of Windows ends', '> so\r\n'],
  ['a line that goes on with a paragraph, on Windows', 'so\r\n    '],
  ['behind a fence closed in a list', '- ```\n  code\n    ```\n'],
  ['behind a fence closed with a longer run', '```\ncode\n`````  \n'],
  ['behind a fence whose quotation is over', '> ```\n> code\nso '],
  ['behind a fence closed in a quotation', '> ```\n> code\n> ```\n'],
  ['an unbalanced back-tick on the line', 'press the ` key, then '],
  ['a back-tick in a word', 'don`t '],
  ['a line after an unbalanced back-tick', 'press `\n'],
  ['a line after a back-tick before a word', 'in `there\n'],
  ['behind a code span', 'like `this` '],
  ['three ticks that turn out to be a code span', '```like this``` '],
  ['ticks in the middle of a line', 'a ``` b\n'],
  ['behind a pre element', '<pre>\n\n</pre>'],
  ['behind a comment', '<!-- a -- b --->'],
  ['an empty comment', '<!-->'],
  ['a tag in a code span', 'the `<pre>` tag '],
  ['names that begin alike', '<prefix> <pre-x> <codec> <!- <! --'],
  ['a tag in the line before', 'the <code> tag\n'],
  ['a tag in the paragraph before', 'so <pre>\n\n'],
  ['behind a quotation', '> so\n'],
  ['a sign that is none of a quotation', '3 > 2 '],
  ['a line that goes on with a paragraph', 'so\n    '],
  ['an indented line in a list', '1. so\n\n     '],
  ['an indented start', '    '],
  ['too little', 'so\n\n   '],
])('A-138 is not shown: %s', (_name, text) => {
  expect(shownAfter(text)).toBeUndefined();
});

test('a quoted marker makes the rest of its span code, to the closing ticks', () => {
  const { markdown, read } = reader();
  read('see `');
  markdown.nest(1);
  expect(markdown.findShown()).toBe('a code span');
  read('<tool_call>x\n```\n> ');
  expect(markdown.findShown()).toBe('a code span');
  read('` then ');
  expect(markdown.findShown()).toBeUndefined();
});

test('a quoted marker hides nothing beyond the line on which it is closed', () => {
  const { markdown, read } = reader();
  read('see `');
  markdown.nest(1);
  expect(markdown.findShown()).toBe('a code span');
  read('<tool_call>');
  markdown.nest(-1);
  expect(markdown.findShown()).toBe('a code span');
  read('</tool_call> there.\n');
  expect(markdown.findShown()).toBeUndefined();
});

test('a quoted marker hides nothing beyond its paragraph', () => {
  const { markdown, read } = reader();
  read('see `');
  markdown.nest(1);
  expect(markdown.findShown()).toBe('a code span');
  read('<tool_call> there.\n\n');
  expect(markdown.findShown()).toBeUndefined();
});

test('what is indented after a marker that counted is meant as it was', () => {
  const { markdown, read } = reader();
  read('So.\n\n');
  markdown.passMarker();
  read('\n\n    ');
  expect(markdown.findShown()).toBeUndefined();
  read('so\n\n    ');
  expect(markdown.findShown()).toBe('indented code');
});

test('words after a marker that counted end what was meant there', () => {
  const { markdown, read } = reader();
  read('So ');
  markdown.passMarker();
  read(' so\n\n    ');
  expect(markdown.findShown()).toBe('indented code');
});

/** What is there to find, in the order in which it is met. */
const signs = [
  '`',
  '```',
  '~~~',
  '<pre>',
  '</pre>',
  '<code x>',
  '</code>',
  '<!--',
  '-->',
  '> ',
  '- ',
  '1. ',
  '    ',
  '# ',
];
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...signs, '\n', '\n\n', ' ', 'word', ' in it ', '<b', '[x]', '工具') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('find', 'open', 'close', 'pass', 'block', 'fence').map((what) => ({ what })),
  },
);
/** What is found at each step; `skips`: what does not matter is read past. */
function follow(steps: readonly (string | { readonly what: string })[], strict: boolean, skips: boolean) {
  const markdown = new Markdown(strict);
  const next = (text: string, from: number) => (skips ? markdown.skip(text, from, stops) : from);
  return steps.map((each) => {
    if (typeof each === 'string') {
      for (let at = next(each, 0); at < each.length; at = next(each, at + 1)) markdown.read(each.charCodeAt(at));
    } else if (each.what === 'find') return markdown.findShown();
    else if (each.what === 'open') markdown.nest(1);
    else if (each.what === 'close') markdown.nest(-1);
    else if (each.what === 'pass') markdown.passMarker();
    else if (each.what === 'block') markdown.passBlock();
    else markdown.openFence();
    return [markdown.atLineStart, markdown.afterSpace, markdown.placeNumber, markdown.isInRun(96)];
  });
}

test('finds the same whether it is shown every character or only those that matter', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom('', '\n', '\n\n    '),
      fc.boolean(),
      (steps, line, strict) => {
        const closed = [...steps, line, { what: 'find' }];
        expect(follow(closed, strict, true)).toEqual(follow(closed, strict, false));
      },
    ),
    { numRuns: runs(2000) },
  );
});

describe('where calls are no part of the text, all that stands apart is shown', () => {
  test.each([
    ['a code span', 'a back-tick in its paragraph', 'in `there\nso '],
    ['a code span', 'a back-tick before a space', 'press ` and '],
    ['an HTML element for code', 'a tag in its paragraph', 'a <code> element\nso '],
    ['indented code', 'an indented start', '    '],
    ['indented code', 'an indented line of a paragraph', 'so\n    '],
    ['indented code', 'an indented line of a list', '- so\n\n     '],
  ])('%s: %s', (place, _name, text) => {
    expect(shownAfter(text, true)).toBe(place);
  });

  test.each([
    ['an unbalanced back-tick in the paragraph before', 'press `\n\n'],
    ['a tag in the paragraph before', 'a <code> element\n\n'],
    ['little white space', 'so\n   '],
  ])('but not after %s', (_name, text) => {
    expect(shownAfter(text, true)).toBeUndefined();
  });
});
