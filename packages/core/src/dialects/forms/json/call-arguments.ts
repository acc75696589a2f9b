import { ArgumentsReader } from '../../../json/arguments-reader.ts';
import { afterAll } from '../../../json/inner-quotes.ts';
import { JsonReader } from '../../../json/json-reader.ts';
import { parsedJson } from '../../../json/parsed-json.ts';
import type { AfterValue, QuoteEnd, ReaderState } from '../../../json/reader-options.ts';
import { SchemaView } from '../../../json/schema.ts';
import { isKeywords } from '../../../json/schema-document.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { backticks } from '../../parser/documentation/fenced-code.ts';
import type { OpenValue } from '../../parser/grammar.ts';
import { findLiteral, longestGap, lookFor, Scanner } from '../../parser/scanner.ts';
import { readKey } from './call-keys.ts';

/** Reads the value of one field of a call object from the scanner. */
export interface FieldReader {
  read(scanner: Scanner): 'open' | 'done' | 'broken';
  /** The value is broken: closes its brackets where only these are missing. */
  closeContainers(): boolean;
  /** As for a call. */
  readonly inside?: OpenValue | undefined;
}

/** A value that is looked at when it is whole. */
export class WholeField implements FieldReader {
  /** Its JSON text. */
  text = '';
  readonly #warnings: Parameters<CallWriter['warning']>[] = [];
  readonly #reader = new JsonReader({
    schema: SchemaView.any,
    emit: (json) => {
      this.text += json;
    },
    warning: (...warning) => this.#warnings.push(warning),
  });

  /** The names of its members, where it is an object or a string that holds one. */
  get memberNames(): readonly string[] {
    const { value } = this;
    return isKeywords(value) ? Object.keys(value) : [];
  }

  /** The value itself. */
  get plainValue(): unknown {
    return JSON.parse(this.text);
  }

  /** Itself, or what the string holds that may hold an object; undefined where that is no JSON. */
  get value(): unknown {
    return this.text.startsWith('"{') ? parsedJson(stringOf(this.text) ?? '') : this.plainValue;
  }

  /** It is an object, a string that may hold one, or nothing. */
  get mayBeArguments(): boolean {
    const { text } = this;
    return text.startsWith('{') || text.startsWith('"{') || text === 'null';
  }

  read(scanner: Scanner): 'open' | 'done' | 'broken' {
    scanner.at = this.#reader.read(scanner.text, scanner.at);
    return this.#reader.state;
  }

  closeContainers(): boolean {
    return this.#reader.closeContainers();
  }

  /** The value counts, so what was repaired in it is reported. */
  reportWarnings(call: CallWriter): void {
    for (const warning of this.#warnings) call.warning(...warning);
  }
}

/** The text of a JSON string; undefined for all else. */
export function stringOf(json: string): string | undefined {
  return json.startsWith('"') ? String(JSON.parse(json)) : undefined;
}

/** The arguments: their JSON leaves as it is read. */
export class ArgumentsField implements FieldReader {
  readonly #reader: ArgumentsReader;
  readonly #after: AfterArguments;

  constructor(
    call: CallWriter,
    { schema, after }: { readonly schema: SchemaView; readonly after: AfterArgumentsForm },
  ) {
    this.#after = new AfterArguments(after, call);
    this.#reader = argumentsReader(call, { schema, after: this.#after });
  }

  get state(): ReaderState {
    return this.#reader.state;
  }

  get inside(): OpenValue | undefined {
    return this.#reader.plain ? this.#reader : undefined;
  }

  read(scanner: Scanner): ReaderState {
    this.#after.read(scanner, this.#reader);
    return this.#reader.state;
  }

  closeContainers(): boolean {
    return this.#reader.closeContainers();
  }

  /** There are none. */
  end(): void {
    this.#reader.end();
  }
}

/** Reads arguments that have come before as a whole. False when the value cannot be arguments. */
export function readArguments(call: CallWriter, schema: SchemaView, json: string): boolean {
  const reader = argumentsReader(call, { schema });
  reader.read(json, 0);
  reader.end();
  return reader.state === 'done';
}

function argumentsReader(
  call: CallWriter,
  options: { readonly schema: SchemaView; readonly after?: AfterArguments },
): ArgumentsReader {
  return new ArgumentsReader({
    emit: (json) => call.arguments(json),
    warning: (code, message) => call.warning(code, message),
    ...options,
  });
}

/** What comes after the arguments of a call. */
export interface AfterArgumentsForm {
  /** The call's own closers. */
  readonly closers: readonly string[];
  /** What else ends a call, or opens another one. Default: nothing. */
  readonly ends?: readonly string[];
  /** A Markdown fence may be around the call. Default false. */
  readonly fenced?: boolean | undefined;
  /** The arguments are in an object with such keys, or in a list of such objects. Default: they are alone. */
  readonly isKey?: ((key: string) => boolean) | undefined;
}

/** What reads arguments as they come. */
interface Reader {
  read(text: string, at: number): number;
}

/** So far behind a call without a closer is looked for one that shows that its last string was longer. */
const longestDoubt = 2048;

/** No marker is longer, in UTF-16 units. */
const longestMarker = 256;

/** Up to here a look-ahead is tried anew with each character, beyond it when an eighth more has come: work stays linear. */
const shortLook = 64;

/** Tells from a scanner whether the arguments of a call are over, and reads them from it. */
class AfterArguments implements AfterValue {
  readonly #form: AfterArgumentsForm;
  readonly #call: CallWriter;
  #scanner = new Scanner();
  /** Where in the reply more text is waited for, and how much. */
  #waitsAt = -1;
  /** The call's own closers, and that of the fence around it. */
  readonly #closers: readonly string[];
  readonly #markers: readonly string[];
  /** Where in the reply the arguments begin, and up to where no marker is in them. */
  #start = -1;
  #clearTo = 0;
  #enough = 0;

  constructor(form: AfterArgumentsForm, call: CallWriter) {
    const { closers, ends = [], fenced } = form;
    this.#form = form;
    this.#closers = fenced ? [...closers, backticks] : closers;
    this.#markers = [...closers, ...ends].filter((literal) => literal !== '');
    this.#call = call;
  }

  /** Reads on, as far as what has come tells. */
  read(scanner: Scanner, reader: Reader): void {
    this.#scanner = scanner;
    if (this.#start < 0) this.#start = scanner.position();
    const come = scanner.text.length - scanner.at;
    const waits = scanner.position() === this.#waitsAt && !scanner.ended && !scanner.bounded;
    if (waits && come < this.#enough) return;
    scanner.at = reader.read(scanner.text, scanner.at);
    const left = scanner.text.length - scanner.at;
    this.#waitsAt = scanner.position();
    this.#enough = left < shortLook ? 0 : left + (left >> 3);
  }

  readonly ended = (): boolean => this.#scanner.ended;

  /** Not after a marker: there, the string has swallowed the rest of its call, or shows others. */
  readonly mayHold = (index: number): boolean => {
    // Of a call that has become text, or an answer, what was read is not kept: nothing hangs on cuts, and nothing runs.
    if (!this.#call.kept) return true;
    const scanner = this.#scanner;
    const from = Math.max(this.#start, this.#clearTo - longestMarker);
    const { text, end } = this.#call.holdQuotes(from);
    const unread = scanner.text.slice(Math.max(end, from) - scanner.position(0), index);
    this.#clearTo = scanner.position(index);
    return !this.#markers.some((marker) => findLiteral(text + unread, marker, 0) !== undefined);
  };

  readonly closes = (index: number): QuoteEnd => {
    const end = lookFor(this.#scanner, index, this.#closers);
    return typeof end === 'number' ? 'yes' : end;
  };

  readonly ends = (
    index: number,
    { brackets, repaired }: { readonly brackets: string; readonly repaired: boolean },
  ): QuoteEnd => {
    const scanner = this.#scanner;
    // Around the arguments stands what is closed by brackets as well.
    const at = this.#form.isKey === undefined ? scanner.skipSpace(index) : afterBrackets(scanner, index);
    if (at >= scanner.text.length) return !scanner.ended ? 'more' : repaired && scanner.cut ? 'unclear' : 'yes';
    const closes = this.closes(at);
    if (closes !== 'no') return closes;
    const end = lookFor(scanner, at, this.#markers);
    if (end !== 'no') return end === 'more' ? end : 'yes';
    const goesOn = this.#form.isKey === undefined ? 'no' : this.#lookOn(at, repaired);
    if (goesOn !== 'no') return goesOn;
    return repaired ? 'no' : this.#lookLater(at, brackets);
  };

  /** Is another field of the call, or another call, at `at`? */
  #lookOn(at: number, repaired: boolean): QuoteEnd {
    const scanner = this.#scanner;
    const sign = scanner.text.charAt(at);
    if (!',;{'.includes(sign)) return 'no';
    const next = sign === '{' ? at : scanner.afterSpace(at + 1);
    if (typeof next === 'string') return next;
    const opens = scanner.text[next] === '{';
    const key = opens ? scanner.afterSpace(next + 1) : next;
    if (typeof key === 'string') return key;
    const found = readKey(scanner, key);
    if (typeof found === 'string') return found;
    const colon = scanner.afterSpace(found.end);
    if (typeof colon === 'string') return colon;
    if (scanner.text[colon] !== ':') return 'no';
    return !(opens || repaired) || this.#form.isKey?.(found.text) ? 'yes' : 'no';
  }

  /**
   * What is at `from` belongs to no call. With a quotation mark in it, before the call's closer, the last string was
   * longer; without a closer nobody can tell where another one may end the string as well.
   */
  #lookLater(from: number, brackets: string): QuoteEnd {
    const { text, ended } = this.#scanner;
    const last = Math.min(text.length, from + longestDoubt);
    let hasQuote = false;
    let mayEnd = false;
    for (let index = from; index < last; index += 1) {
      const closes = this.closes(index);
      if (closes !== 'no') return closes === 'more' || !hasQuote ? closes : 'no';
      const bare = this.#opensBare(index);
      const stop = bare === 'no' ? lookFor(this.#scanner, index, this.#markers) : bare;
      if (stop === 'more') return stop;
      if (stop !== 'no') return mayEnd ? 'unclear' : 'yes';
      if (text[index] !== '"') continue;
      hasQuote = true;
      const ends = this.#mayEnd(index + 1, brackets);
      if (ends === 'more') return ends;
      mayEnd ||= ends === 'yes';
    }
    if (text.length < from + longestDoubt + longestGap && !ended) return 'more';
    return mayEnd ? 'unclear' : 'yes';
  }

  /** May a string end before `from`, by the brackets, or the next member, that are there? */
  #mayEnd(from: number, brackets: string): QuoteEnd {
    const scanner = this.#scanner;
    const end = afterAll(scanner.text, from, brackets);
    const at = afterBrackets(scanner, end ?? from);
    if (scanner.wantsMore(at)) return 'more';
    if (end !== undefined && (this.#form.isKey === undefined || scanner.text.slice(end, at).trim() !== ''))
      return 'yes';
    return scanner.text[at] === ',' ? this.#lookOn(at, false) : 'no';
  }

  /** A further call without a marker may be at the start of a line. */
  #opensBare(index: number): QuoteEnd {
    const { text } = this.#scanner;
    const { closers, isKey } = this.#form;
    const isBare = closers.length === 0 && isKey !== undefined;
    return isBare && text[index] === '{' && text[index - 1] === '\n' ? this.#lookOn(index, false) : 'no';
  }
}

/** Index after white space and closing brackets. */
function afterBrackets(scanner: Scanner, index: number): number {
  let at = scanner.skipSpace(index);
  while (scanner.text[at] === '}' || scanner.text[at] === ']') at = scanner.skipSpace(at + 1);
  return at;
}
