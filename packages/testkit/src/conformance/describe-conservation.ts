import type { Dialect } from '@dragoman/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { unaccounted } from './account-for.ts';
import { anyContext, anyReply } from './arbitrary-replies.ts';
import { awkwardPiece } from './arbitrary-text.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { holds } from './holds.ts';
import { markupOf } from './markup-of.ts';
import { everythingDelivered, parseReply, warningsOf } from './parse-reply.ts';
import { sampleTools } from './sample-tools.ts';

/** Warnings that name what was not delivered. */
const sayWhatIsMissing = ['result-fabricated', 'call-text', 'field-ignored', 'parameter-repeated'];

/** Promise 1: nothing is lost. */
export function describeConservation(dialect: Dialect, options: ConformanceOptions): void {
  holds('accounts for every character of any reply', 150, accountsForAll(dialect, options));

  holds(
    'loses no word, whatever is around it',
    250,
    fc.property(fc.array(awkwardPiece(dialect.markers(sampleTools)), { maxLength: 20 }), fc.nat(), (parts, seed) => {
      const words = parts.map((_, index) => `w${index}w`);
      const reply = parts.map((part, index) => `${part} ${words[index]} `).join('');
      const found = parseReply(dialect, reply, { cuts: { seed, max: 6 } });
      if (warningsOf(found).some((code) => sayWhatIsMissing.includes(code))) return;
      const delivered = everythingDelivered(found);
      for (const word of words) expect(delivered.split(word), `${word} of ${reply}`).toHaveLength(2);
    }),
  );
}

/** Every character of a reply was delivered or read, or is markup. */
export function accountsForAll(dialect: Dialect, { beside }: ConformanceOptions): fc.IProperty<unknown> {
  return fc.property(anyReply(dialect), fc.nat(), fc.boolean(), anyContext, (reply, seed, cut, context) => {
    const markup = markupOf(dialect, context, beside);
    expect(unaccounted(dialect, reply, { cuts: { seed, max: 7 }, cut, context, markup })).toEqual([]);
  });
}
