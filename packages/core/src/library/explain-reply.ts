import type { Issue } from '../chat/issue.ts';
import type { Dialect, ParseContext, Span } from '../dialects/dialect.ts';

/** A reply, stretch by stretch: together they are all of it, in order. */
export interface ExplainedReply {
  readonly dialect: string;
  readonly stretches: readonly ExplainedStretch[];
}

/** So many characters are read at once where nothing is noticed in them. */
const stride = 1024;

/**
 * Reads a reply and tells of every character what became of it, with what was mended where, and why what looks like a
 * call is none. It is read twice: where something is noticed, one UTF-16 unit at a time, so that it has a place. Never
 * throws on what the model wrote.
 */
export function explainReply(text: string, dialect: Dialect, context: ParseContext): ExplainedReply {
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
  return { dialect: dialect.id, stretches: joinStretches(text, trail.finish()) };
}

/**
 * Where the strides begin in which something is noticed or told of, and those behind these: what an issue belongs to may
 * reach into them. What a model meant does not depend on the cuts, so a first reading in strides finds them.
 */
function stridesThatNotice(text: string, dialect: Dialect, context: ParseContext): ReadonlySet<number> {
  const noticing = new Set<number>();
  let start = 0;
  const noticed = ({ at = start }: Issue): void => {
    const first = at - (at % stride);
    for (const each of [first, first + stride, start]) noticing.add(each);
  };
  const parser = dialect.createParser({ ...context, watch: { stretch: () => {}, noticed } })((span) => {
    if (span.kind === 'issue') noticed(span.issue);
  });
  for (; start < text.length; start += stride) parser.push(text.slice(start, start + stride));
  parser.end();
  return noticing;
}

/** Puts together what a parser lets out and where it says that it stood. */
class Trail {
  /** The place of the character that is being read. */
  at = 0;
  readonly #found: Stretch[] = [];
  readonly #noticed = new Map<Issue, number>();
  #spans: Exclude<Span, { readonly kind: 'issue' }>[] = [];
  #issues: Issue[] = [];
  /** Issues that belong to no stretch; their own place says where they stand. */
  readonly #loose: Issue[] = [];

  span(span: Span): void {
    if (span.kind === 'issue') this.#issues.push(span.issue);
    else this.#spans.push(span);
  }

  noticed(issue: Issue): void {
    this.#noticed.set(issue, this.at);
  }

  stretch(from: number, to: number): void {
    const issues: Issue[] = [];
    for (const issue of this.#issues) {
      const at = this.#noticed.get(issue);
      const start = issue.at ?? from;
      if (at !== undefined || (start >= from && start < to)) issues.push({ ...issue, at: at ?? start });
      else this.#loose.push(issue);
    }
    this.#found.push({ from, to, spans: this.#spans, issues });
    this.#issues = [];
    this.#spans = [];
  }

  finish(): { readonly found: readonly Stretch[]; readonly loose: readonly Issue[] } {
    return { found: this.#found, loose: [...this.#loose, ...this.#issues] };
  }
}

/** What became of a stretch of a reply. */
export type StretchFate =
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

/** A stretch of a reply, and all that is known of it. */
export interface ExplainedStretch {
  /** Its offsets in the reply, in UTF-16 units: from the first, up to the second. */
  readonly from: number;
  readonly to: number;
  readonly fate: StretchFate;
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
  readonly issues: readonly Issue[];
}

/** Spans, and where in a reply they stood. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Exclude<Span, { readonly kind: 'issue' }>[];
  readonly issues: readonly Issue[];
}

/** All of a reply: what was found, joined where it goes on alike, and the markup between. */
function joinStretches(
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
