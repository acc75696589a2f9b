import type { Documentation } from '../documentation/documentation.ts';
import type { Markdown } from '../documentation/markdown.ts';
import type { Grammar, Marker, MeaningHere, OpenerMarker, Opening } from '../grammar.ts';
import type { Scanner } from '../scanner.ts';
import type { TextOutlet } from '../text-outlet.ts';
import type { Finding, MarkerDecision } from './marker-judge.ts';
import type { CloserOf } from './open-blocks.ts';
import { OpenSections } from './open-sections.ts';
import { SectionEdge } from './section-edge.ts';

/** What is known of the reply where something is around calls. */
export interface Surroundings {
  readonly grammar: Grammar;
  readonly out: TextOutlet;
  readonly markdown: Markdown;
  readonly documentation: Documentation;
  readonly startsLine: (scanner: Scanner, index: number) => boolean;
  /** The reply has shown that it is written in the form of this neighbour. */
  readonly show: (of: string) => void;
}

/** What a literal means that was found, and what that comes to at its place. */
interface Judged {
  readonly meaning: MeaningHere;
  readonly decision: Finding;
}

/** What is around the calls of one reply: the sections that they are in, and messages to the user, in which nothing is a call. */
export class AroundCalls {
  readonly #is: Surroundings;
  readonly #sections = new OpenSections();
  readonly #edge = new SectionEdge();
  /** The opener of a section was text, alone on its line: so is the closer that belongs to it. */
  #isText = false;
  /** What the last call was opened with: it has opened its section only once, however many calls follow after it. */
  #opening: Opening | undefined;
  /** In a message to the user; `reported`: it holds the syntax of a call. */
  #toUser: 'no' | 'yes' | 'reported' = 'no';

  constructor(is: Surroundings) {
    this.#is = is;
    is.out.edge = this.#edge;
  }

  /** A section that opens only at the start of a reply, and is there: nothing has been read but for white space that is padding. */
  findFirst(scanner: Scanner): Judged | 'more' | undefined {
    const { grammar, out } = this.#is;
    if (grammar.takes === 'calls' ? scanner.position() > 0 : !out.edge.untouched) return undefined;
    const { text, at, ended } = scanner;
    const found = grammar.firstSections.find(text, at, ended);
    if (typeof found === 'string') return found === 'more' && at < text.length ? 'more' : undefined;
    for (const given of found.value) {
      const { marker } = given;
      const decision = marker.kind === 'opener' ? this.#judge(scanner, at, marker, found.length) : 'no';
      if (decision !== 'no') return { meaning: { ...given, length: found.length }, decision };
    }
    return undefined;
  }

  /** Does a section open with the literal of this length at `index`? */
  judge(scanner: Scanner, index: number, marker: OpenerMarker, length: number): MarkerDecision {
    if (marker.section === undefined) return 'no';
    const decision = this.#judge(scanner, index, marker, length);
    if (typeof decision === 'object' && this.#is.grammar.takes === 'everything') marker.shows?.forEach(this.#is.show);
    if (decision === 'no' && this.#is.startsLine(scanner, index)) this.#isText = true;
    return decision;
  }

  #judge(scanner: Scanner, index: number, { section, report }: OpenerMarker, length: number): MarkerDecision {
    const end = section?.(scanner, index, length) ?? 'no';
    if (typeof end === 'string') return end;
    if (this.#is.documentation.mentions(scanner, index)) return 'no';
    // A header with a name in it has no closer, and is no wrapper.
    if (end <= index + length && report !== undefined) this.#sections.open(report);
    return { section: true, end };
  }

  /** What opens a section has been passed. `headed`: with a header after it. */
  open(scanner: Scanner, literal: string, headed: boolean): void {
    this.#edge.openSection(literal, headed);
    // One section inside another, over and over: what is held back stays bounded.
    if (this.#edge.full) this.#is.out.emitPadding(scanner);
  }

  /** A call that opens here, with what is wrong with the sections around it. */
  withRepairs(opening: Opening): Opening {
    const repairs = this.#sections.repairsOf(opening);
    return repairs.length === 0 ? opening : { ...opening, repairs: [...repairs, ...(opening.repairs ?? [])] };
  }

  /** A call that was opened so has been passed. */
  passCall(opening: Opening): void {
    this.#sections.passCall();
    if (typeof opening.section === 'object' && opening !== this.#opening) this.#sections.open(opening.section);
    this.#opening = opening;
  }

  /** May such a closer close a section? `strays`: closers of what was delivered as text are still to come. */
  mayClose(of: CloserOf, strays: boolean): boolean {
    if (!this.#sections.any) return false;
    return of === 'section' || of === 'section-or-call' || (of === 'call-or-section' && !strays);
  }

  /** The closer of a section is at `index`. */
  close(scanner: Scanner, index: number, end: number): void {
    const repair = this.#sections.close(scanner.text, end);
    if (repair !== undefined) this.#is.out.report('call-repaired', repair, scanner, index);
  }

  /** A section is closed that nothing has opened: was its opener text? */
  closeText(): boolean {
    const isText = this.#isText;
    this.#isText = false;
    return isText;
  }

  /** Is what may be markup of a call only words to the user? */
  isWords({ kind }: Marker, scanner: Scanner, index: number): boolean {
    if (this.#toUser === 'no') return false;
    if (kind === 'opener' && this.#toUser === 'yes') {
      this.#toUser = 'reported';
      this.#is.out.report('call-in-fence', 'Call syntax in a message to the user was not run.', scanner, index);
    }
    return kind === 'opener' || kind === 'closer';
  }

  /** This marker has been passed, which is no call. `headed`: with a header after it. */
  passMarker(marker: Marker, headed: boolean): void {
    if (marker.kind === 'silent') this.#toUser = marker.toUser === true ? 'yes' : 'no';
    else if (headed) this.#toUser = 'no';
  }
}
