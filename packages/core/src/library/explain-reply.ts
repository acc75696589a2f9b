import type { Issue } from '../chat/issue.ts';
import type { Dialect, ParseContext, Span } from '../dialects/dialect.ts';
import { type ExplainedStretch, joinStretches, type Stretch } from './reply-ranges.ts';

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
