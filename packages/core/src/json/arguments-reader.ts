import { doubleQuote, isSpace, singleQuote } from './json-characters.ts';
import { repairs } from './json-reports.ts';
import { isPlain } from './json-string.ts';
import { LastHeld } from './last-held.ts';
import { ObjectReader, type ObjectReaderOptions } from './object-reader.ts';
import { ParameterCheck } from './parameter-check.ts';
import type { ReaderOptions, ReaderState } from './reader-options.ts';
import { StringDecoder } from './string-decoder.ts';

/** How arguments are read, and where they go. */
export interface ArgumentsReaderOptions extends Omit<ReaderOptions, 'member'> {
  /** Whether `{}` is emitted for no text at all. Default true: clients fail on empty arguments. */
  readonly emptyAllowed?: boolean;
}

/**
 * Reads the arguments of one call as they arrive and emits them as JSON text of an object, in one piece per read. No
 * proper prefix of what it emits is valid JSON, and nothing leaves after the closing brace.
 *
 * - An object is read as `JsonReader` reads it; doubled outer braces count once (`json-repaired`).
 * - A JSON string that holds the object is decoded on the fly, one level deep (`value-coerced`).
 * - `null`, an empty string and, if allowed, no text at all are `{}`.
 * - A list, a number or other text is broken before anything was emitted.
 * - Parameters that the schema does not name (`parameter-unknown`) or that are missing (`parameter-missing`) are told.
 *
 * Positions and states are those of `JsonReader`; where an escape of the outer string is what cannot stand, the
 * position is after it.
 */
export class ArgumentsReader {
  /** Whether no text at all stands for `{}`. */
  readonly emptyAllowed: boolean;
  readonly #options: ObjectReaderOptions;
  readonly #parameters: ParameterCheck;
  #value: ObjectReader | WrappedObject | undefined;
  #checked = false;

  constructor(options: ArgumentsReaderOptions) {
    this.emptyAllowed = options.emptyAllowed ?? true;
    this.#parameters = new ParameterCheck(options);
    this.#options = {
      schema: options.schema,
      emit: options.emit,
      warning: options.warning,
      member: this.#parameters.come,
      emptyAllowed: this.emptyAllowed,
      after: options.after,
    };
  }

  get state(): ReaderState {
    return this.#value?.state ?? 'open';
  }

  /** Whether what comes next is inside a string, where no marker means anything. */
  get inString(): boolean {
    return this.#value?.inString ?? false;
  }

  /** As for `JsonReader`. False inside a string that holds the object. */
  get plain(): boolean {
    return this.#value instanceof ObjectReader && this.#value.plain;
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
    const closed = this.#value instanceof ObjectReader && this.#value.closeContainers();
    this.#checkWhole();
    return closed;
  }

  /** The input is over. */
  end(): void {
    this.#value ??= new ObjectReader(this.#options);
    this.#value.end();
    this.#checkWhole();
  }

  /** The first character that is no white space says what the value is. Returns the index from which that is read. */
  #open(text: string, at: number): number {
    let index = at;
    while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
    if (index === text.length) return index;
    const code = text.charCodeAt(index);
    const wrapped = code === doubleQuote || code === singleQuote;
    this.#value = wrapped ? new WrappedObject(this.#options, code) : new ObjectReader(this.#options);
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
  readonly #options: ReaderOptions;
  readonly #quote: number;
  readonly #decoder: StringDecoder;
  readonly #out: LastHeld;
  readonly #object: ObjectReader;
  #state: ReaderState = 'open';

  constructor(options: ObjectReaderOptions, quote: number) {
    this.#options = options;
    this.#quote = quote;
    this.#decoder = new StringDecoder(quote);
    this.#out = new LastHeld(options.emit);
    this.#object = new ObjectReader({
      ...options,
      emptyAllowed: true,
      after: undefined,
      emit: (json) => this.#out.add(json),
    });
  }

  get state(): ReaderState {
    return this.#state;
  }

  get inString(): boolean {
    return this.#state === 'open';
  }

  read(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.state === 'open') {
      const end = this.#decoder.read(text, index);
      if (this.#decoder.closed) this.#close();
      const { piece, verbatim } = this.#decoder;
      const taken = this.#feed(piece);
      if (taken < piece.length) this.#state = 'broken';
      index = taken < piece.length && verbatim ? index + taken : end;
    }
    // Until the string is closed, its object may still turn out to be broken.
    if (this.#object.state === 'done' && this.#state !== 'done') this.#out.leaveButLast();
    else this.#out.leave();
    return index;
  }

  /** A string that is not closed stays open, whatever it holds. */
  end(): void {}

  /** How much of a decoded piece can stand. */
  #feed(piece: string): number {
    let taken = this.#object.read(piece, 0);
    if (this.#object.state !== 'done') return taken;
    while (taken < piece.length && isSpace(piece.charCodeAt(taken))) taken += 1;
    return taken;
  }

  #close(): void {
    this.#object.end();
    this.#state = this.#object.state === 'done' ? 'done' : 'broken';
    if (this.#state === 'broken') return;
    if (this.#quote === singleQuote) this.#options.warning('json-repaired', repairs.quotes);
    this.#options.warning('value-coerced', 'The arguments were a string that holds them as JSON.');
  }
}
