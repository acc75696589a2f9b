import type { Sink } from '../../stage.ts';
import type { Span } from '../dialect.ts';
import type { Grammar } from './grammar.ts';
import type { Scanner } from './scanner.ts';

/** Reads the model's thinking up to its closer. Calls in it never fire; the first one of a span is told. */
export class ReasoningText {
  readonly #grammar: Grammar;
  readonly #sink: Sink<Span>;
  #close = '';
  #callTold = false;

  constructor(grammar: Grammar, sink: Sink<Span>) {
    this.#grammar = grammar;
    this.#sink = sink;
  }

  open(close: string): void {
    this.#close = close;
    this.#callTold = false;
  }

  /** `done` behind the closer. */
  read(scanner: Scanner): 'more' | 'done' {
    const { text } = scanner;
    const { markers } = this.#grammar;
    for (let index = scanner.at; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === this.#close.charCodeAt(0)) {
        const closing = scanner.look(this.#close, index);
        if (closing !== 'no') {
          this.#emit(scanner, index);
          if (closing === 'more') return 'more';
          scanner.at = index + this.#close.length;
          return 'done';
        }
      }
      if (this.#callTold || !markers.startsWith(code)) continue;
      const found = markers.find(text, index, scanner.ended);
      if (found === 'more') {
        this.#emit(scanner, index);
        return 'more';
      }
      if (found !== 'no' && found.value.kind === 'opener') this.#tellCall(scanner, index);
    }
    this.#emit(scanner, text.length);
    return 'more';
  }

  #emit(scanner: Scanner, to: number): void {
    if (to > scanner.at) this.#sink({ kind: 'reasoning', text: scanner.text.slice(scanner.at, to) });
    scanner.at = to;
  }

  #tellCall(scanner: Scanner, index: number): void {
    this.#emit(scanner, index);
    this.#callTold = true;
    const at = scanner.position(index);
    const message = 'Call syntax in reasoning was not run.';
    this.#sink({ kind: 'issue', issue: { code: 'call-in-reasoning', message, at } });
  }
}
