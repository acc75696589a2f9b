import type { Span, StageFactory } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import type { ParseCase } from './read-case-page.ts';
import { checkCase, titleOf } from './run-cases.ts';

/** Delivers each piece as it came, shortened by what a careless parser would lose. */
function echo(lose: (piece: string) => string): { id: string; createParser: () => StageFactory<string, Span> } {
  return {
    id: 'echo',
    createParser: () => (sink) => ({
      push: (piece) => {
        const text = lose(piece);
        if (text !== '') sink({ kind: 'text', text });
      },
      end: () => {},
    }),
  };
}

const hello: ParseCase = {
  name: 'hello',
  why: '',
  context: { tools: [] },
  cut: false,
  output: 'Hello <b>',
  expected: [{ kind: 'text', text: 'Hello <b>' }],
};

describe('checkCase', () => {
  it('accepts a parser that finds the same in every cut', () => {
    expect(() =>
      checkCase(
        echo((piece) => piece),
        hello,
      ),
    ).not.toThrow();
  });

  it('names the cut in which a parser differs', () => {
    const wrongWhole = echo((piece) => (piece.length === 9 ? '' : piece));
    expect(() => checkCase(wrongWhole, hello)).toThrow('hello, cut whole');
    const wrongChars = echo((piece) => (piece === '<' ? '' : piece));
    expect(() => checkCase(wrongChars, hello)).toThrow('hello, cut chars');
    const wrongHalves = echo((piece) => (piece.length > 1 && piece.length < 9 ? '' : piece));
    expect(() => checkCase(wrongHalves, hello)).toThrow(/^echo: hello, cut \[\d\]/);
  });

  it('names the random cut in which a parser differs', () => {
    const output = 'x'.repeat(200);
    const long: ParseCase = { ...hello, output, expected: [{ kind: 'text', text: output }] };
    const wrongThirds = echo((piece) => (piece.length > 1 && piece.length < 40 ? '' : piece));
    expect(() => checkCase(wrongThirds, long, 'some')).toThrow(/^echo: hello, cut \{"seed":\d+,"max":\d+\}/);
  });
});

it('names the requirement ids of a case in its title', () => {
  expect(titleOf({ name: 'args', why: 'D-002, E-035: the short word.' })).toBe('args (D-002, E-035)');
  expect(titleOf({ name: 'args', why: 'The short word.' })).toBe('args');
});
