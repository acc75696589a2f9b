import { CallIds, type ChatEvent, collect, createCallParser, type Dialect, type Warning } from '@dragoman/core';
import { randomHex } from '../config/create-setup.ts';
import type { KnownDialects } from './read-dialects.ts';
import { requestWith } from './read-tools.ts';
import { CommandError } from './terminal.ts';

/** One reply as the engine reads it. */
export interface ParsedLine {
  readonly id: unknown;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly id: string;
    /** The id that the model wrote, or null. */
    readonly nativeId: string | null;
    readonly name: string;
    /** The JSON text as it was emitted: its deltas together. */
    readonly arguments: string;
  }[];
  readonly warnings: readonly Warning[];
  /** False when a call was cut. */
  readonly complete: boolean;
}

/** Answers a line of `parse --jsonl`, `{id, dialect, tools, text, cuts}`. Throws CommandError or DragomanError. */
export function parseLine(input: unknown, known: KnownDialects): ParsedLine {
  const { id, dialect: dialectId, tools, text, cuts } = fieldsOf(input);
  if (typeof text !== 'string') throw new CommandError('"text" must be a string');
  const recorded = recordNativeIds(known.find(dialectId));
  const request = requestWith(tools);
  const events: ChatEvent[] = [];
  const nativeIds = new Map<string, string | null>();
  let open = '';
  const callIds = new CallIds({ request, randomHex });
  const context = { tools: request.tools };
  const stage = createCallParser({ dialect: recorded.dialect, context, callIds })((event) => {
    events.push(event);
    if (event.type === 'tool-call-start') open = event.callId;
    // Some ids come after the arguments.
    if (event.type === 'tool-call-start' || event.type === 'tool-call-end') nativeIds.set(open, recorded.last());
  });
  stage.push({ type: 'message-start', id: 'line', model: 'line' });
  for (const piece of cutText(text, cuts)) stage.push({ type: 'text-delta', block: 0, text: piece });
  stage.push({ type: 'message-end', finishReason: 'stop' });
  stage.end();
  const found = collect(events);
  return {
    id,
    text: found.text,
    reasoning: found.reasoning,
    calls: found.calls.map(({ callId, ...call }) => ({ id: callId, nativeId: nativeIds.get(callId) ?? null, ...call })),
    warnings: [...request.warnings, ...found.warnings],
    complete: events.every(({ type }) => type !== 'tool-call-cut'),
  };
}

/** The fields of a line. Throws CommandError when it is no object. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new CommandError('the line is not a JSON object');
  }
  return { ...input };
}

/** The ids that clients see may not hold every native id, so the parser's own finding is kept beside. */
function recordNativeIds(dialect: Dialect): { readonly dialect: Dialect; last(): string | null } {
  let last: string | null = null;
  return {
    dialect: {
      ...dialect,
      createParser: (context) => (sink) =>
        dialect.createParser(context)((span) => {
          if (span.kind === 'call') last = span.nativeId ?? null;
          else if (span.kind === 'call-end') last = span.nativeId ?? last;
          sink(span);
        }),
    },
    last: () => last,
  };
}

/**
 * Cuts a text the way a line of `parse --jsonl` asks: `"whole"`, `"chars"`, `{"seed": n, "max": m}` for random pieces of
 * 1 to m characters, or a list of offsets. Characters are UTF-16 units, so pieces may halve a surrogate pair: the
 * hardest way a text can arrive. Throws CommandError for anything else.
 */
function cutText(text: string, cuts: unknown): readonly string[] {
  if (cuts === undefined || cuts === 'whole') return text === '' ? [] : [text];
  if (cuts === 'chars') return text.split('');
  if (Array.isArray(cuts)) return cutAt(text, cuts.map(offsetOf));
  if (typeof cuts === 'object' && cuts !== null && 'seed' in cuts && 'max' in cuts) {
    const { seed, max } = cuts;
    if (
      typeof seed === 'number' &&
      Number.isSafeInteger(seed) &&
      typeof max === 'number' &&
      Number.isSafeInteger(max) &&
      max > 0
    ) {
      return cutRandomly(text, { seed, max });
    }
  }
  throw new CommandError('"cuts" must be "whole", "chars", {"seed": n, "max": m} or a list of offsets');
}

function offsetOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new CommandError('"cuts" holds something that is not an offset');
}

function cutAt(text: string, offsets: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const offset of [...offsets, text.length].sort((a, b) => a - b)) {
    const to = Math.min(offset, text.length);
    if (to > from) pieces.push(text.slice(from, to));
    from = Math.max(from, to);
  }
  return pieces;
}

function cutRandomly(text: string, { seed, max }: { readonly seed: number; readonly max: number }): readonly string[] {
  const pieces: string[] = [];
  let state = seed >>> 0;
  let from = 0;
  while (from < text.length) {
    // A linear congruential step (Numerical Recipes' constants); its high bits are random enough for cuts.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const length = 1 + Math.floor((state / 2 ** 32) * max);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}
