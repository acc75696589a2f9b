import type { Dialect } from '@dragoman/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Finding } from '../cases/finding.ts';
import { unaccounted } from './account-for.ts';
import { prose } from './arbitrary-text.ts';
import { anyRound, type Round } from './arbitrary-tools.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { holds } from './holds.ts';
import { markupOf } from './markup-of.ts';
import { normalJson } from './normal-json.ts';
import { callsOf, parseReply, warningsOf } from './parse-reply.ts';

/** So many places of one reply are looked at. */
const mostOffsets = 120;

/** Promise 5: a cut reply is never taken for a whole one. */
export function describeTruncation(dialect: Dialect, { beside }: ConformanceOptions): void {
  for (const [what, cut] of [
    ['the end', false],
    ['a cut', true],
  ] as const) {
    holds(
      `survives ${what} at every offset: no call is whole before it was, and nothing of it is lost`,
      8,
      fc.property(prose, anyRound(dialect), fc.nat(), (before, { tools, calls }, phase) => {
        const text = `${before}\n${dialect.renderCalls(calls, tools)}`;
        const markers = dialect.markers(tools);
        const markup = markupOf(dialect, { tools }, beside);
        // Every offset of a short reply, and so many of a long one that work stays linear.
        const stride = Math.ceil(text.length / mostOffsets);
        for (let end = phase % stride; end <= text.length; end += stride) {
          const written = text.slice(0, end);
          const found = parseReply(dialect, written, { cut, context: { tools } });
          const ends = markers.filter((marker) => written.trimEnd().endsWith(marker));
          expectWholeCallsOnly(found, calls, cut ? undefined : { ends, markers });
          const lost = unaccounted(dialect, written, { cut, context: { tools }, markup });
          if (lost.length > 0) expect(lost, written).toEqual([]);
          const broke = found.some(({ kind }) => kind === 'cut');
          if (broke && !warningsOf(found).includes('call-cut')) expect(found).toContain('call-cut');
        }
      }),
    );
  }
}

/**
 * Calls that were delivered are the ones written, in order, with the same arguments. Only the last one of a reply that
 * was not cut may lack what came after a whole value: that it was repaired has then been told. `ends`: which of the
 * dialect's markers such a reply ends with.
 */
function expectWholeCallsOnly(
  found: readonly Finding[],
  written: Round['calls'],
  uncut: { readonly ends: readonly string[]; readonly markers: readonly string[] } | undefined,
): void {
  const delivered = callsOf(found);
  const { ends, markers } = uncut ?? { ends: [], markers: [] };
  const repaired = uncut !== undefined && warningsOf(found).includes('call-repaired');
  for (const [index, call] of delivered.entries()) {
    const original = written[index];
    const [wanted, got] = [normalJson(original?.arguments ?? ''), normalJson(call.arguments)];
    if (call.name === original?.name && got === wanted) continue;
    const lacks =
      lacksOnlyMembers(got, wanted) || endsLikeCall(wanted, ends) || endsBeforeCall({ got, wanted }, markers);
    const isWhole = index < delivered.length - 1 || !repaired || !lacks;
    if (isWhole || call.name !== original?.name) expect(call).toEqual(original);
  }
}

/** A value holds the end of a call, and the reply ends with it: nobody can tell that from a value without its closer. */
function endsLikeCall(wanted: string, ends: readonly string[]): boolean {
  return ends.some((end) => wanted.includes(inJson(end)));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * A value ends where it holds the end of a call with the beginning of another one after it, such as `</function><tool_call>`: nobody
 * can tell that from a value without its closer, before a call that breaks off, until its own closers have come.
 */
function endsBeforeCall(
  { got, wanted }: { readonly got: string; readonly wanted: string },
  markers: readonly string[],
): boolean {
  const value = got.slice(0, -'"}'.length);
  const afterMarker = (text: string) =>
    markers.filter((marker) => text.startsWith(inJson(marker))).map((marker) => text.slice(inJson(marker).length));
  return (
    wanted.startsWith(value) && afterMarker(wanted.slice(value.length)).some((rest) => afterMarker(rest).length > 0)
  );
}

/** The members that are there are first among the ones written, each of them whole. */
function lacksOnlyMembers(got: string, wanted: string): boolean {
  const after = wanted.charAt(got.length - 1);
  return wanted.startsWith(got.slice(0, -1)) && (got === '{}' || after === ',' || after === '}');
}
