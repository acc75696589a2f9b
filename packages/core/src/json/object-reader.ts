import { closeBrace, isSpace, openBrace } from './json-characters.ts';
import { JsonReader } from './json-reader.ts';
import { repairs } from './json-reports.ts';
import { LastHeld } from './last-held.ts';
import type { ReaderOptions, ReaderState } from './reader-options.ts';

/** As for a reader, and whether the object may be missing. */
export interface ObjectReaderOptions extends ReaderOptions {
  /** Whether no text at all stands for `{}`. */
  readonly emptyAllowed: boolean;
}

/**
 * `start`: white space before the value; `null`, `None`: within these words; `first`: after the first brace, where a
 * second one shows that they are doubled; `body`: the object; `closing`: the second of two closing braces is missing.
 */
type Phase = 'start' | 'null' | 'None' | 'first' | 'body' | 'closing';

/** As `JsonReader`, for an object that may also be missing, `null` or in doubled braces. Anything else is broken. */
export class ObjectReader {
  readonly #options: ObjectReaderOptions;
  readonly #out: LastHeld;
  readonly #object: JsonReader;
  #phase: Phase = 'start';
  #state: ReaderState = 'open';
  #matched = 0;
  #doubled = false;

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
    this.#out = new LastHeld(options.emit);
    this.#object = new JsonReader({ ...options, emit: (json) => this.#out.add(json) });
  }

  get state(): ReaderState {
    return this.#state;
  }

  get inString(): boolean {
    return this.#object.inString;
  }

  /** As for `JsonReader`. */
  get plain(): boolean {
    return this.#phase === 'body' && this.#object.plain;
  }

  /** As for `JsonReader`. */
  get waiting(): boolean {
    return this.#phase === 'body' && this.#object.waiting;
  }

  /** What was read and has not left. */
  get held(): string {
    return this.#out.held + this.#object.held;
  }

  read(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.state === 'open') {
      index = this.#step(text, index);
      if (this.waiting) break;
    }
    // Doubled braces that are closed once are not an object yet.
    if (this.#phase === 'closing' && this.#state !== 'done') this.#out.leaveButLast();
    else this.#out.leave();
    return index;
  }

  end(): void {
    if (this.#state !== 'open' || this.#phase !== 'start' || !this.#options.emptyAllowed) return;
    this.#empty();
    this.#out.leave();
  }

  /** As for `JsonReader`; not for doubled braces, of which it is not known how many are missing. */
  closeContainers(): boolean {
    if (this.#phase !== 'body' || this.#doubled || !this.#object.closeContainers()) return false;
    this.#state = 'done';
    this.#out.leave();
    return true;
  }

  #step(text: string, at: number): number {
    switch (this.#phase) {
      case 'start':
        return this.#start(text.charCodeAt(at), at);
      case 'null':
      case 'None':
        return this.#word(this.#phase, text.charCodeAt(at), at);
      case 'first':
        return this.#first(text, at);
      case 'body':
        return this.#body(text, at);
      case 'closing':
        return this.#closing(text.charCodeAt(at), at);
    }
  }

  #start(code: number, at: number): number {
    if (isSpace(code)) return at + 1;
    if (code === openBrace) {
      this.#object.read('{', 0);
      this.#phase = 'first';
      return at + 1;
    }
    if (code !== 0x6e && code !== 0x4e) return this.#broken(at);
    this.#phase = code === 0x6e ? 'null' : 'None';
    this.#matched = 1;
    return at + 1;
  }

  #word(word: 'null' | 'None', code: number, at: number): number {
    if (code !== word.charCodeAt(this.#matched)) return this.#broken(at);
    this.#matched += 1;
    if (this.#matched === word.length) {
      if (word === 'None') this.#options.warning('json-repaired', repairs.word);
      this.#empty();
    }
    return at + 1;
  }

  #first(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      this.#object.read(text.charAt(at), 0);
      return at + 1;
    }
    this.#phase = 'body';
    if (code !== openBrace) return at;
    this.#doubled = true;
    this.#options.warning('json-repaired', repairs.braces);
    return at + 1;
  }

  #body(text: string, at: number): number {
    const index = this.#object.read(text, at);
    if (this.#object.state === 'broken') return this.#broken(index);
    if (this.#object.state !== 'done') return index;
    if (this.#doubled) this.#phase = 'closing';
    else this.#state = 'done';
    return index;
  }

  #closing(code: number, at: number): number {
    if (isSpace(code)) return at + 1;
    if (code !== closeBrace) return this.#broken(at);
    this.#state = 'done';
    return at + 1;
  }

  #empty(): void {
    this.#out.add('{}');
    this.#state = 'done';
  }

  #broken(at: number): number {
    this.#state = 'broken';
    return at;
  }
}
