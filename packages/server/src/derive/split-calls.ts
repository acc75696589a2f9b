import type { AroundTable } from '@dragoman/core';
import { spanOf } from './call-region.ts';
import type { SampleCall } from './samples.ts';
import { sharedBack, sharedFront } from './tokens.ts';

/** What is around the calls of a reply, and the first call with all that is its own. */
export interface SplitCalls {
  readonly section: AroundTable;
  /** Between two calls, without what belongs to either. */
  readonly between: string | undefined;
  readonly call: string;
}

/**
 * Splits a reply with two calls: what repeats before both opens a call, what repeats after both closes one, and the
 * rest is around all of them. Undefined where a call is not there.
 */
export function splitTwo(reply: string, calls: readonly [SampleCall, SampleCall]): SplitCalls | undefined {
  const first = spanOf(reply, calls[0], 0);
  const second = first && spanOf(reply, calls[1], first.end);
  if (first === undefined || second === undefined) return undefined;
  const [front, middle, back] = [
    reply.slice(0, first.start),
    reply.slice(first.end, second.start),
    reply.slice(second.end),
  ];
  const closeLength = sharedFront(back, middle);
  const openLength = Math.min(sharedBack(front, middle), middle.length - closeLength);
  const opener = front.slice(front.length - openLength);
  const closer = back.slice(0, closeLength);
  // White space at the outer edges is between calls.
  const [open, close] = [opener.trimStart(), closer.trimEnd()];
  return {
    section: { opener: front.slice(0, front.length - open.length), closer: back.slice(close.length) },
    between: middle.slice(close.length, middle.length - open.length),
    call: open + reply.slice(first.start, first.end) + close,
  };
}

/** A reply with one call, where the template takes no more: nothing tells the call's own markers from a section's. */
export function splitOne(reply: string, call: SampleCall): SplitCalls | undefined {
  if (spanOf(reply, call, 0) === undefined) return undefined;
  return { section: { opener: '', closer: '' }, between: undefined, call: reply.trim() };
}
