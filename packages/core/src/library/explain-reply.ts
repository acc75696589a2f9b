import type { Warning } from '../chat/warning.ts';
import type { DialectParser, ParseContext, Span } from '../dialects/dialect.ts';

/** A reply, range by range: together they are all of it, in order. */
export interface ExplainedReply {
  readonly dialect: string;
  readonly ranges: readonly ExplainedRange[];
}

/** So many characters are read at once where nothing is noticed in them. */
const stride = 1024;

/**
 * Reads a reply and tells of every character what became of it, with what was repaired where, and why what looks like a
 * call is none. It is read twice: where something is noticed, one UTF-16 unit at a time, so that it has a place. Never
 * throws on what the model wrote.
 */
export function explainReply(text: string, dialect: DialectParser, context: ParseContext): ExplainedReply {
  const noticing = stridesThatNotice(text, dialect, context);
  const trail = new Trail();
  const parser = dialect.createParser({ ...context, watch: trail })((span) => trail.span(span));
  for (let start = 0; start < text.length; start += stride) {
    const step = noticing.has(start) ? 1 : stride;
    for (let at = start; at < start + stride && at < text.length; at += step) {
      trail.at = at;
      parser.push(text.slice(at, at + step));
    }
  }
  trail.at = text.length;
  parser.end();
  return { dialect: dialect.id, ranges: joinRanges(text, trail.finish()) };
}

/**
 * Where the strides begin in which something is noticed or told of, and those after these: what a warning belongs to may
 * reach into them. What a model meant does not depend on the cuts, so a first reading in strides finds them.
 */
function stridesThatNotice(text: string, dialect: DialectParser, context: ParseContext): ReadonlySet<number> {
  const noticing = new Set<number>();
  let start = 0;
  const noticed = ({ at = start }: Warning): void => {
    const first = at - (at % stride);
    for (const each of [first, first + stride, start]) noticing.add(each);
  };
  const parser = dialect.createParser({ ...context, watch: { range: () => {}, noticed } })((span) => {
    if (span.kind === 'warning') noticed(span.warning);
  });
  for (; start < text.length; start += stride) parser.push(text.slice(start, start + stride));
  parser.end();
  return noticing;
}

/** Puts together what a parser lets out and where it says that it stood. */
class Trail {
  /** The place of the character that is being read. */
  at = 0;
  readonly #found: Range[] = [];
  readonly #noticed = new Map<Warning, number>();
  #spans: Exclude<Span, { readonly kind: 'warning' }>[] = [];
  #warnings: Warning[] = [];
  /** Warnings that belong to no range; their own place says where they stand. */
  readonly #loose: Warning[] = [];

  span(span: Span): void {
    if (span.kind === 'warning') this.#warnings.push(span.warning);
    else this.#spans.push(span);
  }

  noticed(warning: Warning): void {
    this.#noticed.set(warning, this.at);
  }

  range(from: number, to: number): void {
    const warnings: Warning[] = [];
    for (const warning of this.#warnings) {
      const at = this.#noticed.get(warning);
      const start = warning.at ?? from;
      if (at !== undefined || (start >= from && start < to)) warnings.push({ ...warning, at: at ?? start });
      else this.#loose.push(warning);
    }
    this.#found.push({ from, to, spans: this.#spans, warnings });
    this.#warnings = [];
    this.#spans = [];
  }

  finish(): { readonly found: readonly Range[]; readonly loose: readonly Warning[] } {
    return { found: this.#found, loose: [...this.#loose, ...this.#warnings] };
  }
}

/** What became of a range of a reply. */
export type RangeOutcome =
  /** The user sees it. */
  | 'text'
  | 'reasoning'
  | 'call'
  /** It began as a call, could not be read as one, and is text. */
  | 'cut'
  /** Its value is the answer, or part of it; its markup is not delivered. */
  | 'answer'
  /** Markers and the white space that belongs to them, or what was left out. */
  | 'markup';

/** A range of a reply, and all that is known of it. */
export interface ExplainedRange {
  /** Its offsets in the reply, in UTF-16 units: from the first, up to the second. */
  readonly from: number;
  readonly to: number;
  readonly outcome: RangeOutcome;
  /** What the model wrote there. */
  readonly written: string;
  /** Of a call. `arguments` is JSON text; `of` names the neighbour in whose form it is written. */
  readonly call?: {
    readonly name: string;
    readonly nativeId?: string;
    readonly of?: string;
    readonly arguments: string;
    /** What the user sees of it, where its markup holds text. */
    readonly text?: string;
  };
  /** `at` is the place in the reply where it showed. */
  readonly warnings: readonly Warning[];
}

/** Spans, and where in a reply they stood. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Exclude<Span, { readonly kind: 'warning' }>[];
  readonly warnings: readonly Warning[];
}

/** All of a reply: what was found, joined where it goes on alike, and the markup between. */
function joinRanges(
  text: string,
  { found, loose }: { readonly found: readonly Range[]; readonly loose: readonly Warning[] },
): readonly ExplainedRange[] {
  const joined: ExplainedRange[] = [];
  let at = 0;
  const add = (next: ExplainedRange): void => {
    const last = joined.at(-1);
    if (last !== undefined && goesOn(last, next)) joined[joined.length - 1] = after(last, next);
    else joined.push(next);
    at = next.to;
  };
  for (const range of found) {
    const next = explained(text, range);
    // What one marker opened may hold several calls; the white space before what is text after all is its own.
    if (next.from > at) add(markup(text, at, next.from));
    if (next.to > at) add(next);
  }
  if (at < text.length) add(markup(text, at, text.length));
  return placed(joined, loose);
}

function explained(text: string, { from, to, spans, warnings }: Range): ExplainedRange {
  const { outcome, delivered } = outcomeOf(spans);
  // The white space before a call that is none is delivered with it.
  const start = outcome === 'text' || outcome === 'cut' ? Math.min(from, to - delivered.length) : from;
  const written = text.slice(start, to);
  const isAnswer = outcome === 'text' && delivered !== written;
  const call = outcome === 'call' ? callOf(spans, delivered) : undefined;
  return {
    from: isAnswer ? from : start,
    to,
    outcome: isAnswer ? 'answer' : outcome,
    written,
    ...(call && { call }),
    warnings,
  };
}

function outcomeOf(spans: Range['spans']): { readonly outcome: RangeOutcome; readonly delivered: string } {
  // The markup of a call may hold text after it.
  const last = spans.find(({ kind }) => kind === 'call-end') ?? spans.at(-1);
  const delivered = spans.map((span) => ('text' in span && span.kind !== 'arguments' ? span.text : '')).join('');
  switch (last?.kind) {
    case undefined:
      return { outcome: 'markup', delivered };
    case 'call-end':
      return { outcome: 'call', delivered };
    case 'call-cut':
      return { outcome: 'cut', delivered };
    case 'reasoning':
      return { outcome: 'reasoning', delivered };
    default:
      return { outcome: 'text', delivered };
  }
}

function callOf(spans: Range['spans'], text: string): ExplainedRange['call'] {
  const call = spans.find((span) => span.kind === 'call');
  if (call === undefined) return undefined;
  const { kind: _, ...named } = call;
  const { kind: __, ...late } = spans.find((span) => span.kind === 'call-end') ?? { kind: 'call-end' };
  const slices = spans.map((span) => (span.kind === 'arguments' ? span.text : ''));
  return { ...named, ...late, arguments: slices.join('') || '{}', ...(text !== '' && { text }) };
}

function markup(text: string, from: number, to: number): ExplainedRange {
  return { from, to, outcome: 'markup', written: text.slice(from, to), warnings: [] };
}

/** Text is let out in slices wherever it was cut. */
function goesOn(last: ExplainedRange, next: ExplainedRange): boolean {
  const alike =
    last.outcome === next.outcome &&
    (next.outcome === 'text' || next.outcome === 'reasoning' || next.outcome === 'markup');
  return alike && next.warnings.length === 0 && last.warnings.length === 0 && last.to === next.from;
}

function after(last: ExplainedRange, next: ExplainedRange): ExplainedRange {
  return { ...last, to: next.to, written: last.written + next.written };
}

/** Warnings that tell their own place, in the ranges that hold it; without one, in the last. */
function placed(ranges: readonly ExplainedRange[], loose: readonly Warning[]): readonly ExplainedRange[] {
  const own = new Map<number, Warning[]>();
  for (const warning of loose) {
    const index = warning.at === undefined ? ranges.length - 1 : indexAt(ranges, warning.at);
    own.set(index, [...(own.get(index) ?? []), warning]);
  }
  return ranges.map((range, index) => ({ ...range, warnings: [...range.warnings, ...(own.get(index) ?? [])] }));
}

/** Which range holds this place; the last one holds what lies after it. */
function indexAt(ranges: readonly ExplainedRange[], at: number): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ranges[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
