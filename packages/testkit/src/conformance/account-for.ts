import type { Dialect, ParseContext, Span } from '@dragoman/core';
import { runStage } from '@dragoman/core/stream/stage';
import { cutShort } from '../cases/run-cases.ts';
import { cutText } from '../cutters/cut-text.ts';
import { isMarkup } from './markup-of.ts';
import type { ParseOptions } from './parse-reply.ts';
import { sampleTools } from './sample-tools.ts';

export interface AccountOptions extends ParseOptions {
  /** All that may be left out of a reply. */
  readonly markup: readonly string[];
}

/** The spans that were written in [from, to) of a reply. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
}

/**
 * Where has every character of a reply gone? Ranges follow one another. What left as text or reasoning is in the
 * reply just so; what was a call, or an answer in the form of one, was read; a call that was left out is told in a warning;
 * and between two ranges stands nothing but markup, up to where a made-up result was told of. Returns what is not
 * accounted for, in words.
 */
export function unaccounted(dialect: Dialect, reply: string, options: AccountOptions): string[] {
  const context: ParseContext = { tools: sampleTools, ...options.context };
  const { markup } = options;
  const problems: string[] = [];
  let at = 0;
  const expectMarkup = (to: number) => {
    const gap = reply.slice(at, to);
    if (to < at) problems.push(`a range begins at ${to}, before ${at}`);
    else if (!isMarkup(gap, markup)) problems.push(`lost: ${JSON.stringify(gap)}`);
  };
  const { ranges, fabricated } = readRanges(dialect, reply, { ...options, context });
  for (const { from, to, spans } of ranges) {
    const written = reply.slice(from, to);
    const shown = textOf(spans);
    const isRead = spans.some(({ kind }) => kind === 'call-end') || written.includes('final_answer');
    const isTold = shown === '' && spans.some(({ kind }) => kind === 'warning');
    // White space before a call that is none is delivered with it.
    const inFront = isSaidInFront(written, spans);
    const begin = isRead || isTold || inFront ? from : Math.min(from, to - shown.length);
    expectMarkup(begin);
    if (!isRead && !isTold && !inFront && shown !== reply.slice(begin, to))
      problems.push(`changed: ${JSON.stringify(written)}`);
    at = to;
  }
  if (!fabricated) expectMarkup(reply.length);
  return problems;
}

/** Of a message whose first call broke off, its text has left before what was written for the call. */
function isSaidInFront(written: string, spans: readonly Span[]): boolean {
  const at = spans.findIndex(({ kind }) => kind === 'call');
  const [said, cut] = [textOf(spans.slice(0, at)), textOf(spans.slice(at))];
  const front = written.slice(0, -cut.length);
  return at > 0 && cut !== '' && written.endsWith(cut) && front.includes(JSON.stringify(said).slice(1, -1));
}

function textOf(spans: readonly Span[]): string {
  return spans.map((span) => ('text' in span && span.kind !== 'arguments' ? span.text : '')).join('');
}

function readRanges(
  dialect: Dialect,
  reply: string,
  { cuts = 'whole', cut = false, context }: ParseOptions & { readonly context: ParseContext },
): { readonly ranges: readonly Range[]; readonly fabricated: boolean } {
  const ranges: Range[] = [];
  let spans: Span[] = [];
  let fabricated = false;
  const watch = {
    range(from: number, to: number) {
      ranges.push({ from, to, spans });
      spans = [];
    },
    noticed() {},
  };
  const parser = dialect.createParser({ ...context, watch });
  runStage(
    (sink) =>
      parser((span) => {
        if (span.kind === 'warning' && span.warning.code === 'result-fabricated') fabricated = true;
        spans.push(span);
        sink(span);
      }),
    cutText(reply, cuts),
    cut ? cutShort() : undefined,
  );
  return { ranges, fabricated };
}
