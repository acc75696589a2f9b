import { doubleQuote, singleQuote } from './json-characters.ts';
import { textOfString } from './json-escape.ts';
import type { JsonPlace } from './json-place.ts';
import type { JsonReports } from './json-reports.ts';
import { JsonScalar, startsScalar } from './json-scalar.ts';
import { JsonString, type QuoteEnds } from './json-string.ts';
import { type MachineOptions, maxHeld, type ReaderState } from './reader-options.ts';
import type { SourceSlices } from './source-slices.ts';

/** What a reader of values without members works on. */
export interface JsonLeafOptions {
  readonly slices: SourceSlices;
  readonly place: JsonPlace;
  readonly reports: JsonReports;
  readonly coerce: MachineOptions['coerce'];
  readonly quoteEnds: QuoteEnds | undefined;
}

/** `leaving`: a string that leaves as it comes; `held`: one that is held until it is coerced. */
type Kind = 'leaving' | 'held' | 'scalar';

/** Reads strings, numbers and the three words, one after the other. */
export class JsonLeaf {
  readonly #slices: SourceSlices;
  readonly #place: JsonPlace;
  readonly #reports: JsonReports;
  readonly #coerce: MachineOptions['coerce'];
  readonly #string: JsonString;
  readonly #scalar: JsonScalar;
  #kind: Kind = 'scalar';
  #state: ReaderState = 'done';
  /** How many more characters the held string may have. */
  #room = maxHeld;

  constructor({ slices, place, reports, coerce, quoteEnds }: JsonLeafOptions) {
    this.#slices = slices;
    this.#place = place;
    this.#reports = reports;
    this.#coerce = coerce;
    this.#string = new JsonString(slices, reports.repaired, quoteEnds);
    this.#scalar = new JsonScalar(slices, reports.repaired);
  }

  get state(): ReaderState {
    return this.#state;
  }

  /** As for a string; false where it is held. */
  get plain(): boolean {
    return this.#kind === 'leaving' && this.#string.plain;
  }

  /** As for a string. */
  get waiting(): boolean {
    return this.#kind !== 'scalar' && this.#string.waiting;
  }

  /** Starts with the character at `at`, which `startsLeaf` allows, and returns the index after it. `leaves`: no string is coerced. */
  open(code: number, at: number, { leaves }: { readonly leaves: boolean }): number {
    this.#state = 'open';
    if (!isQuote(code)) {
      this.#kind = 'scalar';
      return this.#scalar.open(code, at);
    }
    this.#kind = leaves || this.#place.schema.admits('string') ? 'leaving' : 'held';
    this.#room = maxHeld;
    if (this.#kind === 'held') this.#slices.startCapture(at, 'hold');
    return this.#string.open(code, at);
  }

  /** Reads until it is done or broken; returns the index after the last character that belongs to it. */
  read(text: string, at: number): number {
    return this.#kind === 'scalar' ? this.#readScalar(text, at) : this.#readString(text, at);
  }

  /** The input is over, which may complete a number. */
  end(): void {
    if (this.#kind !== 'scalar' || this.#state !== 'open') return;
    this.#scalar.end();
    if (this.#scalar.state === 'complete') this.#state = 'done';
  }

  #readScalar(text: string, at: number): number {
    const index = this.#scalar.read(text, at);
    if (this.#scalar.state === 'wrong') this.#state = 'broken';
    else if (this.#scalar.state === 'complete') this.#state = 'done';
    return index;
  }

  #readString(text: string, at: number): number {
    const isHeld = this.#kind === 'held';
    const end = isHeld ? Math.min(text.length, at + this.#room) : text.length;
    const index = this.#string.read(text, at, end);
    if (this.#string.closed) {
      if (isHeld) this.#bringToSchema(this.#slices.endCapture(index), index);
      this.#state = 'done';
    } else if (this.#string.broken) this.#state = 'broken';
    else if (isHeld) {
      this.#room -= index - at;
      if (index < text.length && !this.#string.waiting) this.#state = 'broken';
    }
    return index;
  }

  #bringToSchema(captured: string, end: number): void {
    const { json, warning } = this.#coerce(textOfString(captured), this.#place.schema);
    const stayed = json.startsWith('"');
    // A string that stays one stays as it was written, escapes included.
    this.#slices.replace(end, end, stayed ? captured : json);
    const where = this.#place.words;
    if (!stayed) this.#reports.report('value-coerced', `A string ${where}was brought to the type of its schema.`);
    if (warning === 'value-kept')
      this.#reports.report('value-kept', `A value ${where}does not fit its schema and was kept.`);
  }
}

/** Whether a value without members can start with this character. */
export function startsLeaf(code: number): boolean {
  return isQuote(code) || startsScalar(code);
}

function isQuote(code: number): boolean {
  return code === doubleQuote || code === singleQuote;
}
