import type { Dialect, ParseContext } from '@dragoman/core';
import fc from 'fast-check';
import { awkwardRound } from './arbitrary-calls.ts';
import { awkwardPiece, garbage } from './arbitrary-text.ts';
import { sampleTools } from './sample-tools.ts';

/** Contexts that change what a parser does with the same text. */
export const anyContext: fc.Arbitrary<Partial<ParseContext>> = fc.oneof(
  { arbitrary: fc.constant<Partial<ParseContext>>({}), weight: 4 },
  fc.constantFrom<Partial<ParseContext>[]>(
    { opened: 'reasoning' },
    { tools: [] },
    { policy: { fences: 'fire', undeclared: 'forward', names: 'nearest' } },
    { policy: { names: 'exact', maxCalls: 1 } },
    { policy: { undeclared: 'drop', surplus: 'drop', maxCalls: 1, results: 'text', reasoning: 'never' } },
    { policy: { entities: 'decode' } },
    { policy: { answers: 'read' } },
    { limits: { callLength: 60 } },
  ),
);

/** Any reply to the sample tools: pieces in any order, calls among them, and calls in which something went wrong. */
export function anyReply(dialect: Dialect): fc.Arbitrary<string> {
  const markers = dialect.markers(sampleTools);
  const confused = garbage(markers);
  const rendered = awkwardRound(markers).map((calls) => dialect.renderCalls(calls, sampleTools));
  const damaged = fc
    .tuple(rendered, fc.array(damage(markers), { minLength: 1, maxLength: 4 }))
    .map(([text, all]) => all.reduce(suffer, text));
  return fc.oneof(
    { arbitrary: confused, weight: 2 },
    { arbitrary: fc.tuple(confused, rendered, confused).map((parts) => parts.join('')), weight: 2 },
    { arbitrary: fc.tuple(damaged, fc.oneof(fc.constant(''), rendered)).map((parts) => parts.join('\n')), weight: 3 },
  );
}

/** What happens to a text, at places that are counted modulo its length. */
interface Damage {
  readonly kind: 'insert' | 'delete' | 'repeat' | 'swap';
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

function damage(markers: readonly string[]): fc.Arbitrary<Damage> {
  return fc.record({
    kind: fc.constantFrom('insert', 'delete', 'repeat', 'swap'),
    at: fc.nat(400),
    length: fc.integer({ min: 1, max: 40 }),
    piece: awkwardPiece(markers),
  });
}

function suffer(text: string, { kind, at, length, piece }: Damage): string {
  const from = text.length === 0 ? 0 : at % text.length;
  const [before, hit, after] = [text.slice(0, from), text.slice(from, from + length), text.slice(from + length)];
  switch (kind) {
    case 'insert':
      return before + piece + hit + after;
    case 'delete':
      return before + after;
    case 'repeat':
      return before + hit + hit + after;
    case 'swap':
      return before + after.slice(0, length) + hit + after.slice(length);
  }
}
