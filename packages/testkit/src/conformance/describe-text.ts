import type { Dialect } from '@dragoman/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from '../cutters/cut-text.ts';
import { prose } from './arbitrary-text.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { holds } from './holds.ts';
import { followText, parseReply, visibleText } from './parse-reply.ts';
import { sampleTools } from './sample-tools.ts';

const harmless = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789.,;!?()'), minLength: 1 });

/** Characters that start a marker somewhere, among letters; a whole marker is next to impossible. */
const almostMarkup = fc.string({ unit: fc.constantFrom(...'ab<>|/{}[]`~#_:" \n'), minLength: 1, maxLength: 200 });

/** What may be unknown about text that is no marker: a marker's length, and the structure that has to follow it. */
const heldBack = 64;

/** Promise 1: text is delivered exactly. Promise 3: only what could still be a marker is held back. */
export function describeText(dialect: Dialect, { replyOpeners = () => [] }: ConformanceOptions): void {
  holds('delivers text without markers exactly', 100, deliversProse(dialect));

  const markers = [...dialect.markers(sampleTools), ...replyOpeners(sampleTools)];
  holds(
    'delivers what cannot be a marker in the same push',
    100,
    fc.property(fc.array(harmless, { minLength: 1 }), (pieces) => {
      let text = '';
      for (const { piece, given, delivered } of followText(dialect, pieces)) {
        text += piece;
        expect(given - delivered).toBeLessThanOrEqual(longestBeginning(text, markers));
      }
    }),
  );

  const longest = Math.max(...dialect.markers(sampleTools).map((marker) => marker.length));
  holds(
    'holds back no more than could still be a marker',
    100,
    fc.property(almostMarkup, (text) => {
      for (const { given, delivered } of followText(dialect, cutText(`a${text}`, 'chars'))) {
        expect(given - delivered).toBeLessThanOrEqual(longest + heldBack);
      }
    }),
  );

  it('gives nothing but white space for white space', () => {
    for (const reply of ['', ' ', '\n\n', ' \t\r\n']) expect(visibleText(parseReply(dialect, reply)).trim()).toBe('');
  });
}

/** Text without markers arrives as it was written. */
export function deliversProse(dialect: Dialect): fc.IProperty<unknown> {
  return fc.property(prose, fc.constantFrom('', ' ', '\n\n', '\t'), fc.nat(), (text, edge, seed) => {
    const reply = edge + text + edge;
    expect(parseReply(dialect, reply, { cuts: { seed, max: 5 } })).toEqual([{ kind: 'text', text: reply }]);
  });
}

/** How long the end of `text` is that one of the markers could begin with. */
function longestBeginning(text: string, markers: readonly string[]): number {
  let longest = 0;
  for (const marker of markers) {
    for (let length = marker.length - 1; length > longest; length -= 1) {
      if (text.endsWith(marker.slice(0, length))) longest = length;
    }
  }
  return longest;
}
