import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerText } from './answer-text.ts';

function read(slices: readonly string[]) {
  const pieces: string[] = [];
  const answer = new AnswerText((text) => pieces.push(text));
  for (const slice of slices) answer.push(slice);
  return { pieces, text: pieces.join(''), found: pieces.length > 0, hasMore: answer.hasMore };
}

describe('an answer in the arguments of a call', () => {
  it('leaves while it is written', () => {
    expect(read(['{"answer": "Do', 'ne', '! ']).pieces).toEqual(['Do', 'ne', '! ']);
  });

  it.each([
    ['{"answer":"a"}', true, false],
    [' { "answer" : "a" } ', true, false],
    ['{"answer":"a","lines":3}', true, true],
    ['{"answer":"a"', true, false],
    ['{"answer":3}', false, false],
    ['{"answers":"a"}', false, false],
    ['{"an swer":"a"}', false, false],
    ['{"text":"a"}', false, false],
    ['', false, false],
  ])('of %j', (json, found, hasMore) => {
    expect(read([json])).toMatchObject({ found, hasMore });
    expect(read([...json])).toMatchObject({ found, hasMore });
  });

  it('is the same wherever it is cut, and no piece of it ends within a pair', () => {
    const string = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(string, fc.array(fc.nat(80), { maxLength: 6 }), fc.boolean(), (said, places, escaped) => {
        const plain = JSON.stringify({ answer: said });
        const json = escaped ? escapeAll(plain) : plain;
        const cuts = [...new Set([0, ...places.filter((at) => at < json.length), json.length])].sort((a, b) => a - b);
        const slices = cuts.slice(1).map((cut, at) => json.slice(cuts[at], cut));
        const { pieces, text, hasMore } = read(slices);
        expect({ text, hasMore }).toEqual({ text: said, hasMore: false });
        if (isWellFormed(said)) expect(pieces.filter((piece) => !isWellFormed(piece))).toEqual([]);
      }),
    );
  });
});

/** No half of a surrogate pair is alone. */
function isWellFormed(text: string): boolean {
  try {
    return encodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** The same JSON with all that is not ASCII as escapes. */
function escapeAll(json: string): string {
  const written = (code: number) =>
    code < 128 ? String.fromCharCode(code) : `\\u${code.toString(16).padStart(4, '0')}`;
  return Array.from({ length: json.length }, (_, at) => written(json.charCodeAt(at))).join('');
}
