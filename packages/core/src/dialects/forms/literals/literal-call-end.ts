import { ticks } from '../../parser/markers/fence.ts';
import { isSpace, lookFor, type Scanner } from '../../parser/scanner.ts';
import { breaksLine, type Ending, type Passed } from './literal-ending.ts';
import { type CallHead, isSign, opensArguments, readCallHead } from './literal-head.ts';
import type { LiteralSyntax } from './literal-syntax.ts';

/** How a dialect writes calls as a language does. */
export interface LiteralForm {
  readonly syntax: LiteralSyntax;
  /** In front of the calls. */
  readonly openers: readonly string[];
  /** Behind them; may be missing. */
  readonly closers: readonly string[];
  /** A list that begins with a call of one of these tools may stand without an opener, at the start of a line. */
  readonly bare?: readonly string[];
  /** Functions that stand around calls and mean nothing: `print(read())`. */
  readonly wrappers?: readonly string[];
}

/** A form with the opener that was found. */
export interface LiteralBlock extends LiteralForm {
  readonly opener: string;
  /** What can stand in no call. */
  readonly stops: readonly string[];
}

/** The head of a call, perhaps inside a wrapper: then with the bracket that closes it. */
export interface Head extends CallHead {
  readonly wrapper?: string;
}

/** The head of a call from `index` on. Consumes nothing. */
export function readHead(
  { syntax, wrappers = [] }: LiteralBlock,
  scanner: Scanner,
  index: number,
): Head | 'no' | 'more' {
  const head = readCallHead(scanner, index, syntax);
  if (typeof head === 'string' || !wrappers.includes(head.name)) return head;
  const inner = readCallHead(scanner, head.end, syntax);
  if (inner === 'more') return 'more';
  return inner === 'no' ? head : { ...inner, wrapper: head.close };
}

/** What a call consists of so far. */
interface Options {
  readonly block: LiteralBlock;
  /** It stands in a list that is open. */
  readonly list: boolean;
  /** The bracket that closes the wrapper around it; empty where none is open. */
  readonly wrapper: string;
  readonly isDeclared: (name: string) => boolean;
}

/** Says whether a call ends where the bracket of its arguments stands: whether all that follows may follow there. */
export class LiteralCallEnd {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does a literal end in front of the bracket of the arguments, by what stands behind that: does the call end there? */
  readonly look = (scanner: Scanner, index: number, passed: Passed): Ending => {
    let from = index;
    let at = scanner.behindSpace(from);
    if (this.#options.wrapper !== '' && typeof at === 'number' && scanner.text[at] === this.#options.wrapper) {
      from = at + 1;
      at = scanner.behindSpace(from);
    }
    if (at === 'more') return 'more';
    if (at === 'no') return this.#lookProse(scanner, from, passed);
    const over = this.#lookOver(scanner, at, { passed, open: this.#options.list });
    if (over !== 'no') return over;
    if (this.#options.list && scanner.text[at] === ']') return this.#lookListEnd(scanner, at + 1, passed);
    const separated = scanner.text[at] === ',' || scanner.text[at] === ';';
    if (!separated && this.#options.list) return 'no';
    if (!separated && !breaksLine(scanner, from)) {
      const { prefix } = this.#options.block.syntax;
      const prefixed = prefix === '' ? 'no' : scanner.look(prefix, at);
      if (prefixed !== 'yes') return prefixed === 'more' ? 'more' : this.#lookProse(scanner, from, passed);
    }
    const start = separated ? scanner.behindSpace(at + 1) : at;
    if (start === 'more') return 'more';
    if (start !== 'no' && this.#options.list && scanner.text[start] === ']')
      return this.#lookListEnd(scanner, start + 1, passed);
    const next = start === 'no' ? 'no' : this.#lookNextCall(scanner, start, passed);
    return next === 'no' && !this.#options.list ? this.#lookProse(scanner, from, passed) : next;
  };

  /**
   * Nothing of the call can come any more: its closer, something that stands in no call, or the end of the reply. `open`:
   * the bracket of the list is missing.
   */
  #lookOver(
    scanner: Scanner,
    at: number,
    { passed, open }: { readonly passed: Passed; readonly open: boolean },
  ): Ending {
    const { closers, stops } = this.#options.block;
    const clean = passed === 'none';
    if (at === scanner.text.length) {
      // What is missing may have been the rest of the literal.
      const doubts = [scanner.cut, !clean, closers.length > 0 || open].filter((doubt) => doubt);
      return doubts.length > 1 ? 'unclear' : 'yes';
    }
    const closer = lookFor(scanner, at, closers);
    // A fence opens and closes inside of strings, too.
    if (typeof closer === 'number') return closers.includes(ticks) && passed === 'odd' ? 'no' : 'yes';
    if (closer === 'more') return 'more';
    const stop = lookFor(scanner, at, stops);
    if (typeof stop === 'string') return stop;
    return open && !clean ? 'unclear' : 'yes';
  }

  /** The bracket of the list ends in front of `from`. */
  #lookListEnd(scanner: Scanner, from: number, passed: Passed): Ending {
    const at = scanner.behindSpace(from);
    if (at === 'more') return 'more';
    if (at === 'no') return this.#lookProse(scanner, from, passed);
    const over = this.#lookOver(scanner, at, { passed, open: false });
    if (over !== 'no') return over;
    if (this.#options.block.opener === '' && scanner.text[at] === '[') {
      const next = this.#lookNextCall(scanner, at + 1, passed);
      if (next !== 'no') return next;
    }
    return this.#lookProse(scanner, from, passed);
  }

  /** Another call begins at `start`: one of a declared tool, or one whose parameter has its sign. */
  #lookNextCall(scanner: Scanner, start: number, passed: Passed): Ending {
    const head = readHead(this.#options.block, scanner, start);
    if (typeof head === 'string') return head;
    const opens = opensArguments(scanner, head, this.#options.block.syntax);
    if (opens === 'more') return 'more';
    const declared = this.#options.isDeclared(head.name);
    const named = opens === 'yes' && scanner.text[scanner.skipSpace(head.end)] !== head.close;
    if (passed === 'none') return named || declared ? 'yes' : 'unclear';
    if (opens === 'no') return declared ? 'unclear' : 'no';
    return passed === 'odd' || !declared ? 'unclear' : 'yes';
  }

  /** Prose, or another closer, behind a call whose own end is missing, or that has none. */
  #lookProse(scanner: Scanner, from: number, passed: Passed): Ending {
    const breaks = breaksLine(scanner, from);
    if (passed !== 'none') return passed === 'pairs' && breaks ? 'perhaps' : 'no';
    if (this.#options.block.closers.length > 0) return breaks || isSign(scanner, from, '<') ? 'perhaps' : 'no';
    return breaks || isSpace(scanner.text.charCodeAt(from)) ? 'perhaps' : 'no';
  }
}
