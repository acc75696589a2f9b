import { ArgumentsReader } from '../../../json/arguments-reader.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { mends } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { CallOpener, CallsForm } from '../../parser/create-grammar.ts';
import type { CallReader, Open, Progress } from '../../parser/grammar.ts';
import { ticks } from '../../parser/markers/fence.ts';
import { type Resume, resumeBehindPairs } from '../../parser/markers/pair-markers.ts';
import { type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { bareOpener } from '../bare-markers.ts';
import { LiteralArguments } from './literal-arguments.ts';
import { type Head, type LiteralBlock, LiteralCallEnd, type LiteralForm, readHead } from './literal-call-end.ts';
import { opensArguments, readCallHead } from './literal-head.ts';
import type { InnerCalls } from './literal-string.ts';

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

/** A list or a call stands behind the marker. */
function openMarked(block: LiteralBlock): Open {
  return (scanner, index, length) => {
    const next = scanner.behindSpace(index + length);
    if (typeof next === 'string') return next;
    const list = scanner.text[next] === '[';
    const head = readHead(block, scanner, list ? next + 1 : next);
    if (typeof head === 'string') return head;
    const tokens = block.bare === undefined ? {} : ({ tokens: 'there' } as const);
    return { end: head.end, ...tokens, read: (call) => new LiteralCall(block, { call, head, list }) };
  };
}

/** `[name(` stands at the start of a line, and behind it what only arguments are. */
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
  /** In front of the name of a further call. */
  #atHead = false;
  /** The call is over: what stands behind it is read. */
  #behind = false;
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

  /** Whatever stands in a broken call, its own closer ends it. */
  readonly resume = (raw: string): Resume => {
    return resumeBehindPairs(raw, this.#block);
  };

  read(scanner: Scanner): Progress {
    if (this.#atHead) {
      const head = readHead(this.#block, scanner, scanner.at);
      if (typeof head === 'string') return head === 'more' ? 'more' : 'broken';
      this.#arguments = this.#open(head);
      scanner.at = head.end;
      this.#atHead = false;
    }
    if (!this.#behind) {
      const progress = this.#arguments.read(scanner);
      if (progress !== 'done') return progress;
      this.#behind = true;
    }
    return this.#readBehind(scanner);
  }

  #open({ name, close, wrapper = '', mend }: Head): LiteralArguments {
    this.#wrapper = wrapper;
    const { syntax, closers, stops } = this.#block;
    const call = this.#call;
    if (mend !== undefined) call.mend(mend);
    const schema: SchemaView = call.named(name);
    const reader = new ArgumentsReader({
      schema,
      emit: (json) => call.arguments(json),
      issue: (code, message) => call.issue(code, message),
    });
    // What a string holds may well go on with a fence of its own behind a quotation mark.
    const tokens = closers.filter((closer) => closer !== ticks);
    const ends = this.#list ? tokens.flatMap((closer) => [closer, `]${closer}`]) : tokens;
    const mended = (how: string) => call.issue('call-mended', how);
    const unquoted = () => call.mend(mends.quotes);
    const inner = innerCalls(this.#block);
    const end = new LiteralCallEnd({
      ...{ block: this.#block, list: this.#list, wrapper },
      isDeclared: (each) => call.verdicts.declares(each),
    });
    const lookCall = end.look;
    return new LiteralArguments({ syntax, schema, reader, close, ends, lookCall, stops, inner, mended, unquoted });
  }

  /** Behind a call: another one, the end of the list, the closer. */
  #readBehind(scanner: Scanner): Progress {
    const next = scanner.behindSpace(scanner.at);
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
    const start = separated ? scanner.behindSpace(next + 1) : next;
    if (start === 'more') return 'more';
    if (start === 'no') return this.#finish(false);
    if (this.#list && scanner.text[start] === ']') return this.#closeList(scanner, start);
    const head = readCallHead(scanner, start, this.#block.syntax);
    if (head === 'more') return 'more';
    if (head === 'no') return this.#finish(false);
    scanner.at = start;
    this.#atHead = true;
    this.#behind = false;
    return 'again';
  }

  #closeWrapper(scanner: Scanner, index: number): Progress {
    scanner.at = index + 1;
    this.#wrapper = '';
    return this.#readBehind(scanner);
  }

  #closeList(scanner: Scanner, index: number): Progress {
    if (this.#block.opener === '') {
      // What looked like a list is the text of a Markdown link, or names the target of one.
      const link = lookFor(scanner, index, ['](', ']:']);
      if (link !== 'no') return link === 'more' ? 'more' : 'broken';
    }
    scanner.at = index + 1;
    this.#listClosed = true;
    return this.#readBehind(scanner);
  }

  #finish(closed: boolean): Progress {
    const whole = this.#wrapper === '' && (closed || this.#block.closers.length === 0);
    if (!whole || (this.#list && !this.#listClosed)) this.#call.mend(mends.closer);
    return 'done';
  }
}
