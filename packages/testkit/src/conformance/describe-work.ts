import type { Dialect, Span } from '@dragoman/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { cutText } from '../cutters/cut-text.ts';
import { plainRound } from './arbitrary-calls.ts';
import { awkwardPiece } from './arbitrary-text.ts';
import { countSteps } from './count-steps.ts';
import { holds } from './holds.ts';
import { markupOf } from './markup-of.ts';
import { sampleTools } from './sample-tools.ts';

/** Text that goes on and on: a beginning, which may be inside a call, and what is repeated after it. */
interface Endless {
  readonly head: string;
  readonly unit: string;
}

/** The lengths that are compared: long enough for every bound, of looks ahead and of reading again, to be reached in both. */
const short = 12_000;
const growth = 4;
/** Work may grow with this power of the length: a little more than 1, for what happens once in a reply. */
const steepest = 1.1;

/** The longest call in the test of memory, and what may be held back beside it: a look-ahead, an edge, a header. */
const callLength = 2000;
const beside = 1500;

/** Promise 3: work is linear, memory is bounded, whatever the model writes. */
export function describeWork(dialect: Dialect): void {
  const endless = anyEndless(dialect);

  holds(
    'looks at each character a bounded number of times',
    4,
    fc.property(endless, fc.constantFrom(1, 7, 0), (text, size) => {
      // What is crossed in one search counts few looks; each character is read once all the same.
      const [few = 0, many = 0] = [short, short * growth].map((length) =>
        Math.max(length, stepsOf(dialect, written(text, length), size)),
      );
      expect(Math.log(many / few) / Math.log(growth)).toBeLessThanOrEqual(steepest);
    }),
  );

  holds(
    'holds back no more than a call may have',
    12,
    fc.property(endless, fc.nat(callLength), (text, more) => {
      expect(heldBack(dialect, written(text, 6 * callLength + more))).toBeLessThanOrEqual(callLength + beside);
    }),
  );
}

function written({ head, unit }: Endless, length: number): string {
  return head + unit.repeat(Math.ceil((length - head.length) / unit.length));
}

function anyEndless(dialect: Dialect): fc.Arbitrary<Endless> {
  const own = markupOf(dialect, { tools: sampleTools });
  const literals = [...dialect.markers(sampleTools), ...own];
  const piece = fc.oneof(
    awkwardPiece(literals),
    fc.constantFrom(' ', '\n', '\\', '"', '`', '{', '[', '<', '\ud83d', 'a'),
  );
  const call = plainRound.map((calls) => dialect.renderCalls(calls, sampleTools));
  const part = fc.tuple(call, fc.nat(), fc.nat(60)).map(([text, from, length]) => {
    const start = from % text.length;
    return text.slice(start, start + length + 1);
  });
  const unit = fc.array(fc.oneof({ arbitrary: piece, weight: 3 }, part, call), { minLength: 1, maxLength: 3 });
  const head = fc.oneof(
    fc.constant(''),
    fc.array(piece, { maxLength: 2 }).map((pieces) => pieces.join('')),
    fc.tuple(call, fc.nat()).map(([text, end]) => text.slice(0, end % text.length)),
  );
  return fc.record({ head, unit: unit.map((pieces) => pieces.join('') || ' ') });
}

function stepsOf(dialect: Dialect, text: string, size: number): number {
  const pieces = size === 0 ? [text] : cutText(text, evenly(text.length, size));
  return countSteps(() => {
    const parser = dialect.createParser({ tools: sampleTools })(() => {});
    for (const piece of pieces) parser.push(piece);
    parser.end();
  });
}

function evenly(length: number, size: number): number[] {
  return Array.from({ length: Math.ceil(length / size) }, (_, index) => index * size);
}

/** How many characters of a text leave only when its end is told. */
function heldBack(dialect: Dialect, text: string): number {
  let left = 0;
  const context = { tools: sampleTools, limits: { callLength } };
  const parser = dialect.createParser(context)((span: Span) => {
    if ('text' in span) left += span.text.length;
  });
  for (const piece of cutText(text, evenly(text.length, 40))) parser.push(piece);
  const before = left;
  parser.end();
  return left - before;
}
