import { doubleQuote, singleQuote, skipSpace } from './json-characters.ts';
import { JsonReader } from './json-reader.ts';
import { repairs } from './json-reports.ts';
import { isPlain } from './json-token.ts';
import { ParameterCheck } from './parameter-check.ts';
import type { ReaderOptions, ReaderState } from './reader-options.ts';
import { StringDecoder } from './string-decoder.ts';

/** How arguments are read, and where they go. */
export type ArgumentsReaderOptions = Omit<ReaderOptions, 'member' | 'onlyObject'>;

/**
 * Reads the arguments of one call as they arrive and emits them as JSON text of an object, in one piece per read. No
 * proper prefix of what it emits is valid JSON, and nothing leaves after the closing brace.
 *
 * - An object is read as `JsonReader` reads it; doubled outer braces count once (`json-repaired`).
 * - A JSON string that holds the object is decoded on the fly, one level deep (`value-coerced`).
 * - `null`, an empty string and no text at all are `{}`: clients fail on empty arguments.
 * - A list, a number or other text is broken before anything was emitted.
 * - Parameters that the schema does not name (`parameter-unknown`) or that are missing (`parameter-missing`) are told.
 *
 * Positions and states are those of `JsonReader`; where an escape of the outer string is what cannot stand, the
 * position is inside it.
 */
export class ArgumentsReader {
  readonly #options: ReaderOptions;
  readonly #parameters: ParameterCheck;
  #value: JsonReader | WrappedObject | undefined;
  #checked = false;

  constructor(options: ArgumentsReaderOptions) {
    this.#parameters = new ParameterCheck(options);
    this.#options = { member: this.#parameters.come, onlyObject: true, ...options };
  }

  get state(): ReaderState {
    return this.#value?.state ?? 'open';
  }

  /** As for `JsonReader`. False inside a string that holds the object. */
  get plain(): boolean {
    return this.#value?.plain === true;
  }

  /** Emits this text if all of it is inside of one string and leaves as it is written. Else nothing is read. */
  pass(text: string): boolean {
    if (!this.plain || !isPlain(text)) return false;
    this.#options.emit(text);
    return true;
  }

  read(text: string, at: number): number {
    const index = this.#value === undefined ? this.#open(text, at) : at;
    const value = this.#value;
    if (value === undefined) return index;
    const end = value.read(text, index);
    if (value.state === 'done') this.#checkWhole();
    return end;
  }

  /** As for `JsonReader`; a string that holds the object is not closed. */
  closeContainers(): boolean {
    const closed = this.#value?.closeContainers() === true;
    this.#checkWhole();
    return closed;
  }

  /** The input is over. */
  end(): void {
    this.#value ??= new JsonReader(this.#options);
    this.#value.end();
    this.#checkWhole();
  }

  /** The first character that is no white space says what the value is. Returns the index from which that is read. */
  #open(text: string, at: number): number {
    const index = skipSpace(text, at);
    if (index === text.length) return index;
    const code = text.charCodeAt(index);
    const wrapped = code === doubleQuote || code === singleQuote;
    this.#value = wrapped ? new WrappedObject(this.#options, code) : new JsonReader(this.#options);
    return wrapped ? index + 1 : index;
  }

  #checkWhole(): void {
    if (this.#checked || this.state !== 'done') return;
    this.#checked = true;
    this.#parameters.end();
  }
}

/** An object inside a string whose opening quote was read. */
class WrappedObject {
  /** What is decoded is not what was written. */
  readonly plain = false;
  readonly #options: ReaderOptions;
  readonly #quote: number;
  readonly #decoder: StringDecoder;
  readonly #object: JsonReader;
  #out = '';
  #state: ReaderState = 'open';

  constructor(options: ReaderOptions, quote: number) {
    this.#options = options;
    this.#quote = quote;
    this.#decoder = new StringDecoder(quote);
    const emit = (json: string) => {
      this.#out += json;
    };
    this.#object = new JsonReader({ ...options, after: undefined, emit });
  }

  get state(): ReaderState {
    return this.#state;
  }

  read(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.state === 'open') {
      const end = this.#decoder.read(text, index);
      if (this.#decoder.closed) this.#close();
      const { piece } = this.#decoder;
      const taken = this.#feed(piece);
      if (taken < piece.length) this.#state = 'broken';
      index = taken < piece.length ? index + taken : end;
    }
    // Until the string is closed, its object may still turn out to be broken: its last brace stays.
    const leaves = this.#out.length - (this.#object.state === 'done' && this.#state !== 'done' ? 1 : 0);
    if (leaves > 0) this.#options.emit(this.#out.slice(0, leaves));
    this.#out = this.#out.slice(leaves);
    return index;
  }

  closeContainers(): boolean {
    return false;
  }

  /** A string that is not closed stays open, whatever it holds. */
  end(): void {}

  /** How much of a decoded piece can stand. */
  #feed(piece: string): number {
    const taken = this.#object.read(piece, 0);
    return this.#object.state === 'done' ? skipSpace(piece, taken) : taken;
  }

  #close(): void {
    this.#object.end();
    this.#state = this.#object.state === 'done' ? 'done' : 'broken';
    if (this.#state === 'broken') return;
    if (this.#quote === singleQuote) this.#options.warning('json-repaired', repairs.quotes);
    this.#options.warning('value-coerced', 'The arguments were a string that holds them as JSON.');
  }
}
