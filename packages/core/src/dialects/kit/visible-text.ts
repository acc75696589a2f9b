import type { IssueCode } from '../../chat/issue.ts';
import type { Sink } from '../../stage.ts';
import type { ParsePolicy, ParseWatch, Span } from '../dialect.ts';
import { CodeSpans } from './code-spans.ts';
import { Edge } from './edge.ts';
import type { Grammar, LookSection, Marker, Meaning } from './grammar.ts';
import type { Found, MarkerTrie } from './marker-trie.ts';
import { isSpace, type Scanner } from './scanner.ts';
import { type Finding, isProseBehind, openChannel, type Passed, type Verdict } from './verdict.ts';

type Opener = Extract<Marker, { readonly kind: 'opener' }>;
type CloserOf = Extract<Marker, { readonly kind: 'closer' }>['of'];

interface Options {
  readonly grammar: Grammar;
  /** What marks a final answer; may be empty. */
  readonly answers: MarkerTrie<readonly Meaning[]>;
  /** Such a mark has been read. */
  readonly answered: () => void;
  readonly policy: ParsePolicy;
  readonly sink: Sink<Span>;
  /** Calls that have fired so far in this reply. */
  readonly callCount: () => number;
  readonly mayOpen: (literal: string) => boolean;
  readonly watch: ParseWatch | undefined;
}

/**
 * Reads what the user sees and finds the markers in it. White space between two markers, or between a marker and the
 * edge of the reply, is padding and belongs to the markers; all other white space is delivered exactly.
 */
export class VisibleText {
  readonly #grammar: Grammar;
  readonly #answers: MarkerTrie<readonly Meaning[]>;
  readonly #answered: () => void;
  readonly #policy: ParsePolicy;
  readonly #sink: Sink<Span>;
  readonly #callCount: () => number;
  readonly #mayOpen: (literal: string) => boolean;
  /** The neighbours in whose form something has been read. */
  readonly #shown = new Set<string>();
  readonly #watch: ParseWatch | undefined;
  readonly #code = new CodeSpans();
  readonly #edge = new Edge();
  /** Sections that are open. */
  #sections = 0;
  /** Closers to come of what was delivered as text (a broken block, an opener that opens nothing): they are text too. */
  #strayClosers = 0;
  /** A broken block held openers of calls: nothing fires until all of them are closed. */
  #inBroken = false;
  /** The last code in which an opener was told of. */
  #toldCode = 0;

  constructor(options: Options) {
    this.#grammar = options.grammar;
    this.#answers = options.answers;
    this.#answered = options.answered;
    this.#policy = options.policy;
    this.#sink = options.sink;
    this.#callCount = options.callCount;
    this.#watch = options.watch;
    this.#mayOpen = options.mayOpen;
    // Where only calls are taken out, white space at the start of a reply is text like any other.
    if (this.#takesCalls) this.#edge.close();
  }

  get #takesCalls(): boolean {
    return this.#grammar.takes === 'calls';
  }

  /** A marker has been read, and visible text goes on behind it. */
  touchMarker(): void {
    this.#edge.touch();
  }

  /** A block has just been delivered as text; so many closers of it are still to come, or that of a fence. */
  touchText(strayClosers: number, inFence = false): void {
    if (inFence) this.#code.openFence();
    this.#edge.close();
    this.#strayClosers = strayClosers;
    this.#inBroken = strayClosers > 1;
  }

  /** The padding in front of a call that opens here. */
  takePadding(): string {
    return this.#edge.takePadding();
  }

  /** The reply has shown that it is written in the form of this neighbour. */
  show(of: string | undefined): void {
    if (of !== undefined) this.#shown.add(of);
  }

  /** Reads up to the next marker. What is found is consumed, but for a call: its opening says where it goes on. */
  read(scanner: Scanner): Finding {
    const { text } = scanner;
    const { markers } = this.#grammar;
    if (this.#edge.open) this.#readPadding(scanner);
    for (let index = scanner.at; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (markers.startsWith(code) || this.#answers.startsWith(code)) {
        const verdict = this.#find(scanner, index);
        if (verdict.kind !== 'text') return verdict;
      }
      this.#code.read(code);
    }
    this.#emit(scanner, text.length);
    return { kind: 'more' };
  }

  #readPadding(scanner: Scanner): void {
    const { text } = scanner;
    const end = scanner.skipSpace(scanner.at);
    for (let index = scanner.at; index < end; index += 1) this.#code.read(text.charCodeAt(index));
    this.#edge.pad(text.slice(scanner.at, end));
    scanner.at = end;
    if (this.#edge.full) this.#emitPadding(scanner);
  }

  #emitPadding(scanner: Scanner): void {
    if (this.#edge.inSection) {
      const message = 'A section of calls was opened, but no call could be read in it.';
      this.#sink({ kind: 'issue', issue: { code: 'call-cut', message, at: scanner.position() } });
    }
    const text = this.#edge.takeText();
    if (text === '') return;
    this.#sink({ kind: 'text', text });
    this.#watch?.stretch(scanner.position() - text.length, scanner.position());
  }

  /** Delivers the text before `to`, with the padding in front of it. */
  #emit(scanner: Scanner, to: number): void {
    if (to <= scanner.at) return;
    if (this.#edge.open) this.#emitPadding(scanner);
    this.#edge.close();
    this.#sink({ kind: 'text', text: scanner.text.slice(scanner.at, to) });
    this.#watch?.stretch(scanner.position(), scanner.position(to));
    scanner.at = to;
  }

  #find(scanner: Scanner, index: number): Verdict {
    const { text, ended } = scanner;
    const found = this.#grammar.markers.find(text, index, ended);
    if (found === 'more') return this.#wait(scanner, index);
    const verdict = found === 'no' ? undefined : this.#take(scanner, index, found);
    if (verdict !== undefined) return verdict;
    const answer = this.#answers.find(text, index, ended);
    if (answer === 'more') return this.#wait(scanner, index);
    return (answer === 'no' ? undefined : this.#take(scanner, index, answer)) ?? { kind: 'text' };
  }

  #wait(scanner: Scanner, index: number): Verdict {
    this.#emit(scanner, index);
    return { kind: 'more' };
  }

  /** Takes the first meaning that counts here; one that takes only the beginning of the literal leaves it to the others. */
  #take(scanner: Scanner, index: number, found: Found<readonly Meaning[]>): Verdict | undefined {
    let verdict: Verdict | undefined;
    for (const meaning of found.value) {
      if (!this.#counts(meaning, scanner, index)) continue;
      verdict = this.#judge(scanner, index, meaning);
      if (verdict.kind !== 'text') return this.#pass(scanner, index, { meaning, verdict });
      if (meaning.length === found.length) return verdict;
    }
    return verdict;
  }

  #pass(
    scanner: Scanner,
    index: number,
    { meaning, verdict }: { readonly meaning: Meaning; readonly verdict: Finding },
  ): Verdict {
    if (verdict.kind === 'reasoning' && this.#takesCalls) {
      this.#emit(scanner, verdict.end ?? index + meaning.length);
      return verdict;
    }
    this.#emit(scanner, index);
    if (verdict.kind !== 'more' && verdict.kind !== 'call') this.#passMarker(scanner, meaning, verdict);
    return verdict;
  }

  #counts({ counts, of, marker }: Meaning, scanner: Scanner, index: number): boolean {
    if (counts === 'always' || (of !== undefined && this.#shown.has(of))) return true;
    if (counts === 'edge') return this.#atEdge(scanner, index);
    return marker.kind === 'closer' && (this.#strayClosers > 0 || this.#closesSection(marker.of));
  }

  /** Consumes a marker that is no call. What may still turn out to be text is kept. */
  #passMarker(scanner: Scanner, { marker, length, of }: Meaning, passed: Passed): void {
    const { end = scanner.at + length, section = false } = passed;
    if (marker.kind === 'reasoning' || marker.kind === 'silent') this.show(of);
    this.show(passed.of);
    const literal = scanner.text.slice(scanner.at, end);
    scanner.at = end;
    if (section) {
      this.#edge.openSection(literal);
      // One section inside another, over and over: what is held back stays bounded.
      if (this.#edge.full) this.#emitPadding(scanner);
    } else if (marker.kind === 'turn-end') this.#edge.pad(literal);
    else this.#edge.touch();
  }

  #standsAt(place: 'line-start' | 'reply-start', scanner: Scanner, index: number): boolean {
    return place === 'line-start'
      ? this.#startsLine(scanner, index)
      : this.#edge.untouched && this.#atEdge(scanner, index);
  }

  #startsLine(scanner: Scanner, index: number): boolean {
    return this.#atEdge(scanner, index) || this.#code.atLineStart;
  }

  /** Only white space stands between `index` and the last marker, or the start of the reply. */
  #atEdge(scanner: Scanner, index: number): boolean {
    return this.#edge.open && index === scanner.at;
  }

  #judge(scanner: Scanner, index: number, { marker, length }: Meaning): Verdict {
    const end = index + length;
    if (marker.kind === 'opener' && marker.place !== 'anywhere') {
      const opening = this.#standsAt(marker.place, scanner, index)
        ? marker.open(scanner, index, length, this.#shown)
        : 'no';
      if (typeof opening === 'string') return { kind: opening === 'no' ? 'text' : 'more' };
    }
    if (marker.kind !== 'turn-end' && this.#inCode(scanner, index, marker)) return { kind: 'text' };
    switch (marker.kind) {
      case 'opener':
        return this.#judgeOpener(scanner, index, { marker, end });
      case 'section':
        if (this.#inBroken) return { kind: 'text' };
        return this.#judgeSection(scanner, index, { look: marker.look, length });
      case 'closer':
        return this.#judgeCloser(scanner, index, end, marker.of);
      case 'reasoning':
        return this.#judgeReasoning(scanner, index, end, { kind: 'reasoning', ends: marker.ends });
      case 'reasoning-closer': {
        const verdict = this.#judgeReasoning(scanner, index, end, { kind: 'on' });
        if (verdict.kind === 'on') this.#tell('marker-dropped', 'Reasoning was closed but not opened.', scanner, index);
        return verdict;
      }
      case 'result':
        if (this.#callCount() === 0 || !this.#startsLine(scanner, index)) return { kind: 'text' };
        return this.#judgeResult(scanner, index);
      case 'silent':
      case 'answer':
        return this.#judgeSilent(scanner, index, { marker, end });
      case 'label':
        return { kind: this.#atEdge(scanner, index) ? 'on' : 'text' };
      case 'turn-end':
        return { kind: 'on' };
    }
  }

  #judgeOpener(scanner: Scanner, index: number, { marker, end }: { marker: Opener; end: number }): Verdict {
    if (this.#inBroken) {
      // What has no marker has no closer either.
      if (marker.place === 'anywhere') this.#strayClosers += 1;
      return { kind: 'text' };
    }
    const length = end - index;
    const opening = marker.open(scanner, index, length, this.#shown);
    if (opening === 'more') return { kind: 'more' };
    if (opening !== 'no' && 'read' in opening) {
      if (this.#mayOpen(scanner.text.slice(index, end))) return { kind: 'call', opening };
    } else if (opening !== 'no') {
      if (opening.reasoning !== undefined || !this.#takesCalls) return openChannel(opening);
    } else if (marker.section !== undefined) {
      const section = this.#judgeSection(scanner, index, { look: marker.section, length });
      if (section.kind === 'on' && !this.#takesCalls) for (const of of marker.shows ?? []) this.show(of);
      if (section.kind !== 'text') return section;
    }
    this.#strayClosers = Math.max(1, this.#strayClosers);
    return { kind: 'text' };
  }

  /** Only we may write results: one that the model makes up behind a call ends what is delivered of the reply. */
  #judgeResult(scanner: Scanner, index: number): Verdict {
    const dropped = this.#policy.results === 'end';
    const fate = dropped ? 'the rest of the reply was dropped' : 'it stays text';
    this.#tell('result-fabricated', `The model went on to write a tool result itself; ${fate}.`, scanner, index);
    return { kind: dropped ? 'fabricated' : 'text' };
  }

  /** It is never shown; between two spaces in a line, where prose may mention it, that is told, and marks nothing. */
  #judgeSilent(scanner: Scanner, index: number, { marker, end }: { marker: Marker; end: number }): Verdict {
    const behindWords = !this.#startsLine(scanner, index) && this.#code.afterSpace;
    if (behindWords && scanner.wantsMore(end)) return { kind: 'more' };
    const next = end < scanner.text.length ? scanner.text.charCodeAt(end) : 10;
    if (behindWords && next !== 10 && isSpace(next)) {
      this.#tell('marker-dropped', 'A marker was left out of the text.', scanner, index);
    } else if (marker.kind === 'answer') this.#answered();
    return { kind: 'on' };
  }

  #inCode(scanner: Scanner, index: number, marker: Marker): boolean {
    if (this.#policy.fences === 'fire') return false;
    if (!this.#code.holdsMarker()) return false;
    if (marker.kind === 'opener' && this.#toldCode !== this.#code.placeNumber) {
      this.#toldCode = this.#code.placeNumber;
      this.#tell('call-in-fence', 'Call syntax in a code block was not run.', scanner, index);
    }
    return true;
  }

  #judgeSection(
    scanner: Scanner,
    index: number,
    { look, length }: { readonly look: LookSection; readonly length: number },
  ): Verdict {
    const end = look(scanner, index, length);
    if (typeof end === 'string') return { kind: end === 'no' ? 'text' : 'more' };
    this.#sections += 1;
    return { kind: 'on', section: true, end };
  }

  /**
   * A closer without its opener is dropped where nothing but it was meant: behind a call, alone on its line, or glued to
   * the end of a line. Prose about it has a space in front or goes on behind. That of a value is dropped only behind a
   * call: what some dialects call a parameter, HTML does, too.
   */
  #judgeCloser(scanner: Scanner, index: number, end: number, of: CloserOf): Verdict {
    if (this.#closesSection(of)) {
      this.#sections -= 1;
      return { kind: 'on' };
    }
    if (of !== 'section' && this.#strayClosers > 0) {
      if (of !== 'value') this.#strayClosers -= 1;
      this.#inBroken &&= this.#strayClosers > 0;
      return { kind: 'text' };
    }
    const behindCall = this.#atEdge(scanner, index) && this.#callCount() > 0;
    if (!behindCall) {
      if (of === 'value' || (!this.#startsLine(scanner, index) && this.#code.afterSpace)) return { kind: 'text' };
      if (scanner.wantsMore(end)) return { kind: 'more' };
      if (end < scanner.text.length && scanner.text.charCodeAt(end) !== 10) return { kind: 'text' };
    }
    this.#tell('marker-dropped', 'A closing marker had no opener.', scanner, index);
    return { kind: 'on' };
  }

  #closesSection(of: CloserOf): boolean {
    if (this.#sections === 0) return false;
    return of === 'section' || of === 'section-or-call' || (of === 'call-or-section' && this.#strayClosers === 0);
  }

  /** A marker counts at the start of a line, or where no prose goes on behind it. */
  #judgeReasoning(scanner: Scanner, index: number, end: number, verdict: Verdict): Verdict {
    if (this.#startsLine(scanner, index)) return verdict;
    if (scanner.wantsMore(end)) return { kind: 'more' };
    if (end === scanner.text.length) return verdict.kind === 'on' ? verdict : { kind: 'text' };
    const prose = isProseBehind(scanner.text.charCodeAt(end), verdict.kind === 'reasoning' ? 'opener' : 'closer');
    return prose ? { kind: 'text' } : verdict;
  }

  /** Tells of what stands at `index`, behind the text before it. */
  #tell(code: IssueCode, message: string, scanner: Scanner, index: number): void {
    this.#emit(scanner, index);
    this.#sink({ kind: 'issue', issue: { code, message, at: scanner.position(index) } });
  }
}
