import {
  commonestFirst,
  type Dialect,
  dialectSample,
  dialects,
  type ExplainedReply,
  findCalls,
  type ParseContext,
} from '@dragoman/core';

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

/** What looks like a marker and is none. */
interface LookAlike {
  /** As it is in the reply. */
  readonly written: string;
  /** Its offset, in UTF-16 units. */
  readonly at: number;
  /** The marker that it was perhaps meant to be. */
  readonly marker: string;
}

/** A shorter word is in too many tags. */
const shortestWord = 5;

/** So many signs around a word belong to its marker. */
const mostSigns = 4;

const opening = '<[|｜({＜［【《«‹';
const closing = '>]|｜)}＞］】》»›';

/**
 * Words in brackets of any kind that are those of a marker in other signs, letters or spelling: `<toolcall>`, `[tool_call]` or
 * `&lt;tool_call&gt;` for `<tool_call>`. Looks at each character a constant number of times, and tells of `most` at most.
 */
export function findLookAlikes(
  text: string,
  { markers, most }: { readonly markers: readonly string[]; readonly most: number },
): readonly LookAlike[] {
  const known = new Map(markers.toReversed().map((marker) => [plainWord(marker), marker]));
  const found: LookAlike[] = [];
  let from = 0;
  for (let at = 0; at <= text.length && found.length < most; at += 1) {
    if (isLetter(text.charCodeAt(at))) continue;
    const marker = at - from < shortestWord ? undefined : known.get(plainWord(text.slice(from, at)));
    if (marker !== undefined) {
      const start = from - signsBefore(text, from);
      const written = text.slice(start, at + signsAfter(text, at));
      if (start < from && !markers.some((each) => written.includes(each))) found.push({ written, at: start, marker });
    }
    from = at + 1;
  }
  return found;
}

function signsBefore(text: string, at: number): number {
  if (text.endsWith('&lt;', at)) return '&lt;'.length;
  let count = 0;
  while (count < mostSigns && count < at && opening.includes(text.charAt(at - count - 1))) count += 1;
  return count;
}

function signsAfter(text: string, at: number): number {
  if (text.startsWith('&gt;', at)) return '&gt;'.length;
  let count = 0;
  while (count < mostSigns && at + count < text.length && closing.includes(text.charAt(at + count))) count += 1;
  return count;
}

/** Its letters and digits alone, without the ending of several. */
function plainWord(text: string): string {
  let word = '';
  for (const character of text.toLowerCase()) {
    if (isLetter(character.charCodeAt(0)) && character !== '_' && character !== '-' && character !== '▁')
      word += character;
  }
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** What a marker's word is made of; `▁` stands for a space in some. */
function isLetter(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isLatin = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isDigit || isLatin || code === 0x5f || code === 0x2d || code === 0x2581;
}
