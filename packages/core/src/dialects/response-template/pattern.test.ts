import { describe, expect, it } from 'vitest';
import { type PatternPiece, readPattern } from './pattern.ts';

/** Pieces as one string: literals as they are, `_` for white space, `<name>` for a group. */
const shown = (pieces: readonly PatternPiece[]) =>
  pieces
    .map((piece) => (piece.kind === 'literal' ? piece.text : piece.kind === 'space' ? '_' : `<${piece.name}>`))
    .join('');

const read = (source: string) => {
  const pattern = readPattern(source);
  return typeof pattern === 'string' ? pattern : pattern.alternatives.map(shown);
};

describe('readPattern', () => {
  it.each([
    ['</tool_call>\\s*', ['</tool_call>_']],
    ['<\\|tool_call>call\\:(?P<name>\\w+)', ['<|tool_call>call:<name>']],
    ['<tool_call>\\s*<function=(?P<name>[^\\n>)]+)>', ['<tool_call>_<function=<name>>']],
    ['<call>(?<name>[\\w.-]+?)\\n?', ['<call><name>_']],
    ['<\\|user\\|>\\s*|$', ['<|user|>_']],
    ['(?:^|<think>\\s*)', ['<think>_']],
    ['(?:<turn\\|>|<eos>)\\s*|$', ['<turn|>_', '<eos>_']],
    ['</s(?:top)?>', ['</stop>', '</s>']],
    ['\\n?</response>', ['_</response>']],
    ['to user\\.x', ['to user.x']],
    ['a  *b\t\tc', ['a _b_c']],
    ['\\{"name"', ['{"name"']],
  ])('%s', (source, pieces) => {
    expect(read(source)).toEqual(pieces);
  });

  it.each([
    ['a.*?b', '".*?b" at character 2 stands for any text'],
    ['<[a-z]+>', 'at character 2 stands for one of several characters'],
    ['x\\w+', 'at character 2 stands for one of several characters'],
    ['(?=[\\s\\S]*?</think>)', 'at character 1 looks ahead or behind'],
    ['(?<!a)b', 'at character 1 looks ahead or behind'],
    ['ab+', 'at character 2 repeats'],
    ['(?:ab)+', 'at character 1 repeats'],
    ['(?P<name>a', 'opens a group that is not closed'],
    ['(?P<name', 'opens a group whose name is not closed'],
    ['(?:a', 'opens a group that is not closed'],
    ['a)', 'has a ")" too many at character 2'],
    ['a\\', 'escapes nothing'],
    ['(?:a|b)?(?:a|b)?(?:a|b)?(?:a|b)?', 'more than 16 alternatives'],
    [`${'(?:'.repeat(1000)}${')'.repeat(1000)}`, 'character 97 is within 32 other groups'],
    [`<${'c'.repeat(4095)}>`, 'is longer than 4096 characters'],
  ])('refuses %s', (source, reason) => {
    expect(read(source)).toContain(reason);
  });
});
