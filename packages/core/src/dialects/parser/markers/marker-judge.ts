import { isSpace } from '../../../json/json-characters.ts';
import type { ParsePolicy } from '../../dialect.ts';
import type { Documentation } from '../documentation/documentation.ts';
import type { Markdown } from '../documentation/markdown.ts';
import type { Channel, Grammar, Marker, Meaning, MeaningHere, Opening, ReasoningEnds } from '../grammar.ts';
import type { Scanner } from '../scanner.ts';
import type { TextOutlet } from '../text-outlet.ts';
import { type CloserOf, OpenBlocks } from './open-blocks.ts';
import type { OpenSections } from './sections.ts';

type Opener = Extract<Marker, { readonly kind: 'opener' }>;
type Result = Extract<Marker, { readonly kind: 'result' }>;

/** What a judge knows of the reply, and of whoever asked for it. */
interface Circumstances {
  readonly takes: Grammar['takes'];
  readonly sections: OpenSections | undefined;
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
  readonly #sections: OpenSections | undefined;
  readonly #blocks: OpenBlocks;
  /** The neighbours in whose form something has been read. */
  readonly #shown = new Set<string>();
  /** A call has come with the tokens that its form is also read without. */
  #hasTokens = false;

  constructor(circumstances: Circumstances) {
    this.#is = circumstances;
    this.#sections = circumstances.sections;
    this.#blocks = new OpenBlocks(this.#sections);
  }

  /** The reply has shown that it is written in the form of this neighbour. */
  show(of: string | undefined): void {
    if (of !== undefined) this.#shown.add(of);
  }

  /** A call that was opened so has been passed. */
  passCall({ of, section, tokens }: Opening): void {
    this.#hasTokens ||= tokens === 'there';
    this.show(of);
    this.#sections?.passCall();
    if (typeof section === 'object') this.#sections?.open(section);
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
  judge(scanner: Scanner, index: number, { marker, length }: MeaningHere): Decision {
    const end = index + length;
    if (marker.kind === 'opener' && marker.place !== 'anywhere') {
      const opening = this.#standsAt(marker.place, scanner, index)
        ? marker.open(scanner, index, length, this.#shown)
        : 'no';
      if (typeof opening === 'string') return { kind: opening === 'no' ? 'text' : 'more' };
    }
    const isShown = this.#is.documentation.shows(scanner, index, marker);
    if (isShown && marker.kind !== 'turn-end') return { kind: 'text' };
    switch (marker.kind) {
      case 'opener':
        return this.#judgeOpener(scanner, index, { marker, end });
      case 'closer':
        return this.#judgeCloser(scanner, index, end, marker.of);
      case 'reasoning':
        if (marker.place !== undefined && !this.#standsAt(marker.place, scanner, index)) return { kind: 'text' };
        return this.#judgeReasoning(scanner, index, end, { kind: 'reasoning', ends: marker.ends });
      case 'reasoning-closer': {
        const decision = this.#judgeReasoning(scanner, index, end, { kind: 'on' });
        if (decision.kind === 'on')
          this.#is.out.report('marker-dropped', 'Reasoning was closed but not opened.', scanner, index);
        return decision;
      }
      case 'result':
        if (this.#is.callCount() === 0 || !this.#standsAsResult(scanner, index, marker)) return { kind: 'text' };
        return this.#judgeResult(scanner, index);
      case 'silent':
      case 'answer':
        return this.#judgeSilent(scanner, index, { marker, end });
      case 'label':
        return { kind: this.#is.out.atEdge(scanner, index) ? 'on' : 'text' };
      case 'turn-end':
        if (isShown) return { kind: 'on' };
        if (this.#is.documentation.mentionsTurn(scanner, index)) return { kind: 'text' };
        return marker.opensTurn === true ? this.#judgeTurn(scanner, index, end) : { kind: 'on' };
    }
  }

  /** What opens a section only at the start of a reply, and is there. */
  judgeFirst(scanner: Scanner, index: number, { marker, length }: MeaningHere): Decision {
    return marker.kind === 'opener' ? this.#judgeSection(scanner, index, marker, length) : { kind: 'text' };
  }

  #standsAt(place: 'line-start' | 'reply-start', scanner: Scanner, index: number): boolean {
    return place === 'line-start'
      ? this.#startsLine(scanner, index)
      : this.#is.out.edge.untouched && this.#is.out.atEdge(scanner, index);
  }

  #startsLine(scanner: Scanner, index: number): boolean {
    return this.#is.out.atEdge(scanner, index) || this.#is.markdown.atLineStart;
  }

  #judgeOpener(scanner: Scanner, index: number, { marker, end }: { marker: Opener; end: number }): Decision {
    if (this.#blocks.inBroken) {
      // What has no marker has no closer either.
      if (marker.place === 'anywhere') this.#blocks.nest();
      return { kind: 'text' };
    }
    const length = end - index;
    const opening = marker.open(scanner, index, length, this.#shown);
    if (opening === 'more') return { kind: 'more' };
    if (opening !== 'no' && 'read' in opening) {
      if (this.#hasTokens && opening.tokens === 'missing') return { kind: 'text' };
      if (this.#is.documentation.mentions(scanner, index)) return { kind: 'text' };
      const own = index + (opening.length ?? length);
      if (this.#is.mayOpen(scanner.text.slice(index, own))) return { kind: 'call', opening: this.#placed(opening) };
    } else if (opening !== 'no' && (opening.reasoning !== undefined || this.#is.takes === 'everything')) {
      return openChannel(opening);
    } else if (marker.section !== undefined) {
      const section = this.#judgeSection(scanner, index, marker, length);
      if (section.kind === 'on' && this.#is.takes === 'everything') for (const of of marker.shows ?? []) this.show(of);
      if (section.kind !== 'text') return section;
      if (this.#startsLine(scanner, index)) this.#blocks.leaveSectionOpen();
    }
    this.#blocks.leaveOpen();
    return { kind: 'text' };
  }

  #placed(opening: Opening): Opening {
    const repairs = this.#sections?.repairsOf(opening) ?? [];
    return repairs.length === 0 ? opening : { ...opening, repairs: [...repairs, ...(opening.repairs ?? [])] };
  }

  #standsAsResult(scanner: Scanner, index: number, { afterCall }: Result): boolean {
    return afterCall === true ? this.#is.callEnd() === scanner.position(index) : this.#startsTurn(scanner, index);
  }

  /** What begins another's turn begins its line: after the mark of a list item, prose names it. */
  #startsTurn(scanner: Scanner, index: number): boolean {
    return this.#startsLine(scanner, index) && (this.#is.out.atEdge(scanner, index) || !this.#is.markdown.inItem);
  }

  /** Only we may write results: one that the model makes up after a call ends what is delivered of the reply. */
  #judgeResult(scanner: Scanner, index: number): Decision {
    const dropped = this.#is.policy.results === 'end';
    const outcome = dropped ? 'the rest of the reply was dropped' : 'it stays text';
    this.#is.out.report(
      'result-fabricated',
      `The model went on to write what it is told, such as a result; ${outcome}.`,
      scanner,
      index,
    );
    return { kind: dropped ? 'fabricated' : 'text' };
  }

  /** Nothing is invented where the model stopped at the token that opens what it is told. */
  #judgeTurn(scanner: Scanner, index: number, end: number): Decision {
    if (this.#is.callCount() === 0 || !this.#startsTurn(scanner, index)) return { kind: 'on' };
    const next = scanner.afterSpace(end);
    if (next === 'more') return { kind: 'more' };
    return next === scanner.text.length ? { kind: 'on' } : this.#judgeResult(scanner, index);
  }

  /** It is never shown; between two spaces in a line, where prose may mention it, that is reported, and marks nothing. */
  #judgeSilent(scanner: Scanner, index: number, { marker, end }: { marker: Marker; end: number }): Decision {
    const afterWords = !this.#startsLine(scanner, index) && this.#is.markdown.afterSpace;
    if (afterWords && scanner.wantsMore(end)) return { kind: 'more' };
    const next = end < scanner.text.length ? scanner.text.charCodeAt(end) : 10;
    if (afterWords && next !== 10 && isSpace(next)) {
      this.#is.out.report('marker-dropped', 'A marker was left out of the text.', scanner, index);
    } else if (marker.kind === 'answer') this.#is.answered();
    return { kind: 'on' };
  }

  #judgeSection(scanner: Scanner, index: number, { section, report }: Opener, length: number): Decision {
    const end = section?.(scanner, index, length) ?? 'no';
    if (typeof end === 'string') return { kind: end === 'no' ? 'text' : 'more' };
    if (this.#is.documentation.mentions(scanner, index)) return { kind: 'text' };
    // A header with a name in it has no closer, and is no wrapper.
    if (end <= index + length && report !== undefined) this.#sections?.open(report);
    return { kind: 'on', section: true, end };
  }

  /**
   * A closer without its opener is dropped where nothing but it was meant: after a call, alone on its line, or glued to
   * the end of a line. Prose about it has a space in front or goes on after. That of a value is dropped only after a
   * call: what some dialects call a parameter, HTML does, too.
   */
  #judgeCloser(scanner: Scanner, index: number, end: number, of: CloserOf): Decision {
    const closed = this.#blocks.close(of);
    if (closed === 'text') return { kind: 'text' };
    if (closed === 'section') {
      const repair = this.#sections?.close(scanner.text, end);
      if (repair !== undefined) this.#is.out.report('call-repaired', repair, scanner, index);
      return { kind: 'on' };
    }
    const afterCall = this.#is.out.atEdge(scanner, index) && this.#is.callCount() > 0;
    if (!afterCall) {
      if (of === 'value' || (!this.#startsLine(scanner, index) && this.#is.markdown.afterSpace))
        return { kind: 'text' };
      if (scanner.wantsMore(end)) return { kind: 'more' };
      if (end < scanner.text.length && scanner.text.charCodeAt(end) !== 10) return { kind: 'text' };
      if (of === 'section' && this.#blocks.closeTextSection()) return { kind: 'text' };
    }
    this.#is.out.report('marker-dropped', 'A closing marker had no opener.', scanner, index);
    return { kind: 'on' };
  }

  /** A marker counts at the start of a line, or where no prose goes on after it. */
  #judgeReasoning(scanner: Scanner, index: number, end: number, decision: Decision): Decision {
    if (this.#startsLine(scanner, index)) return decision;
    if (scanner.wantsMore(end)) return { kind: 'more' };
    if (end === scanner.text.length) return decision.kind === 'on' ? decision : { kind: 'text' };
    const prose = isProseAfter(scanner.text.charCodeAt(end), decision.kind === 'reasoning' ? 'opener' : 'closer');
    return prose ? { kind: 'text' } : decision;
  }
}

/**
 * What the reader of visible text has come to. `on`: a marker has been passed, go on; `more`: needs input. `end`: the marker
 * has a header, which ends at that index. `section`: it opened a section, in which a call has still to be read. `of`:
 * the neighbour that it belongs to.
 */
export type Finding = { readonly kind: 'more' } | { readonly kind: 'call'; readonly opening: Opening } | Passed;

/** A marker that is no call has been passed. */
export type Passed = (
  | { readonly kind: 'on' | 'fabricated' }
  | { readonly kind: 'reasoning'; readonly ends: ReasoningEnds }
) & { readonly end?: number; readonly section?: boolean; readonly of?: string | undefined };

/** What a marker means at its place: `text` when it is none there. */
export type Decision = Finding | { readonly kind: 'text' };

/** After the header of a channel. */
function openChannel({ end, reasoning, of }: Channel): Decision {
  return reasoning === undefined ? { kind: 'on', end, of } : { kind: 'reasoning', ends: reasoning, end, of };
}

const prosePunctuation = '"\'`.,;:!?)]}';

/**
 * Does prose that mentions a marker of reasoning go on with this character? It does with white space or punctuation; the
 * real marker is followed by text. Only a closer may end its line.
 */
function isProseAfter(code: number, marker: 'opener' | 'closer'): boolean {
  if (isSpace(code)) return marker === 'opener' || code !== 10;
  return prosePunctuation.includes(String.fromCharCode(code));
}
