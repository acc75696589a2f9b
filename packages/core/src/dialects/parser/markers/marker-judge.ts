import { isSpace } from '../../../json/json-characters.ts';
import type { ParsePolicy } from '../../dialect.ts';
import type { Documentation } from '../documentation/documentation.ts';
import type { Markdown } from '../documentation/markdown.ts';
import type { Grammar, Marker, Meaning, MeaningHere, OpenerMarker, Opening, ReasoningEnds } from '../grammar.ts';
import type { Scanner } from '../scanner.ts';
import type { TextOutlet } from '../text-outlet.ts';
import type { AroundCalls } from './around-calls.ts';
import { type CloserOf, OpenBlocks } from './open-blocks.ts';

type Result = Extract<Marker, { readonly kind: 'result' }>;

/** What a judge knows of the reply, and of whoever asked for it. */
interface Circumstances {
  readonly grammar: Grammar;
  readonly policy: ParsePolicy;
  readonly out: TextOutlet;
  readonly markdown: Markdown;
  readonly documentation: Documentation;
  /** A mark of a final answer has been read. */
  readonly answered: () => void;
  /** Calls that have fired so far in this reply. */
  readonly callCount: () => number;
  /** Where in the reply the last call ended. */
  readonly callEnd: () => number;
  readonly mayOpen: (literal: string) => boolean;
}

/** Decides what a marker means where it is in visible text. Nothing is consumed; what is reported of it is let out. */
export class MarkerJudge {
  readonly #is: Circumstances;
  /** What is around calls, where the grammar puts anything there. */
  readonly around: AroundCalls | undefined;
  readonly #blocks: OpenBlocks;
  /** The neighbours in whose form something has been read. */
  readonly #shown = new Set<string>();
  /** A call has come with the tokens that its form is also read without. */
  #hasTokens = false;

  constructor(circumstances: Circumstances) {
    this.#is = circumstances;
    this.around = circumstances.grammar.followAround?.({
      ...circumstances,
      startsLine: (scanner, index) => this.#startsLine(scanner, index),
      show: (of) => this.show(of),
    });
    this.#blocks = new OpenBlocks(this.around);
  }

  /** The reply has shown that it is written in the form of this neighbour. */
  show(of: string | undefined): void {
    if (of !== undefined) this.#shown.add(of);
  }

  /** A call that was opened so has been passed. */
  passCall(opening: Opening): void {
    this.#hasTokens ||= opening.tokens === 'there';
    this.show(opening.of);
    this.around?.passCall(opening);
  }

  /** A block has just been delivered as text; so many closers of it are still to come. */
  breakOff(strayClosers: number): void {
    this.#blocks.breakOff(strayClosers);
  }

  /** A closer of this length is text. */
  passCloser(scanner: Scanner, index: number, length: number): void {
    this.#blocks.passText(scanner.position(index), length);
  }

  /** Does the literal at `index` have this meaning at all, as far as the reply has come? */
  counts({ counts, of, marker }: Meaning, scanner: Scanner, index: number): boolean {
    this.#is.documentation.nest(marker);
    if (marker.kind === 'closer' && this.#blocks.isInText(scanner.position(index))) return false;
    if (counts === 'always' || (of !== undefined && this.#shown.has(of))) return true;
    if (counts === 'edge') return this.#is.out.atEdge(scanner, index);
    return marker.kind === 'closer' && this.#blocks.awaits(marker.of);
  }

  /** What the marker at `index` means. */
  judge(scanner: Scanner, index: number, { marker, length }: MeaningHere): MarkerDecision {
    const end = index + length;
    if (marker.kind === 'opener' && marker.place !== 'anywhere') {
      const opening = this.#standsAt(marker.place, scanner, index)
        ? marker.open(scanner, index, length, this.#shown)
        : 'no';
      if (typeof opening === 'string') return opening;
    }
    const isShown = this.#is.documentation.shows(scanner, index, marker);
    if (isShown && marker.kind !== 'turn-end') return 'no';
    switch (marker.kind) {
      case 'opener':
        return this.#judgeOpener(scanner, index, { marker, end });
      case 'closer':
        return this.#judgeCloser(scanner, index, end, marker.of);
      case 'reasoning':
        if (marker.place !== undefined && !this.#standsAt(marker.place, scanner, index)) return 'no';
        return this.#judgeReasoning(scanner, index, end, { reasoning: marker.ends });
      case 'reasoning-closer': {
        const decision = this.#judgeReasoning(scanner, index, end, 'on');
        if (decision === 'on')
          this.#is.out.report('marker-dropped', 'Reasoning was closed but not opened.', scanner, index);
        return decision;
      }
      case 'result':
        if (this.#is.callCount() === 0 || !this.#standsAsResult(scanner, index, marker)) return 'no';
        return this.#judgeResult(scanner, index);
      case 'silent':
      case 'answer':
        return this.#judgeSilent(scanner, index, { marker, end });
      case 'label':
        return this.#is.out.atEdge(scanner, index) ? 'on' : 'no';
      case 'turn-end':
        if (isShown) return 'on';
        if (this.#is.documentation.mentionsTurn(scanner, index)) return 'no';
        return marker.opensTurn === true ? this.#judgeTurn(scanner, index, end) : 'on';
    }
  }

  #standsAt(place: 'line-start' | 'reply-start', scanner: Scanner, index: number): boolean {
    return place === 'line-start'
      ? this.#startsLine(scanner, index)
      : this.#is.out.edge.untouched && this.#is.out.atEdge(scanner, index);
  }

  #startsLine(scanner: Scanner, index: number): boolean {
    return this.#is.out.atEdge(scanner, index) || this.#is.markdown.atLineStart;
  }

  #judgeOpener(
    scanner: Scanner,
    index: number,
    { marker, end }: { marker: OpenerMarker; end: number },
  ): MarkerDecision {
    if (this.#blocks.inBroken) {
      // What has no marker has no closer either.
      if (marker.place === 'anywhere') this.#blocks.nest();
      return 'no';
    }
    const length = end - index;
    const opening = marker.open(scanner, index, length, this.#shown);
    if (opening === 'more') return 'more';
    if (opening !== 'no' && 'read' in opening) {
      if (this.#hasTokens && opening.tokens === 'missing') return 'no';
      if (this.#is.documentation.mentions(scanner, index)) return 'no';
      const own = index + (opening.length ?? length);
      if (this.#is.mayOpen(scanner.text.slice(index, own))) return this.around?.withRepairs(opening) ?? opening;
    } else if (opening !== 'no' && (opening.reasoning !== undefined || this.#is.grammar.takes === 'everything')) {
      return opening;
    } else {
      const section = this.around?.judge(scanner, index, marker, length) ?? 'no';
      if (section !== 'no') return section;
    }
    this.#blocks.leaveOpen();
    return 'no';
  }

  #standsAsResult(scanner: Scanner, index: number, { afterCall }: Result): boolean {
    return afterCall === true ? this.#is.callEnd() === scanner.position(index) : this.#startsTurn(scanner, index);
  }

  /** What begins another's turn begins its line: after the mark of a list item, prose names it. */
  #startsTurn(scanner: Scanner, index: number): boolean {
    return this.#startsLine(scanner, index) && (this.#is.out.atEdge(scanner, index) || !this.#is.markdown.inItem);
  }

  /** Only we may write results: one that the model makes up after a call ends what is delivered of the reply. */
  #judgeResult(scanner: Scanner, index: number): MarkerDecision {
    const dropped = this.#is.policy.results === 'end';
    const outcome = dropped ? 'the rest of the reply was dropped' : 'it stays text';
    this.#is.out.report(
      'result-fabricated',
      `The model went on to write what it is told, such as a result; ${outcome}.`,
      scanner,
      index,
    );
    return dropped ? 'fabricated' : 'no';
  }

  /** Nothing is invented where the model stopped at the token that opens what it is told. */
  #judgeTurn(scanner: Scanner, index: number, end: number): MarkerDecision {
    if (this.#is.callCount() === 0 || !this.#startsTurn(scanner, index)) return 'on';
    const next = scanner.afterSpace(end);
    if (next === 'more') return 'more';
    return next === scanner.text.length ? 'on' : this.#judgeResult(scanner, index);
  }

  /** It is never shown; between two spaces in a line, where prose may mention it, that is reported, and marks nothing. */
  #judgeSilent(scanner: Scanner, index: number, { marker, end }: { marker: Marker; end: number }): MarkerDecision {
    const afterWords = !this.#startsLine(scanner, index) && this.#is.markdown.afterSpace;
    if (afterWords && scanner.wantsMore(end)) return 'more';
    const next = end < scanner.text.length ? scanner.text.charCodeAt(end) : 10;
    if (afterWords && next !== 10 && isSpace(next)) {
      this.#is.out.report('marker-dropped', 'A marker was left out of the text.', scanner, index);
    } else if (marker.kind === 'answer') this.#is.answered();
    return 'on';
  }

  /**
   * A closer without its opener is dropped where nothing but it was meant: after a call, alone on its line, or glued to
   * the end of a line. Prose about it has a space in front or goes on after. That of a value is dropped only after a
   * call: what some dialects call a parameter, HTML does, too.
   */
  #judgeCloser(scanner: Scanner, index: number, end: number, of: CloserOf): MarkerDecision {
    const closed = this.#blocks.close(of);
    if (closed === 'text') return 'no';
    if (closed === 'section') {
      this.around?.close(scanner, index, end);
      return 'on';
    }
    const afterCall = this.#is.out.atEdge(scanner, index) && this.#is.callCount() > 0;
    if (!afterCall) {
      if (of === 'value' || (!this.#startsLine(scanner, index) && this.#is.markdown.afterSpace)) return 'no';
      if (scanner.wantsMore(end)) return 'more';
      if (end < scanner.text.length && scanner.text.charCodeAt(end) !== 10) return 'no';
      if (of === 'section' && this.around?.closeText()) return 'no';
    }
    this.#is.out.report('marker-dropped', 'A closing marker had no opener.', scanner, index);
    return 'on';
  }

  /** A marker counts at the start of a line, or where no prose goes on after it. */
  #judgeReasoning(scanner: Scanner, index: number, end: number, decision: MarkerDecision): MarkerDecision {
    if (this.#startsLine(scanner, index)) return decision;
    if (scanner.wantsMore(end)) return 'more';
    if (end === scanner.text.length) return decision === 'on' ? decision : 'no';
    const prose = isProseAfter(scanner.text.charCodeAt(end), decision === 'on' ? 'closer' : 'opener');
    return prose ? 'no' : decision;
  }
}

/** A marker that is no call. */
export interface PassedMarker {
  /** It has a header, which ends at this index. */
  readonly end?: number;
  /** It opened a section, in which a call has still to be read. */
  readonly section?: true;
  /** What ends the reasoning that it opened. */
  readonly reasoning?: ReasoningEnds;
  /** The neighbour that it belongs to. */
  readonly of?: string;
}

/**
 * What the reader of visible text has come to: a call, another marker, of which `on` says no more, a result that was made up, or
 * a place where it needs input.
 */
export type Finding = 'more' | 'on' | 'fabricated' | Opening | PassedMarker;

/** What a marker means at its place: `no` when it is none there. */
export type MarkerDecision = Finding | 'no';

const prosePunctuation = '"\'`.,;:!?)]}';

/**
 * Does prose that mentions a marker of reasoning go on with this character? It does with white space or punctuation; the
 * real marker is followed by text. Only a closer may end its line.
 */
function isProseAfter(code: number, marker: 'opener' | 'closer'): boolean {
  if (isSpace(code)) return marker === 'opener' || code !== 10;
  return prosePunctuation.includes(String.fromCharCode(code));
}
