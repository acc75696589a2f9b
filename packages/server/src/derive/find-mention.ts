import { commonestFirst, type Dialect, dialectSample, dialects } from '@dragoman/core';

/** A marker that is in the source of a template, and the built-in dialects whose calls or results it opens. */
export interface Mention {
  readonly marker: string;
  readonly dialects: readonly string[];
}

/** So many dialects are told. */
const most = 3;

/**
 * Templates that write no past calls may still tell the model in words how to call, or write results. The longest marker
 * that opens calls of some dialect says more than one that is part of it, and any says more than one that opens results. Of
 * dialects that share it, those come first of whose markers most are there.
 * One that is in `turns`, which hold no calls, says nothing. Undefined where none is in the source.
 */
export function findMention(source: string, turns: string): Mention | undefined {
  return longestOf('call', source, turns) ?? longestOf('result', source, turns);
}

function longestOf(part: 'call' | 'result', source: string, turns: string): Mention | undefined {
  const openers = commonestFirst(dialects).flatMap((dialect) => {
    const written = dialectSample(dialect)[part].trimStart();
    const mentioned = (marker: string) => source.includes(marker) && !turns.includes(marker);
    const found = dialect.markers([]).filter((marker) => written.startsWith(marker) && mentioned(marker));
    return found.map((marker) => ({ marker, id: dialect.id, weight: weightOf(dialect, source) }));
  });
  const longest = Math.max(0, ...openers.map(({ marker }) => marker.length));
  const marker = openers.find((each) => each.marker.length === longest)?.marker;
  if (marker === undefined) return undefined;
  return {
    marker,
    dialects: openers
      .filter((each) => each.marker === marker)
      .sort((left, right) => right.weight - left.weight)
      .map(({ id }) => id)
      .slice(0, most),
  };
}

/** How much of what the dialect writes around calls and results is in the source, in characters. */
function weightOf(dialect: Dialect, source: string): number {
  const { call, result } = dialectSample(dialect);
  const written = call + result;
  const marks = dialect.markers([]).filter((marker) => written.includes(marker) && source.includes(marker));
  return marks.join('').length;
}
