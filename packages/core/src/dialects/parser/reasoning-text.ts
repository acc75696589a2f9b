import type { Sink } from '../../stream/stage.ts';
import type { ParseWatch, Span } from '../dialect.ts';
import type { Grammar, ReasoningEnds } from './grammar.ts';
import { CharacterSet, type Look, type Scanner } from './scanner.ts';

const noneShown: ReadonlySet<string> = new Set();

interface ReasoningTextOptions {
  readonly grammar: Grammar;
  readonly sink: Sink<Span>;
  readonly ends: ReasoningEnds;
  /** Calls in it are reported. */
  readonly reports: boolean;
  readonly watch: ParseWatch | undefined;
}

/**
 * Reads a span of the model's thinking up to its closer. Calls in it never fire; where calls are reported, the first one is.
 * Where only calls are taken out of a text, it is text like any other, and so is its closer.
 */
export class ReasoningText {
  readonly #options: ReasoningTextOptions;
  /** A call in it is still to be reported. */
  #reports: boolean;
  /** What its ends can start with, and where calls are reported any marker. */
  #stops: CharacterSet;

  constructor(options: ReasoningTextOptions) {
    const { ends, reports, grammar } = options;
    this.#options = options;
    this.#reports = reports;
    this.#stops = reports ? new CharacterSet().addAll(ends.starts).addAll(grammar.markers.starts) : ends.starts;
  }

  /** `done` after the closer, or before what ends it without one. */
  read(scanner: Scanner): 'more' | 'done' {
    const { text, ended } = scanner;
    const stop = (from: number) => this.#stops.find(text, from);
    for (let index = stop(scanner.at); index < text.length; index = stop(index + 1)) {
      const end = this.#options.ends.find(text, index, ended);
      if (typeof end !== 'string') {
        this.#emit(scanner, index);
        if (end.value === 'closer') this.#passCloser(scanner, index + end.length);
        return 'done';
      }
      const opens = end === 'no' && this.#reports ? this.#opensCall(scanner, index) : end;
      if (opens === 'no') continue;
      this.#emit(scanner, index);
      if (opens === 'more') return 'more';
      this.#reportCall(scanner);
    }
    this.#emit(scanner, text.length);
    return 'more';
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

  #reportCall(scanner: Scanner): void {
    this.#reports = false;
    this.#stops = this.#options.ends.starts;
    const message = 'Call syntax in reasoning was not run.';
    this.#options.sink({ kind: 'warning', warning: { code: 'call-in-reasoning', message, at: scanner.position() } });
  }
}
