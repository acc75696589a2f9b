import type { Sink } from '../../stream/stage.ts';
import type { ParseWatch, Span } from '../dialect.ts';
import type { Grammar, ReasoningEnds } from './grammar.ts';
import { CharacterSet, type Look, type Scanner } from './scanner.ts';

const noneShown: ReadonlySet<string> = new Set();

interface ReasoningTextOptions {
  readonly grammar: Grammar;
  readonly sink: Sink<Span>;
  /** Calls in it are reported. */
  readonly reports: boolean;
  readonly watch: ParseWatch | undefined;
}

/**
 * Reads the model's thinking up to its closer. Calls in it never fire; where calls are reported, the first one of a span is.
 * Where only calls are taken out of a text, it is text like any other, and so is its closer.
 */
export class ReasoningText {
  readonly #options: ReasoningTextOptions;
  #ends: ReasoningEnds;
  #callReported = false;
  /** What its ends can start with, and where calls are reported any marker. */
  #stops: CharacterSet;

  constructor(options: ReasoningTextOptions) {
    this.#options = options;
    this.#ends = options.grammar.openedReasoning;
    this.#stops = this.#ends.starts;
  }

  open(ends: ReasoningEnds): void {
    this.#ends = ends;
    const { reports, grammar } = this.#options;
    this.#callReported = !reports;
    this.#stops = new CharacterSet().addAll(ends.starts);
    if (reports) this.#stops.addAll(grammar.markers.starts);
  }

  /** `done` after the closer, or before what ends it without one. */
  read(scanner: Scanner): 'more' | 'done' {
    const { text } = scanner;
    for (let index = this.#find(text, scanner.at); index < text.length; index = this.#find(text, index + 1)) {
      const end = this.#ends.find(text, index, scanner.ended);
      if (end !== 'no') {
        this.#emit(scanner, index);
        if (end === 'more') return 'more';
        if (end.value === 'closer') this.#passCloser(scanner, index + end.length);
        return 'done';
      }
      const opens = this.#callReported ? 'no' : this.#opensCall(scanner, index);
      if (opens === 'more') {
        this.#emit(scanner, index);
        return 'more';
      }
      if (opens === 'yes') this.#reportCall(scanner, index);
    }
    this.#emit(scanner, text.length);
    return 'more';
  }

  #find(text: string, from: number): number {
    return this.#stops.find(text, from);
  }

  #opensCall(scanner: Scanner, index: number): Look {
    const found = this.#options.grammar.markers.find(scanner.text, index, scanner.ended);
    if (typeof found === 'string') return found;
    const marker = found.value().find(({ counts }) => counts === 'always')?.marker;
    if (marker?.kind !== 'opener') return 'no';
    const opening = marker.open(scanner, index, found.length, noneShown);
    return typeof opening === 'string' ? opening : 'read' in opening ? 'yes' : 'no';
  }

  #passCloser(scanner: Scanner, end: number): void {
    if (this.#options.grammar.takes === 'calls') this.#emit(scanner, end);
    scanner.at = end;
  }

  #emit(scanner: Scanner, to: number): void {
    const kind = this.#options.grammar.takes === 'calls' ? 'text' : 'reasoning';
    if (to > scanner.at) {
      this.#options.sink({ kind, text: scanner.text.slice(scanner.at, to) });
      this.#options.watch?.range(scanner.position(), scanner.position(to));
    }
    scanner.at = to;
  }

  #reportCall(scanner: Scanner, index: number): void {
    this.#emit(scanner, index);
    this.#callReported = true;
    this.#stops = this.#ends.starts;
    const at = scanner.position(index);
    const message = 'Call syntax in reasoning was not run.';
    this.#options.sink({ kind: 'warning', warning: { code: 'call-in-reasoning', message, at } });
  }
}
