import { closes } from '../../parser/markers/positional-closer.ts';
import { lookFor, type Scanner } from '../../parser/scanner.ts';
import { bareName } from './tag-header.ts';
import type { TaggedGrammar } from './tagged-form.ts';
import type { ValueReader } from './text-value.ts';

const readName = bareName({ ends: ['>'] });

/** Where a value without an opener goes. */
export interface UnnamedValueOptions {
  readonly grammar: TaggedGrammar;
  /** Closers of the lists and objects that the value is part of. */
  readonly outer: readonly string[];
  /** The value is whole, and its closer has told its name. */
  readonly named: (name: string, text: string) => void;
  /** It was no value: other structure stands behind the text. */
  readonly stray: () => void;
}

/** What ends the text: its own closer, or other structure. */
type Stop = { readonly name: string; readonly end: number } | 'stray';

/**
 * Reads a value whose opener is missing, behind the marker that should stand in front of it: `MvalueM</name>`. Only its
 * closer tells its name, so nothing of it leaves before.
 */
export class UnnamedValue implements ValueReader {
  readonly #options: UnnamedValueOptions;
  readonly #pieces: string[] = [];

  constructor(options: UnnamedValueOptions) {
    this.#options = options;
  }

  read(scanner: Scanner): 'more' | 'done' {
    const { text } = scanner;
    const { starts } = this.#options.grammar.structure;
    for (let index = starts.find(text, scanner.at); index < text.length; index = starts.find(text, index + 1)) {
      const stop = this.#stopAt(scanner, index);
      if (stop === 'on') continue;
      this.#take(scanner, index);
      if (stop === 'more') return 'more';
      this.#finish(scanner, stop);
      return 'done';
    }
    this.#take(scanner, text.length);
    return 'more';
  }

  #stopAt(scanner: Scanner, index: number): Stop | 'on' | 'more' {
    const { grammar, outer } = this.#options;
    const found = grammar.structure.find(scanner.text, index, scanner.ended);
    if (typeof found === 'string') return found === 'no' ? 'on' : 'more';
    if (found.value.kind === 'unnamed') return 'on';
    if (found.value.kind !== 'value-closer') return 'stray';
    const outside = lookFor(scanner, index, outer);
    if (outside !== 'no') return outside === 'more' ? 'more' : 'stray';
    const header = readName(scanner, index + found.length);
    if (typeof header === 'string') return header === 'no' ? 'on' : 'more';
    const end = closes(scanner, index, grammar.closer(header.name, outer));
    return typeof end === 'number' ? { name: header.name, end } : end === 'no' ? 'on' : 'more';
  }

  #take(scanner: Scanner, to: number): void {
    this.#pieces.push(scanner.text.slice(scanner.at, to));
    scanner.at = to;
  }

  #finish(scanner: Scanner, stop: Stop): void {
    if (stop === 'stray') {
      this.#options.stray();
      return;
    }
    scanner.at = stop.end;
    this.#options.named(stop.name, this.#pieces.join(''));
  }
}
