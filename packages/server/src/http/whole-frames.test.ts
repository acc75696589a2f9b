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
    expect(rest).toBe('data: 4\n\n');
  });

  it('ends lines of JSON at each line end', () => {
    expect(released('ndjson', ['{"a":1}\n{"b"', ':2}\r\n', '{}'])).toEqual({
      out: ['{"a":1}\n', '{"b":2}\r\n', ''],
      rest: '{}\n',
    });
  });

  it.each(['\n', '\r\n', '\r'])('loses nothing and ends at frame ends wherever it is cut, with %j', (end) => {
    const whole = `event: a${end}data: {"t":"é"}${end}${end}: note${end}${end}data: 2${end}${end}data: half`;
    for (const cuts of [...everySingleCut(whole), 'chars' as const]) {
      const { out, rest } = released('sse', cutText(whole, cuts));
      expect(out.join('') + rest).toBe(`${whole}\n\n`);
      expect(rest).toBe('data: half\n\n');
      for (let at = 1; at <= out.length; at += 1) {
        const left = out.slice(0, at).join('');
        expect(left === '' || left.endsWith(end + end) || left.endsWith('\r\n\r')).toBe(true);
      }
    }
  });

  it('streams what has CR alone for its line ends, and mixtures', () => {
    const frames = ['data: 1\r\r', 'data: 2\n\r\n', 'data: 3\r\n\n', 'data: 4\n\r', 'data: 5\r\r\n'];
    expect(released('sse', frames)).toEqual({ out: frames, rest: '' });
  });

  it.each([
    ['data: 1\n', 'data: 1\n\n'],
    ['data: 1\r\n', 'data: 1\r\n\n'],
    ['data: 1\r', 'data: 1\r\n\n'],
  ])('gives the last frame the line ends that it lacks: %j', (left, whole) => {
    expect(released('sse', [left]).rest).toBe(whole);
  });

  it('looks through megabytes of lines without a frame end in linear time', () => {
    const frames = new WholeFrames('sse');
    const piece = encoder.encode('x\n'.repeat(4_000_000));
    expect(frames.push(piece)).toEqual([]);
    expect(frames.push(encoder.encode('\n'))).toHaveLength(2);
  });
});
