import { ObjectWriter } from '../forms/tags/object-writer.ts';
import type { CallWriter } from '../parser/calls/call-writer.ts';
import type { CallsForm } from '../parser/create-grammar.ts';
import type { CallReader, Open } from '../parser/grammar.ts';
import { MarkerTrie } from '../parser/markers/marker-trie.ts';
import type { Closer } from '../parser/markers/positional-closer.ts';
import type { Scanner } from '../parser/scanner.ts';

/** A parameter with its value as text. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** A call that was read as a whole. */
export interface PairedCall {
  readonly name: string;
  readonly pairs: readonly Pair[];
  /** Index behind it. */
  readonly end: number;
}

/** Reads a whole call behind its opener, at `index`. Consumes nothing and looks at no more than `longestPairs` characters. */
export type ReadPairs = (scanner: Scanner, index: number) => PairedCall | 'no' | 'more';

/** A call of this kind that is longer is text: its values do not leave before its end, so that it is held back until then. */
export const longestPairs = 2048;

/** Calls that are one short piece of text, which is read as a whole or not at all: nothing of them can break off. */
export function pairCalls({
  openers,
  read,
}: {
  readonly openers: readonly string[];
  readonly read: ReadPairs;
}): CallsForm {
  const open: Open = (scanner, index, length) => {
    const call = read(scanner, index + length);
    if (typeof call === 'string') return call;
    return { end: call.end, read: (writer) => writing(writer, call) };
  };
  return () => ({
    openers: openers.map((literal) => ({ literal, open, place: 'line-start' })),
    closers: [],
  });
}

const none: Closer = { literals: [], starts: [], followers: new MarkerTrie(), nestedCall: () => 'no' };

/** All of the call is read by now: what is left is to write it. */
function writing(writer: CallWriter, { name, pairs }: PairedCall): CallReader {
  const object = new ObjectWriter(writer, writer.named(name));
  for (const { key, value } of pairs) object.parameter(key, { closer: none, padded: false }).finishWhole(value);
  object.finish();
  return { read: () => 'done' };
}
