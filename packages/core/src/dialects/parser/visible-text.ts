import type { Sink } from '../../stream/stage.ts';
import type { ParsePolicy, ParseWatch, Span } from '../dialect.ts';
import { Documentation } from './documentation/documentation.ts';
import { Markdown, markdownMarks } from './documentation/markdown.ts';
import type { Mentions } from './documentation/mention.ts';
import type { Grammar, MeaningHere, Meanings, Opening } from './grammar.ts';
import { type Finding, type MarkerDecision, MarkerJudge, type PassedMarker } from './markers/marker-judge.ts';
import type { Found, MarkerTrie } from './markers/marker-trie.ts';
import { CharacterSet, type Scanner } from './scanner.ts';
import { TextOutlet } from './text-outlet.ts';

interface Options {
  readonly grammar: Grammar;
  /** What literals mean: the grammar's own, and what marks a final answer. The first meaning that counts is taken. */
  readonly tables: readonly MarkerTrie<Meanings>[];
  /** Such a mark has been read. */
  readonly answered: () => void;
  readonly policy: ParsePolicy;
  readonly sink: Sink<Span>;
  /** Calls that have fired so far in this reply. */
  readonly callCount: () => number;
  /** Where in the reply the last call ended. */
  readonly callEnd: () => number;
  readonly mayOpen: (literal: string) => boolean;
  readonly watch: ParseWatch | undefined;
}

/**
 * Reads what the user sees and finds the markers in it. White space between two markers, or between a marker and the
 * edge of the reply, is padding and belongs to the markers; all other white space is delivered exactly.
 */
export class VisibleText {
  readonly #markdown: Markdown;
  readonly #options: Options;
  readonly #out: TextOutlet;
  readonly #judge: MarkerJudge;
  readonly #mentions: Mentions | undefined;
  readonly #stops: Stops;

  constructor(options: Options) {
    this.#options = options;
    const { takes } = options.grammar;
    this.#mentions = options.grammar.mentions?.();
    this.#out = new TextOutlet(options, this.#mentions);
    // What a model that calls natively sets apart in its text is shown; another one has no other place for its calls.
    this.#markdown = new Markdown(takes === 'calls');
    this.#stops = new Stops(options.tables);
    const seen = { out: this.#out, markdown: this.#markdown };
    const documentation = new Documentation({ mentions: this.#mentions, policy: options.policy, ...seen });
    this.#judge = new MarkerJudge({ documentation, ...seen, ...options });
    // Where only calls are taken out, white space at the start of a reply is text like any other.
    if (this.#takesCalls) this.#out.edge.close();
  }

  get #takesCalls(): boolean {
    return this.#options.grammar.takes === 'calls';
  }

  /** A marker has been read, and visible text goes on after it. */
  touchMarker(): void {
    this.#markdown.passMarker();
    this.#mentions?.part();
    this.#out.edge.touch();
  }

  /** A block has just been delivered as text; so many closers of it are still to come, or that of a fence. */
  touchText(strayClosers: number, inFence = false): void {
    this.#markdown.passBlock();
    if (inFence) this.#markdown.openFence();
    this.#mentions?.part();
    this.#out.edge.close();
    this.#judge.breakOff(strayClosers);
  }

  /** The padding before a call that opens here. */
  takePadding(): string {
    return this.#out.edge.takePadding();
  }

  /** A call that was opened so is after us. */
  passCall(opening: Opening): void {
    this.#judge.passCall(opening);
  }

  /** Reads up to the next marker. What is found is consumed, but for a call: its opening says where it goes on. */
  read(scanner: Scanner): Finding {
    const { text } = scanner;
    if (this.#out.edge.open) this.#out.readPadding(scanner, this.#markdown);
    const first = this.#judge.around?.findFirst(scanner);
    if (first !== undefined) return first === 'more' ? first : this.#pass(scanner, scanner.at, first);
    const markdown = this.#markdown;
    const stops = this.#stops;
    let index = markdown.skip(text, scanner.at, stops);
    while (index < text.length) {
      const code = text.charCodeAt(index);
      if (!markdown.isInRun(code)) {
        const decision = this.#find(scanner, index);
        if (decision !== 'no') return decision;
      }
      markdown.read(code);
      index = markdown.skip(text, index + 1, stops);
    }
    this.#out.emit(scanner, text.length);
    return 'more';
  }

  #find(scanner: Scanner, index: number): MarkerDecision {
    const { text, ended } = scanner;
    for (const table of this.#options.tables) {
      const found = table.find(text, index, ended);
      if (found === 'more') this.#out.emit(scanner, index);
      const decision = typeof found === 'string' ? found : this.#take(scanner, index, found);
      if (decision !== 'no') return decision;
    }
    return 'no';
  }

  /** Takes the first meaning that counts here; one that takes only the beginning of the literal leaves it to the others. */
  #take(scanner: Scanner, index: number, { value, length }: Found<Meanings>): MarkerDecision {
    for (const given of value()) {
      if (!this.#judge.counts(given, scanner, index)) continue;
      if (this.#judge.around?.isWords(given.marker, scanner, index)) return 'no';
      const meaning = { length, ...given };
      const decision = this.#judge.judge(scanner, index, meaning);
      if (decision !== 'no') return this.#pass(scanner, index, { meaning, decision });
      if (meaning.marker.kind === 'closer') this.#judge.passCloser(scanner, index, meaning.length);
      if (meaning.length === length) break;
    }
    return 'no';
  }

  #pass(
    scanner: Scanner,
    index: number,
    { meaning, decision }: { readonly meaning: MeaningHere; readonly decision: Finding },
  ): Finding {
    const passed = typeof decision === 'string' ? {} : decision;
    if (this.#takesCalls && !('read' in passed) && passed.reasoning) {
      this.#out.emit(scanner, passed.end ?? index + meaning.length);
      this.#mentions?.part();
      return decision;
    }
    this.#out.emit(scanner, index);
    if (decision !== 'more' && !('read' in passed)) this.#passMarker(scanner, meaning, passed);
    return decision;
  }

  /** Consumes a marker that is no call. What may still turn out to be text is kept. */
  #passMarker(scanner: Scanner, { marker, length, of }: MeaningHere, passed: PassedMarker): void {
    const { end = scanner.at + length, section = false } = passed;
    if (marker.kind === 'reasoning' || marker.kind === 'silent') this.#judge.show(of);
    this.#judge.show(passed.of);
    const headed = end > scanner.at + length;
    this.#judge.around?.passMarker(marker, headed);
    const literal = scanner.text.slice(scanner.at, end);
    scanner.at = end;
    this.#mentions?.part();
    const endsTurn = marker.kind === 'turn-end';
    // It is text, too, where text follows.
    if (endsTurn) for (let at = 0; at < length; at += 1) this.#markdown.read(literal.charCodeAt(at));
    else this.#markdown.passMarker();
    if (section) this.#judge.around?.open(scanner, literal, headed);
    else if (endsTurn) this.#out.edge.pad(literal);
    else this.#out.edge.touch();
  }
}

const marks = new CharacterSet(markdownMarks);

/** Where anything may matter in visible text that is read past: a mark of Markdown, or what may become a marker. */
class Stops {
  readonly #markers: readonly MarkerTrie<unknown>[];
  readonly #starts = new CharacterSet(markdownMarks);

  constructor(markers: readonly MarkerTrie<unknown>[]) {
    this.#markers = markers;
    for (const trie of markers) this.#starts.addAll(trie.starts);
  }

  /** Index of the first such place from `from` on, or the length of the text. */
  find(text: string, from: number): number {
    let index = this.#starts.find(text, from);
    while (index < text.length && !this.#matters(text, index)) index = this.#starts.find(text, index + 1);
    return index;
  }

  /** A letter that some marker starts with is mostly that of a word. */
  #matters(text: string, index: number): boolean {
    if (marks.has(text.charCodeAt(index))) return true;
    for (const trie of this.#markers) if (trie.find(text, index, false) !== 'no') return true;
    return false;
  }
}
