import { expect, test } from 'vitest';
import { CodeSpans } from './code-spans.ts';

/** Is the place behind `text` code, for a marker that would stand there? */
function inCode(text: string): boolean {
  const spans = new CodeSpans();
  for (let index = 0; index < text.length; index += 1) spans.read(text.charCodeAt(index));
  return spans.holdsMarker();
}

test.each([
  ['an open fence', '```xml\n'],
  ['directly behind the opening ticks', '```'],
  ['a fence of tildes', 'text\n~~~\n'],
  ['an indented fence', '      ```\n'],
  ['a fence in a list', '- ```xml\n'],
  ['a fence in a numbered list', 'Do:\n12. ```\n'],
  ['a fence in a quotation', '> ```\n'],
  ['a fence with back-ticks in it', '````\n```\n'],
  ['a closing run that is too short', '````\ncode\n```\n'],
  ['a closing run with text behind it', '```\ncode\n``` no\n'],
  ['directly behind the ticks of a code span', 'like `'],
  ['directly behind two ticks', 'like ``'],
])('A-138 is code: %s', (_name, text) => {
  expect(inCode(text)).toBe(true);
});

test.each([
  ['the start', ''],
  ['plain text', 'read the file '],
  ['behind a closed fence', '```\ncode\n```\n'],
  ['behind a fence closed in a list', '- ```\n  code\n    ```\n'],
  ['behind a fence closed with a longer run', '```\ncode\n`````  \n'],
  ['an unbalanced back-tick on the line', 'press the ` key, then '],
  ['a line after an unbalanced back-tick', 'press `\n'],
  ['behind a code span', 'like `this` '],
  ['three ticks that turn out to be a code span', '```like this``` '],
  ['ticks in the middle of a line', 'a ``` b\n'],
])('A-138 is not code: %s', (_name, text) => {
  expect(inCode(text)).toBe(false);
});

test('a quoted marker makes the rest of its span code, to the closing ticks', () => {
  const spans = new CodeSpans();
  const read = (text: string) => {
    for (let index = 0; index < text.length; index += 1) spans.read(text.charCodeAt(index));
  };
  read('see `');
  expect(spans.holdsMarker()).toBe(true);
  read('<tool_call>x ');
  expect(spans.holdsMarker()).toBe(true);
  read('` then ');
  expect(spans.holdsMarker()).toBe(false);
});
