import { cutText, everySingleCut } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { WholeFrames } from './whole-frames.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function released(framing: 'sse' | 'ndjson', pieces: readonly string[]) {
  const frames = new WholeFrames(framing);
  const out = pieces.map((piece) =>
    frames
      .push(encoder.encode(piece))
      .map((each) => decoder.decode(each))
      .join(''),
  );
  return {
    out,
    rest: frames
      .rest()
      .map((each) => decoder.decode(each))
      .join(''),
  };
}

describe('whole frames', () => {
  it('lets out what is whole and keeps the beginning of the next frame', () => {
    const { out, rest } = released('sse', ['data: 1\n\nda', 'ta: 2\n', '\ndata: 3\n\n: done\n\n', 'data: 4']);
    expect(out).toEqual(['data: 1\n\n', '', 'data: 2\n\ndata: 3\n\n: done\n\n', '']);
    expect(rest).toBe('data: 4');
  });

  it('ends lines of JSON at each line end', () => {
    expect(released('ndjson', ['{"a":1}\n{"b"', ':2}\r\n', '{}'])).toEqual({
      out: ['{"a":1}\n', '{"b":2}\r\n', ''],
      rest: '{}',
    });
  });

  it.each(['\n', '\r\n'])('loses nothing and ends at frame ends wherever it is cut, with %j', (end) => {
    const whole = `event: a${end}data: {"t":"é"}${end}${end}: note${end}${end}data: 2${end}${end}data: half`;
    for (const cuts of [...everySingleCut(whole), 'chars' as const]) {
      const { out, rest } = released('sse', cutText(whole, cuts));
      expect(out.join('') + rest).toBe(whole);
      expect(rest).toBe('data: half');
      for (const each of out) expect(each === '' || each.endsWith(end + end)).toBe(true);
    }
  });
});
