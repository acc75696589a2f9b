import type { Around, ParameterTable, TagsTable } from '@dragoman/core';
import { aroundAll } from './find-json-call.ts';
import type { FoundCall } from './found-call.ts';
import type { SampleCall } from './samples.ts';
import type { SplitCalls } from './split-calls.ts';
import { sharedBack, sharedFront } from './tokens.ts';

/** What is between the sentinels of a call with two parameters. */
interface Gaps {
  readonly front: string;
  readonly nameToKey: string;
  readonly keyToValue: string;
  readonly valueToKey: string;
  readonly back: string;
}

/** Finds a call whose parameters are in markup one by one. Undefined where they are not, or where tags are names. */
export function findTaggedCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
  const gaps = gapsOf(split.call, call);
  if (gaps === undefined || gaps.keyToValue.trim() === '') return undefined;
  if (Object.keys(call.values).some((key) => gaps.back.includes(key) || gaps.valueToKey.includes(key)))
    return undefined;
  const opener = gaps.nameToKey.slice(-sharedBack(gaps.nameToKey, gaps.valueToKey)).trimStart();
  // White space between two parameters goes with the first.
  const closeLength = Math.min(sharedFront(gaps.back, gaps.valueToKey), gaps.valueToKey.length - opener.length);
  const end = gaps.nameToKey.slice(0, gaps.nameToKey.length - opener.length);
  const closer = gaps.back.slice(0, closeLength);
  const { block, inner, innerCloser } = splitBlock(gaps.front, gaps.back.slice(closeLength));
  const table: TagsTable = {
    form: 'tags',
    ...(block === undefined ? {} : { block }),
    opener: inner,
    end,
    closer: innerCloser,
    ...(split.between === undefined ? {} : { between: split.between }),
    parameter: { opener, ...splitEnd(gaps.keyToValue), closer },
  };
  return { call: table, ...aroundAll(split.section) };
}

function gapsOf(text: string, { name, values }: SampleCall): Gaps | undefined {
  const [[keyA = '', valueA = ''] = [], [keyB = '', valueB = ''] = []] = Object.entries(values).map((pair) =>
    pair.map(String),
  );
  const words = [name, keyA, valueA, keyB, valueB];
  const gaps: string[] = [];
  let at = 0;
  for (const word of words) {
    const next = text.indexOf(word, at);
    if (word === '' || next < 0) return undefined;
    gaps.push(text.slice(at, next));
    at = next + word.length;
  }
  const [front = '', nameToKey = '', keyToValue = '', valueToKey = ''] = gaps;
  return { front, nameToKey, keyToValue, valueToKey, back: text.slice(at) };
}

/** `</key>` and `<value>` of what is between a key and its value; one marker is the end of the key. */
function splitEnd(text: string): Pick<ParameterTable, 'end' | 'value'> {
  const at = text.indexOf('<', text.indexOf('>') + 1);
  return at <= 0 || !text.includes('>') ? { end: text } : { end: text.slice(0, at), value: text.slice(at) };
}

/** The tag before the name, and what is around it where there are two. */
function splitBlock(front: string, back: string): { block?: Around; inner: string; innerCloser: string } {
  const start = front.lastIndexOf('<');
  const closeEnd = back.indexOf('>') + 1;
  const outer = front.slice(0, Math.max(start, 0));
  if (outer.trim() === '' || !outer.includes('>')) return { inner: front, innerCloser: back };
  return {
    block: { opener: outer, closer: back.slice(closeEnd) },
    inner: front.slice(start),
    innerCloser: back.slice(0, closeEnd),
  };
}
