import type { ArgumentsReader } from '../../../json/arguments-reader.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import type { OpenValue } from '../../parser/grammar.ts';
import { look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { type InnerCalls, LiteralString } from './literal-string.ts';
import {
  type After,
  type Ending,
  isSign,
  type LiteralSyntax,
  longestName,
  lookBehind,
  nameEnd,
  type Passed,
  type Quote,
  type Sign,
} from './literal-syntax.ts';
import { LiteralValue } from './literal-value.ts';

/** What stands next among the arguments. */
type State =
  /** A parameter, or the bracket that closes the arguments. */
  | 'parameter'
  /** The inside of a parameter's name in quotation marks. */
  | 'name'
  /** After a parameter's name: its sign. */
  | 'assign'
  | 'value'
  /** After a value: a comma or the closing bracket. */
  | 'after'
  | 'done'
  | 'broken';

/** What the arguments of one call are read by. */
interface Options {
  readonly syntax: LiteralSyntax;
  readonly schema: SchemaView;
  readonly reader: ArgumentsReader;
  /** The bracket that closes them. */
  readonly close: string;
  /** What closes the whole call: brackets before it may be missing, which is reported. */
  readonly ends: readonly string[];
  /** Does a literal end before the bracket that closes the arguments, by what comes after that at `index`? */
  readonly lookCall: (scanner: Scanner, index: number, passed: Passed) => Ending;
  /** What can be in no call. */
  readonly stops: readonly string[];
  /** Whole calls inside a string are part of it. */
  readonly inner?: InnerCalls | undefined;
  /** Something was missing, or too much, which a sentence says. */
  readonly repaired: (how: string) => void;
  /** A string is without quotation marks. */
  readonly unquoted: () => void;
}

/**
 * Reads the arguments of a call after their opening bracket, and writes them as the text of a JSON object into the
 * reader of all JSON arguments, which types and checks them. In Python, `**{"name": value}` stands for parameters whose
 * names are no words; so does a dict alone, where the first parameter takes none.
 */
export class LiteralArguments {
  readonly #options: Options;
  readonly #syntax: LiteralSyntax;
  readonly #reader: ArgumentsReader;
  #state: State = 'parameter';
  #count = 0;
  #positions = 0;
  /** After `**{`, or the brace of a dict that stands for all parameters. */
  #unpacking = false;
  /** The value that is read has a name. */
  #named = true;
  /** The names that have come. */
  readonly #given = new Set<string>();
  /** A string before may have ended too early: one that holds quotation marks has more than one reading then. */
  #unsure = false;
  #name: LiteralString | undefined;
  #value: LiteralValue | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#syntax = options.syntax;
    this.#reader = options.reader;
  }

  /** As for a call. */
  get inside(): OpenValue | undefined {
    return this.#state === 'value' ? this.#value?.inside : undefined;
  }

  /** `done` after the closing bracket. */
  read(scanner: Scanner): 'more' | 'done' | 'broken' {
    while (true) {
      if (this.#reader.state === 'broken') return 'broken';
      if (this.#state === 'done' || this.#state === 'broken') return this.#state;
      if (!this.#step(scanner)) return 'more';
    }
  }

  /** False when more input is needed. */
  #step(scanner: Scanner): boolean {
    if (this.#state === 'name') return this.#readName(scanner);
    if (this.#state === 'value') return this.#readValue(scanner);
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) return false;
    const character = scanner.text.charAt(scanner.at);
    switch (this.#state) {
      case 'parameter':
        return this.#readParameter(scanner, character);
      case 'assign':
        return this.#readAssign(scanner, character);
      case 'after':
        return this.#readAfter(scanner, character);
      case 'done':
      case 'broken':
        return true;
    }
  }

  #readParameter(scanner: Scanner, character: string): boolean {
    const { assign, positional, quotes } = this.#syntax;
    const { close } = this.#options;
    if (this.#unpacking && character === '}') return this.#pass(scanner, 'after', () => this.#endUnpacking());
    if (character === close) return this.#pass(scanner, 'done', () => this.#end());
    const unpacked = positional ? look(scanner, '**{') : 'no';
    if (unpacked === 'more') return false;
    if (unpacked === 'yes') {
      this.#startUnpacking();
      scanner.at += 3;
      return true;
    }
    if (character === '{' && this.#isWhole()) {
      this.#options.repaired('The arguments were in a dict.');
      return this.#pass(scanner, 'parameter', () => this.#startUnpacking());
    }
    const quote = quotes.find(scanner.text, scanner.at, scanner.ended);
    if (quote === 'more') return false;
    if (quote !== 'no') {
      if (positional && !this.#unpacking) return this.#openPosition();
      this.#write('"', { first: true });
      this.#name = new LiteralString(quote.value, {
        after: { signs: ':=', ends: [] },
        stops: [],
        mayHoldQuotes: () => false,
        emit: (json) => this.#write(json),
      });
      scanner.at += quote.length;
      this.#state = 'name';
      return true;
    }
    const end = nameEnd(scanner, scanner.at);
    if (end === 'more') return false;
    const sign = end === 'no' ? 'no' : scanner.afterSpace(end);
    if (sign === 'more') return false;
    if (end === 'no' || sign === 'no' || !isSign(scanner, sign, this.#unpacking ? ':' : assign))
      return this.#openPosition();
    const name = scanner.text.slice(scanner.at, end);
    if (this.#given.has(name) || !this.#options.schema.known(name)) this.#unsure = true;
    this.#given.add(name);
    this.#write(`"${escapeJson(name)}"`, { first: true });
    scanner.at = end;
    this.#state = 'assign';
    return true;
  }

  #readName(scanner: Scanner): boolean {
    const progress = this.#name?.read(scanner);
    if (progress === 'more') return false;
    if (progress !== 'done') return this.#break();
    this.#write('"');
    this.#state = 'assign';
    return true;
  }

  #readAssign(scanner: Scanner, character: string): boolean {
    if (!this.#syntax.assign.includes(character) && character !== ':') return this.#break();
    this.#named = true;
    return this.#pass(scanner, 'value', () => this.#openValue());
  }

  /** An argument without a name: the next of the schema's properties. */
  #openPosition(): boolean {
    const name = this.#syntax.positional ? this.#options.schema.propertyNames[this.#positions] : undefined;
    if (name === undefined || this.#unpacking) return this.#break();
    if (this.#positions > 0) this.#unsure = true;
    this.#positions += 1;
    this.#given.add(name);
    this.#write(`"${escapeJson(name)}"`, { first: true });
    this.#named = false;
    this.#openValue();
    this.#state = 'value';
    return true;
  }

  #openValue(): void {
    this.#write(':');
    const { close, ends, stops, inner, unquoted, repaired } = this.#options;
    const after: After = this.#unpacking
      ? { signs: ',}', ends, next: this.#lookUnpacked }
      : { signs: `,${close}`, ends, next: this.#lookNext };
    this.#value = new LiteralValue(this.#syntax, {
      ...{ after, stops, inner, unquoted, repaired },
      listed: this.#doubt,
      mayHoldQuotes: () => !this.#unsure,
      emit: (json) => this.#write(json),
    });
  }

  readonly #doubt = (): void => {
    this.#unsure = true;
  };

  /**
   * Does a literal end before this sign? After a comma stands a parameter, or the closing bracket; after a
   * parameter that has a name, one without is none.
   */
  readonly #lookNext = (scanner: Scanner, index: number, { sign, passed }: Sign): Ending => {
    if (sign !== ',') return this.#options.lookCall(scanner, index, passed);
    const start = scanner.afterSpace(index);
    if (typeof start === 'string') return start;
    if (scanner.text[start] === this.#options.close) return this.#options.lookCall(scanner, start + 1, passed);
    const { syntax, schema } = this.#options;
    const found = lookParameter(scanner, start, { syntax, schema, given: this.#given, passed });
    if (found !== 'no' || this.#named) return found;
    return passed === 'none' ? 'yes' : 'unclear';
  };

  /** The same for what is in the dict of all parameters. */
  readonly #lookUnpacked = (scanner: Scanner, index: number, { sign, passed }: Sign): Ending => {
    if (sign === ',') return passed === 'none' ? 'yes' : 'unclear';
    const { close, ends } = this.#options;
    const after: After = { signs: `,${close}`, ends, next: this.#lookNext };
    return lookBehind(scanner, index, { after, passed });
  };

  #readValue(scanner: Scanner): boolean {
    const progress = this.#value?.read(scanner) ?? 'broken';
    if (progress === 'more') return false;
    this.#state = progress === 'done' ? 'after' : 'broken';
    return true;
  }

  #readAfter(scanner: Scanner, character: string): boolean {
    if (character === ',') return this.#pass(scanner, 'parameter');
    if (this.#unpacking && character === '}') return this.#pass(scanner, 'after', () => this.#endUnpacking());
    if (character === this.#options.close) return this.#pass(scanner, 'done', () => this.#end());
    const end = lookFor(scanner, scanner.at, this.#options.ends);
    if (end === 'more') return false;
    return end === 'no' ? this.#break() : this.#repair();
  }

  #repair(): true {
    this.#options.repaired('A bracket that closes the arguments was missing.');
    this.#end();
    this.#state = 'done';
    return true;
  }

  /** Is a dict that is here all arguments? It is where the first parameter cannot be one. */
  #isWhole(): boolean {
    if (!this.#syntax.positional || this.#unpacking || this.#count > 0) return false;
    const { schema } = this.#options;
    const first = schema.propertyNames[0];
    return first === undefined || !schema.property(first).admits('object');
  }

  #startUnpacking(): void {
    this.#unpacking = true;
    this.#unsure = true;
  }

  #endUnpacking(): void {
    this.#unpacking = false;
  }

  #end(): void {
    this.#write(this.#count === 0 ? '{}' : '}');
  }

  #break(): true {
    this.#state = 'broken';
    return true;
  }

  #pass(scanner: Scanner, next: State, then?: () => void): true {
    scanner.at += 1;
    this.#state = next;
    then?.();
    return true;
  }

  /** A piece of the object's JSON text; `first`: a member begins. */
  #write(json: string, { first = false }: { readonly first?: boolean } = {}): void {
    if (first) this.#reader.read(this.#count === 0 ? '{' : ',', 0);
    if (first) this.#count += 1;
    if (!this.#reader.pass(json)) this.#reader.read(json, 0);
  }
}

/** Where a parameter may stand. */
interface Place {
  readonly syntax: LiteralSyntax;
  readonly schema: SchemaView;
  /** The parameters that have come. */
  readonly given: ReadonlySet<string>;
  /** What the literal before it holds. */
  readonly passed: Passed;
}

/** Does a literal end before `start`, since a parameter that has not come yet is there, with its sign? */
function lookParameter(scanner: Scanner, start: number, { syntax, schema, given, passed }: Place): Ending {
  if (start === scanner.text.length) return 'yes';
  const unpacked = syntax.positional ? look(scanner, '**{', start) : 'no';
  if (unpacked !== 'no') return unpacked;
  const name = lookName(scanner, start, syntax);
  if (typeof name === 'string') return name;
  const sign = scanner.afterSpace(name.end);
  if (typeof sign === 'string') return sign;
  if (sign === scanner.text.length) return 'yes';
  if (!isSign(scanner, sign, syntax.assign)) return 'no';
  if (scanner.wantsMore(sign + 1)) return 'more';
  const isComparison = scanner.text[sign + 1] === scanner.text[sign];
  if (isComparison || given.has(name.text)) return 'no';
  if (passed === 'none') return 'yes';
  if (!schema.known(name.text)) return schema.propertyNames.length > 0 ? 'no' : 'unclear';
  return passed === 'odd' ? 'unclear' : 'yes';
}

interface Name {
  readonly text: string;
  readonly end: number;
}

/** A name at `start`; in quotation marks only where a string can be nothing else. */
function lookName(scanner: Scanner, start: number, { quotes, positional }: LiteralSyntax): Name | 'no' | 'more' {
  const quote = quotes.find(scanner.text, start, scanner.ended);
  if (quote === 'more') return 'more';
  if (quote !== 'no') return positional ? 'no' : lookQuoted(scanner, start + quote.length, quote.value);
  const end = nameEnd(scanner, start);
  return typeof end === 'string' ? end : { text: scanner.text.slice(start, end), end };
}

/** A name in quotation marks, from after the first one. */
function lookQuoted(scanner: Scanner, from: number, { literal, escapes }: Quote): Name | 'no' | 'more' {
  const { text } = scanner;
  for (let at = from; at - from <= longestName; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    const closer = look(scanner, literal, at);
    if (closer === 'more') return 'more';
    if (closer === 'yes') return { text: text.slice(from, at), end: at + literal.length };
    if (escapes && text.charAt(at) === '\\') at += 1;
  }
  return 'no';
}
