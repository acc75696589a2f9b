import { ArgumentsReader } from '../../../json/arguments-reader.ts';
import { isSpace } from '../../../json/json-characters.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { repairs } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { backticks } from '../../parser/documentation/fenced-code.ts';
import type { CallOpener, CallReader, CallsForm, Open, OpenValue, Progress } from '../../parser/grammar.ts';
import { type Resume, resumeAfterPairs } from '../../parser/markers/closers.ts';
import { type Look, look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { LiteralArguments } from './literal-arguments.ts';
import type { InnerCalls } from './literal-string.ts';
import {
  bareOpener,
  breaksLine,
  type CallHead,
  type Ending,
  isSign,
  type LiteralSyntax,
  opensArguments,
  type Passed,
  readCallHead,
} from './literal-syntax.ts';

/** Calls as a language writes them, one after the other or in a list. */
export function literalCalls(form: LiteralForm): CallsForm {
  return ({ ends }) => {
    const stops = [...form.openers, ...ends];
    const openMarker = (opener: string) => openMarked({ ...form, opener, stops });
    const marked = form.openers.map((opener): CallOpener => ({ literal: opener, open: openMarker(opener) }));
    const open = openBare({ ...form, opener: '', closers: [], stops });
    const bare = (form.bare ?? []).map(
      (name): CallOpener => ({ literal: bareOpener(name), place: 'line-start', open }),
    );
    return { openers: [...marked, ...bare], closers: form.closers };
  };
}

/** A list or a call comes after the marker. */
function openMarked(block: LiteralBlock): Open {
  return (scanner, index, length) => {
    const next = scanner.afterSpace(index + length);
    if (typeof next === 'string') return next;
    const list = scanner.text[next] === '[';
    const head = readHead(block, scanner, list ? next + 1 : next);
    if (typeof head === 'string') return head;
    const tokens = block.bare === undefined ? {} : ({ tokens: 'there' } as const);
    return { end: head.end, ...tokens, read: (call) => new LiteralCall(block, { call, head, list }) };
  };
}

/** `[name(` is at the start of a line, and after it what only arguments are. */
function openBare(block: LiteralBlock): Open {
  return (scanner, index) => {
    const head = readCallHead(scanner, index + 1, block.syntax);
    if (typeof head === 'string') return head;
    const opens = opensArguments(scanner, head, block.syntax);
    if (opens !== 'yes') return opens;
    return { end: head.end, tokens: 'missing', read: (call) => new LiteralCall(block, { call, head, list: true }) };
  };
}

/** How calls of the form are known inside a string; not at all where they have no markers of their own. */
function innerCalls({ syntax, openers, closers }: LiteralForm): InnerCalls | undefined {
  if (openers.length === 0 || closers.length === 0) return undefined;
  const opens = (scanner: Scanner, index: number): Look => {
    const opener = lookFor(scanner, index, openers);
    const head = typeof opener === 'number' ? readCallHead(scanner, opener, syntax) : opener;
    return typeof head === 'string' ? head : 'yes';
  };
  return { opens, starts: [...openers, ...closers].map((literal) => literal.charCodeAt(0)), closers };
}

class LiteralCall implements CallReader {
  readonly #block: LiteralBlock;
  readonly #call: CallWriter;
  readonly #list: boolean;
  #arguments: LiteralArguments;
  /** Before the name of a further call. */
  #atHead = false;
  /** The call is over: what comes after it is read. */
  #after = false;
  /** The bracket that closes the wrapper around the call; empty where none is open. */
  #wrapper = '';
  /** The bracket that closes the list was read. */
  #listClosed = false;

  constructor(
    block: LiteralBlock,
    { call, head, list }: { readonly call: CallWriter; readonly head: Head; readonly list: boolean },
  ) {
    this.#block = block;
    this.#call = call;
    this.#list = list;
    this.#arguments = this.#open(head);
  }

  /** Whatever is in a broken call, its own closer ends it. */
  readonly resume = (raw: string): Resume => {
    return resumeAfterPairs(raw, this.#block);
  };

  get inside(): OpenValue | undefined {
    return this.#atHead || this.#after ? undefined : this.#arguments.inside;
  }

  read(scanner: Scanner): Progress {
    if (this.#atHead) {
      const head = readHead(this.#block, scanner, scanner.at);
      if (typeof head === 'string') return head === 'more' ? 'more' : 'broken';
      this.#arguments = this.#open(head);
      scanner.at = head.end;
      this.#atHead = false;
    }
    if (!this.#after) {
      const progress = this.#arguments.read(scanner);
      if (progress !== 'done') return progress;
      this.#after = true;
    }
    return this.#readAfter(scanner);
  }

  #open({ name, close, wrapper = '', repair }: Head): LiteralArguments {
    this.#wrapper = wrapper;
    const { syntax, closers, stops } = this.#block;
    const call = this.#call;
    if (repair !== undefined) call.repair(repair);
    const schema: SchemaView = call.named(name);
    const reader = new ArgumentsReader({
      schema,
      emit: (json) => call.arguments(json),
      warning: (code, message) => call.warning(code, message),
    });
    // What a string holds may well go on with a fence of its own after a quotation mark.
    const tokens = closers.filter((closer) => closer !== backticks);
    const ends = this.#list ? tokens.flatMap((closer) => [closer, `]${closer}`]) : tokens;
    const repaired = (how: string) => call.warning('call-repaired', how);
    const unquoted = () => call.repair(repairs.quotes);
    const inner = innerCalls(this.#block);
    const end = new LiteralCallEnd({
      ...{ block: this.#block, list: this.#list, wrapper },
      isDeclared: (each) => call.decisions.declares(each),
    });
    const lookCall = end.look;
    return new LiteralArguments({ syntax, schema, reader, close, ends, lookCall, stops, inner, repaired, unquoted });
  }

  /** After a call: another one, the end of the list, the closer. */
  #readAfter(scanner: Scanner): Progress {
    const next = scanner.afterSpace(scanner.at);
    if (next === 'more') return 'more';
    if (next === 'no') return this.#finish(false);
    if (this.#wrapper !== '' && scanner.text[next] === this.#wrapper) return this.#closeWrapper(scanner, next);
    const closer = lookFor(scanner, next, this.#block.closers);
    if (closer === 'more') return 'more';
    if (closer !== 'no') {
      scanner.at = closer;
      return this.#finish(true);
    }
    const character = scanner.text[next];
    if (this.#listClosed) return this.#finish(false);
    if (this.#list && character === ']') return this.#closeList(scanner, next);
    const separated = character === ',' || character === ';';
    if (this.#list && !separated) return this.#finish(false);
    const start = separated ? scanner.afterSpace(next + 1) : next;
    if (start === 'more') return 'more';
    if (start === 'no') return this.#finish(false);
    if (this.#list && scanner.text[start] === ']') return this.#closeList(scanner, start);
    const head = readCallHead(scanner, start, this.#block.syntax);
    if (head === 'more') return 'more';
    if (head === 'no') return this.#finish(false);
    scanner.at = start;
    this.#atHead = true;
    this.#after = false;
    return 'again';
  }

  #closeWrapper(scanner: Scanner, index: number): Progress {
    scanner.at = index + 1;
    this.#wrapper = '';
    return this.#readAfter(scanner);
  }

  #closeList(scanner: Scanner, index: number): Progress {
    if (this.#block.opener === '') {
      // What looked like a list is the text of a Markdown link, or names the target of one.
      const link = lookFor(scanner, index, ['](', ']:']);
      if (link !== 'no') return link === 'more' ? 'more' : 'broken';
    }
    scanner.at = index + 1;
    this.#listClosed = true;
    return this.#readAfter(scanner);
  }

  #finish(closed: boolean): Progress {
    const whole = this.#wrapper === '' && (closed || this.#block.closers.length === 0);
    if (!whole || (this.#list && !this.#listClosed)) this.#call.repair(repairs.closer);
    return 'done';
  }
}

/** How a dialect writes calls as a language does. */
interface LiteralForm {
  readonly syntax: LiteralSyntax;
  /** Before the calls. */
  readonly openers: readonly string[];
  /** After them; may be missing. */
  readonly closers: readonly string[];
  /** A list that begins with a call of one of these tools may be without an opener, at the start of a line. */
  readonly bare?: readonly string[];
  /** Functions that are around calls and mean nothing: `print(read())`. */
  readonly wrappers?: readonly string[];
}

/** A form with the opener that was found. */
interface LiteralBlock extends LiteralForm {
  readonly opener: string;
  /** What can be in no call. */
  readonly stops: readonly string[];
}

/** The head of a call, perhaps inside a wrapper: then with the bracket that closes it. */
interface Head extends CallHead {
  readonly wrapper?: string;
}

/** The head of a call from `index` on. Consumes nothing. */
function readHead({ syntax, wrappers = [] }: LiteralBlock, scanner: Scanner, index: number): Head | 'no' | 'more' {
  const head = readCallHead(scanner, index, syntax);
  if (typeof head === 'string' || !wrappers.includes(head.name)) return head;
  const inner = readCallHead(scanner, head.end, syntax);
  if (inner === 'more') return 'more';
  return inner === 'no' ? head : { ...inner, wrapper: head.close };
}

/** What a call consists of so far. */
interface Options {
  readonly block: LiteralBlock;
  /** It is in a list that is open. */
  readonly list: boolean;
  /** The bracket that closes the wrapper around it; empty where none is open. */
  readonly wrapper: string;
  readonly isDeclared: (name: string) => boolean;
}

/** Says whether a call ends where the bracket of its arguments stands: whether all that follows may follow there. */
class LiteralCallEnd {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does a literal end before the bracket of the arguments, by what comes after that: does the call end there? */
  readonly look = (scanner: Scanner, index: number, passed: Passed): Ending => {
    let from = index;
    let at = scanner.afterSpace(from);
    if (this.#options.wrapper !== '' && typeof at === 'number' && scanner.text[at] === this.#options.wrapper) {
      from = at + 1;
      at = scanner.afterSpace(from);
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
      const prefixed = prefix === '' ? 'no' : look(scanner, prefix, at);
      if (prefixed !== 'yes') return prefixed === 'more' ? 'more' : this.#lookProse(scanner, from, passed);
    }
    const start = separated ? scanner.afterSpace(at + 1) : at;
    if (start === 'more') return 'more';
    if (start !== 'no' && this.#options.list && scanner.text[start] === ']')
      return this.#lookListEnd(scanner, start + 1, passed);
    const next = start === 'no' ? 'no' : this.#lookNextCall(scanner, start, passed);
    return next === 'no' && !this.#options.list ? this.#lookProse(scanner, from, passed) : next;
  };

  /**
   * Nothing of the call can come any more: its closer, something that is in no call, or the end of the reply. `open`:
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
    if (typeof closer === 'number') return closers.includes(backticks) && passed === 'odd' ? 'no' : 'yes';
    if (closer === 'more') return 'more';
    const stop = lookFor(scanner, at, stops);
    if (typeof stop === 'string') return stop;
    return open && !clean ? 'unclear' : 'yes';
  }

  /** The bracket of the list ends before `from`. */
  #lookListEnd(scanner: Scanner, from: number, passed: Passed): Ending {
    const at = scanner.afterSpace(from);
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

  /** Prose, or another closer, after a call whose own end is missing, or that has none. */
  #lookProse(scanner: Scanner, from: number, passed: Passed): Ending {
    const breaks = breaksLine(scanner, from);
    if (passed !== 'none') return passed === 'pairs' && breaks ? 'perhaps' : 'no';
    if (this.#options.block.closers.length > 0) return breaks || isSign(scanner, from, '<') ? 'perhaps' : 'no';
    return breaks || isSpace(scanner.text.charCodeAt(from)) ? 'perhaps' : 'no';
  }
}
