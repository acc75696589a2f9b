import { sized } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import type { Granularity } from '../plan/rules.ts';
import { runStage } from '../stream/stage.ts';
import { createDeltaCutter } from './cut-deltas.ts';

const granularities: readonly Granularity[] = ['as-written', 'whole', 'characters', 'words', { size: 1 }, { size: 7 }];

/** Cuts text at the given places; a piece may be empty or end inside a surrogate pair. */
function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index]));
}

function cutDeltas(pieces: readonly string[], options: { readonly as: Granularity; readonly type?: 'call' }): string[] {
  const events: ChatEvent[] =
    options.type === 'call'
      ? [
          { type: 'tool-call-start', block: 0, callId: 'c', name: 'n' },
          ...pieces.map((text): ChatEvent => ({ type: 'tool-call-delta', block: 0, text })),
          { type: 'tool-call-end', block: 0, arguments: pieces.join('') },
        ]
      : [
          { type: 'text-start', block: 0 },
          ...pieces.map((text): ChatEvent => ({ type: 'text-delta', block: 0, text })),
          { type: 'text-end', block: 0 },
        ];
  const out = runStage(createDeltaCutter({ text: options.as, calls: options.as }), events);
  expect(out[0]).toEqual(events[0]);
  expect(out.at(-1)).toEqual(events.at(-1));
  return out.flatMap((event) => ('text' in event ? [event.text] : []));
}

const endsInHalf = (text: string) => {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
};

describe('granularity', () => {
  it('A-156 A-159 A-170 the pieces add up to the same text and halve no pair, whatever the cuts', () => {
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ab \n\t😀é]{0,40}$/u));
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
        for (const as of granularities) {
          for (const type of [{}, { type: 'call' as const }]) {
            const out = cutDeltas(piecesOf(text, cuts), { as, ...type });
            expect(out.join('')).toBe(text);
            expect(out.some(endsInHalf)).toBe(false);
            expect(out.includes('')).toBe(false);
            if (as !== 'as-written') expect(out).toEqual(cutDeltas([text], { as, ...type }));
          }
        }
      }),
    );
  });

  it('A-156 cuts as it says', () => {
    const text = ['Read  the', '\n\tfile 😀', 'now '];
    expect(cutDeltas(text, { as: 'as-written' })).toEqual(text);
    expect(cutDeltas(text, { as: 'whole' })).toEqual(['Read  the\n\tfile 😀now ']);
    expect(cutDeltas(text, { as: 'words' })).toEqual(['Read  ', 'the\n\t', 'file ', '😀now ']);
    expect(cutDeltas(['a😀', 'b'], { as: 'characters' })).toEqual(['a', '😀', 'b']);
    expect(cutDeltas(['abc😀', 'de'], { as: { size: 4 } })).toEqual(['abc😀', 'de']);
  });

  it('lets a delta that need not be cut through as the same object', () => {
    const delta: ChatEvent = { type: 'text-delta', block: 0, text: 'as it was' };
    const out = runStage(createDeltaCutter({ text: 'as-written', calls: 'as-written' }), [delta]);
    expect(out[0]).toBe(delta);
  });

  it('keeps half a character that never became whole', () => {
    expect(cutDeltas(['a\ud83d', 'b'], { as: 'as-written' }).join('')).toBe('a\ud83db');
    expect(cutDeltas(['a\ud83d'], { as: 'characters' }).join('')).toBe('a\ud83d');
  });

  it('A-169 works in linear time on a megabyte in four-character pieces', () => {
    const pieces = Array.from({ length: sized(262_144) }, (_, index) => `${'a \n\\'[index % 4]}bc${index % 10}`);
    for (const as of granularities.filter((each) => each !== 'characters')) {
      expect(cutDeltas(pieces, { as, type: 'call' }).join('')).toBe(pieces.join(''));
    }
  });
});

it('says what deltas tell beside their text once and in order, at any granularity', () => {
  const told = fc.array(fc.record({ text: fc.string({ maxLength: 5, unit: 'binary' }), tokens: fc.array(fc.nat()) }));
  fc.assert(
    fc.property(told, fc.constantFrom(...granularities), (deltas, as) => {
      const events: ChatEvent[] = [
        { type: 'text-start', block: 0 },
        ...deltas.map(({ text, tokens }): ChatEvent => {
          const delta = { type: 'text-delta', block: 0, text } as const;
          return tokens.length === 0 ? delta : { ...delta, extra: { wire: { tokens } } };
        }),
        { type: 'text-end', block: 0 },
      ];
      const out = runStage(createDeltaCutter({ text: as, calls: as }), events);
      const pieces = out.flatMap((event) => (event.type === 'text-delta' ? [event] : []));
      expect(pieces.map(({ text }) => text).join('')).toBe(deltas.map(({ text }) => text).join(''));
      expect(pieces.flatMap(({ extra }) => extra?.wire?.tokens ?? [])).toEqual(deltas.flatMap(({ tokens }) => tokens));
      expect(out.at(-1)).toEqual(events.at(-1));
    }),
  );
});
