import type { Dialect, ParseContext } from '@dragoman/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Finding } from '../cases/finding.ts';
import { writeFinding } from '../cases/read-finding.ts';
import type { Cuts } from '../cutters/cut-text.ts';
import { awkwardRound, plainRound } from './arbitrary-calls.ts';
import { garbage, prose } from './arbitrary-text.ts';
import { normalJson } from './normal-json.ts';
import { callsOf, issuesOf, parseReply, visibleText, withoutMarkers } from './parse-reply.ts';
import { runs } from './runs.ts';
import { sampleTools } from './sample-tools.ts';

const cuts: fc.Arbitrary<Cuts> = fc.oneof(
  fc.constant<Cuts>('chars'),
  fc.record({ seed: fc.nat(), max: fc.integer({ min: 1, max: 9 }) }),
);

/** Contexts that change what a parser does with the same text. */
const contexts: fc.Arbitrary<Partial<ParseContext>> = fc.oneof(
  { arbitrary: fc.constant<Partial<ParseContext>>({}), weight: 4 },
  fc.constantFrom<Partial<ParseContext>[]>(
    { opened: 'reasoning' },
    { tools: [] },
    { policy: { fences: 'fire', undeclared: 'forward', names: 'nearest' } },
    { policy: { names: 'exact', maxCalls: 1 } },
    { policy: { undeclared: 'drop', surplus: 'drop', maxCalls: 1, results: 'text', reasoning: 'never' } },
    { policy: { entities: 'decode' } },
  ),
);

/** Promise 2: what is found depends on the text, never on how it arrived. Promise 5: a cut reply is never a whole one. */
export function describeCuts(dialect: Dialect): void {
  const markers = dialect.markers(sampleTools);
  const confused = garbage(markers);
  const reply = fc.oneof(
    confused,
    fc
      .tuple(confused, awkwardRound(markers), confused)
      .map(([before, calls, after]) => before + render(dialect, calls) + after),
  );

  it('finds the same whatever the cuts, and never throws', () => {
    fc.assert(
      fc.property(reply, cuts, fc.boolean(), contexts, (text, pieces, cut, context) => {
        const whole = parseReply(dialect, text, { cut, context }).map(writeFinding);
        expect(parseReply(dialect, text, { cuts: pieces, cut, context }).map(writeFinding)).toEqual(whole);
      }),
      { numRuns: runs(400) },
    );
  });

  it('reaches the limit of a call at the same place whatever the cuts', () => {
    fc.assert(
      fc.property(plainRound, prose, cuts, fc.integer({ min: 1, max: 120 }), (calls, after, pieces, callLength) => {
        const text = `${render(dialect, calls)}\n${after}`;
        const context = { limits: { callLength } };
        const whole = parseReply(dialect, text, { context }).map(writeFinding);
        expect(parseReply(dialect, text, { cuts: pieces, context }).map(writeFinding)).toEqual(whole);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ['the end', false],
    ['a cut', true],
  ])('survives %s at every offset: no call is whole before it was, and nothing of it is lost', (_, cut) => {
    fc.assert(
      fc.property(prose, plainRound, (before, calls) => {
        const text = `${before}\n${render(dialect, calls)}`;
        for (let end = 0; end <= text.length; end += 1) {
          const written = text.slice(0, end);
          const found = parseReply(dialect, written, { cut });
          expectWholeCallsOnly(found, calls, cut);
          if (callsOf(found).length > 0) continue;
          expect(withoutMarkers(visibleText(found), markers)).toBe(withoutMarkers(written, markers));
        }
      }),
      { numRuns: runs(12) },
    );
  });
}

function render(dialect: Dialect, calls: Parameters<Dialect['renderCalls']>[0]): string {
  return dialect.renderCalls(calls, sampleTools);
}

/**
 * Calls that were delivered are the ones written, in order, with the same arguments. Only the last one of a reply that
 * was not cut may lack parameters that nobody requires: that it was mended has then been told.
 */
function expectWholeCallsOnly(
  found: readonly Finding[],
  written: readonly { readonly name: string; readonly arguments: string }[],
  cut: boolean,
): void {
  const delivered = callsOf(found);
  const mended = issuesOf(found).includes('call-mended');
  for (const [index, call] of delivered.entries()) {
    const original = written[index];
    expect(call.name).toBe(original?.name);
    const last = index === delivered.length - 1;
    const wanted = normalJson(original?.arguments ?? '');
    if (last && mended && !cut) expect(JSON.parse(wanted)).toMatchObject(JSON.parse(call.arguments));
    else expect(normalJson(call.arguments)).toBe(wanted);
  }
}
