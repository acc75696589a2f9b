import type { Issue } from '../chat/issue.ts';
import type { Span } from './dialect.ts';
import type { ExplainedStretch, StretchFate } from './explain-reply.ts';

/** Spans, and where in a reply they stood. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Exclude<Span, { readonly kind: 'issue' }>[];
  readonly issues: readonly Issue[];
}

/** All of a reply: what was found, joined where it goes on alike, and the markup between. */
export function joinStretches(
  text: string,
  { found, loose }: { readonly found: readonly Stretch[]; readonly loose: readonly Issue[] },
): readonly ExplainedStretch[] {
  const joined: ExplainedStretch[] = [];
  let at = 0;
  const add = (next: ExplainedStretch): void => {
    const last = joined.at(-1);
    if (last !== undefined && goesOn(last, next)) joined[joined.length - 1] = behind(last, next);
    else joined.push(next);
    at = next.to;
  };
  for (const stretch of found) {
    const next = explained(text, stretch);
    // What one marker opened may hold several calls; the white space in front of what is text after all is its own.
    if (next.from > at) add(markup(text, at, next.from));
    if (next.to > at) add(next);
  }
  if (at < text.length) add(markup(text, at, text.length));
  return placed(joined, loose);
}

function explained(text: string, { from, to, spans, issues }: Stretch): ExplainedStretch {
  const { fate, delivered } = fateOf(spans);
  // The white space in front of a call that is none is delivered with it.
  const start = fate === 'text' || fate === 'cut' ? Math.min(from, to - delivered.length) : from;
  const written = text.slice(start, to);
  const isAnswer = fate === 'text' && delivered !== written;
  const call = fate === 'call' ? callOf(spans, delivered) : undefined;
  return {
    from: isAnswer ? from : start,
    to,
    fate: isAnswer ? 'answer' : fate,
    written,
    ...(call && { call }),
    issues,
  };
}

function fateOf(spans: Stretch['spans']): { readonly fate: StretchFate; readonly delivered: string } {
  // The markup of a call may hold text behind it.
  const last = spans.find(({ kind }) => kind === 'call-end') ?? spans.at(-1);
  const delivered = spans.map((span) => ('text' in span && span.kind !== 'arguments' ? span.text : '')).join('');
  switch (last?.kind) {
    case undefined:
      return { fate: 'markup', delivered };
    case 'call-end':
      return { fate: 'call', delivered };
    case 'call-cut':
      return { fate: 'cut', delivered };
    case 'reasoning':
      return { fate: 'reasoning', delivered };
    default:
      return { fate: 'text', delivered };
  }
}

function callOf(spans: Stretch['spans'], text: string): ExplainedStretch['call'] {
  const call = spans.find((span) => span.kind === 'call');
  if (call === undefined) return undefined;
  const { kind: _, ...named } = call;
  const { kind: __, ...late } = spans.find((span) => span.kind === 'call-end') ?? { kind: 'call-end' };
  const slices = spans.map((span) => (span.kind === 'arguments' ? span.text : ''));
  return { ...named, ...late, arguments: slices.join('') || '{}', ...(text !== '' && { text }) };
}

function markup(text: string, from: number, to: number): ExplainedStretch {
  return { from, to, fate: 'markup', written: text.slice(from, to), issues: [] };
}

/** Text is let out in slices wherever it was cut. */
function goesOn(last: ExplainedStretch, next: ExplainedStretch): boolean {
  const alike =
    last.fate === next.fate && (next.fate === 'text' || next.fate === 'reasoning' || next.fate === 'markup');
  return alike && next.issues.length === 0 && last.issues.length === 0 && last.to === next.from;
}

function behind(last: ExplainedStretch, next: ExplainedStretch): ExplainedStretch {
  return { ...last, to: next.to, written: last.written + next.written };
}

/** Issues that tell their own place, in the stretches that hold it; without one, in the last. */
function placed(stretches: readonly ExplainedStretch[], loose: readonly Issue[]): readonly ExplainedStretch[] {
  const own = new Map<number, Issue[]>();
  for (const issue of loose) {
    const index = issue.at === undefined ? stretches.length - 1 : indexAt(stretches, issue.at);
    own.set(index, [...(own.get(index) ?? []), issue]);
  }
  return stretches.map((stretch, index) => ({ ...stretch, issues: [...stretch.issues, ...(own.get(index) ?? [])] }));
}

/** Which stretch holds this place; the last one holds what lies behind it. */
function indexAt(stretches: readonly ExplainedStretch[], at: number): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
