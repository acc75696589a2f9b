import { expect, it } from 'vitest';
import { findLookAlikes } from './hints-for.ts';

const markers = ['<tool_call>', '<｜tool▁sep｜>'];
const found = (text: string) => findLookAlikes(text, { markers, most: 3 });

it.each([
  ['So <toolcall>{}', '<toolcall>', 3],
  ['<|tool_call|>{}', '<|tool_call|>', 0],
  ['[TOOL_CALLS][{}]', '[TOOL_CALLS]', 0],
  ['&lt;tool_call&gt;{}', '&lt;tool_call&gt;', 0],
  ['a <tool-call name="x">', '<tool-call', 2],
])('finds what reads like a marker in %j', (text, written, at) => {
  expect(found(text)).toEqual([{ written, at, marker: '<tool_call>' }]);
});

it('finds no marker itself, no bare word and no other tag', () => {
  expect(found('<tool_call> tool_call toolcall <tool> <call> <b>tool call</b> </toolcall> &lt;/tool_call&gt;')).toEqual(
    [],
  );
  expect(found('<｜tool▁sep｜>')).toEqual([]);
  expect(found('<|tool_sep|>')).toEqual([{ written: '<|tool_sep|>', at: 0, marker: '<｜tool▁sep｜>' }]);
});

it('tells of so many at most, however long the text is', () => {
  expect(found('<toolcall>'.repeat(100_000))).toHaveLength(3);
  expect(found('a'.repeat(1_000_000))).toEqual([]);
});
