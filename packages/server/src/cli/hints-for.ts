import {
  commonestFirst,
  type Dialect,
  dialectSample,
  dialects,
  type ExplainedReply,
  findCalls,
  type ParseContext,
} from '@dragoman/core';
import { findLookAlikes, type LookAlike } from './look-alikes.ts';

/** Why a range of text that looks like a call is none, beyond its warnings. */
export interface RangeHints {
  /** Markers of the dialect that mean nothing where they stand. */
  readonly markers: readonly { readonly marker: string; readonly at: number }[];
  /** What other dialects would call there. */
  readonly elsewhere: readonly {
    readonly dialects: readonly string[];
    readonly name: string;
    readonly from: number;
  }[];
  /** What looks like one of its markers and is none. */
  readonly lookAlikes: readonly LookAlike[];
  /** Reasoning that goes on to the end of the reply, because nothing closes it. */
  readonly unclosed: boolean;
}

/** So many of each are told for a range. */
const most = 3;

const none: RangeHints = { markers: [], elsewhere: [], lookAlikes: [], unclosed: false };

/** What is in text and reasoning that some form of calls would make something of, by range. */
export function hintsFor(
  text: string,
  { ranges }: ExplainedReply,
  { dialect, context }: { readonly dialect: Dialect; readonly context: ParseContext },
): readonly RangeHints[] {
  const found = commonestFirst(dialects).flatMap((other) =>
    other.id === dialect.id ? [] : findCalls(text, other, context).map((call) => ({ dialect: other.id, ...call })),
  );
  const markers = dialect.markers(context.tools);
  const { call: ownCall } = dialectSample(dialect);
  const around = markers.filter((marker) => !marker.startsWith('</') && ownCall.includes(marker));
  return ranges.map(({ from, to, outcome, written, warnings }) => {
    if (outcome === 'call' || outcome === 'markup') return none;
    const elsewhere = together(found.filter((call) => call.from >= from && call.from < to));
    const unclosed = outcome === 'reasoning' && to === text.length;
    if (warnings.length > 0) return { ...none, elsewhere, unclosed };
    const lookAlikes = findLookAlikes(written, { markers: around, most }).map((each) => ({
      ...each,
      at: from + each.at,
    }));
    return { markers: markersIn(written, from, markers), elsewhere, lookAlikes, unclosed };
  });
}

/** The same call in several dialects is told once, with the commonest of them. */
function together(calls: readonly { readonly dialect: string; readonly name: string; readonly from: number }[]) {
  const starts = [...new Set(calls.map(({ from }) => from))].slice(0, most);
  return starts.map((from) => {
    const same = calls.filter((call) => call.from === from);
    return { dialects: same.slice(0, most).map(({ dialect }) => dialect), name: same[0]?.name ?? '', from };
  });
}

function markersIn(written: string, from: number, markers: readonly string[]): RangeHints['markers'] {
  return markers
    .filter((marker) => !marker.startsWith('</'))
    .map((marker) => ({ marker, at: written.indexOf(marker) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)
    .slice(0, most)
    .map(({ marker, at }) => ({ marker, at: from + at }));
}
