import { quoteName } from '../chat/warning.ts';
import { continuesName, doubleQuote, singleQuote, startsName } from './json-characters.ts';
import { textOfString } from './json-escape.ts';
import type { JsonPlace } from './json-place.ts';
import type { JsonReports } from './json-reports.ts';
import { JsonString } from './json-string.ts';
import { maxHeld, type ReaderState } from './reader-options.ts';
import type { SourceSlices } from './source-slices.ts';

/** What a reader of members works on. */
export interface MemberKeysOptions {
  readonly slices: SourceSlices;
  readonly place: JsonPlace;
  readonly reports: JsonReports;
  /** Hears each new key of the outermost object. */
  readonly member: ((key: string) => void) | undefined;
}

/**
 * Reads the keys of objects and leaves out each member whose key its object has had before: the first value may have left
 * already, so it is the one that counts.
 */
export class MemberKeys {
  readonly #slices: SourceSlices;
  readonly #place: JsonPlace;
  readonly #reports: JsonReports;
  readonly #member: MemberKeysOptions['member'];
  readonly #string: JsonString;
  #state: ReaderState = 'done';
  /** The open key has no quotation marks. */
  #bare = false;
  /** How many more characters the open key may have. */
  #room = maxHeld;
  /** The comma before the open key, with white space: whether it leaves is known when the key is. */
  #separator = '';
  /** So many containers are open around the member that is being left out. */
  #mutedAt: number | undefined;

  constructor({ slices, place, reports, member }: MemberKeysOptions) {
    this.#slices = slices;
    this.#place = place;
    this.#reports = reports;
    this.#member = member;
    this.#string = new JsonString(slices, reports.repaired);
  }

  /** Of the key. */
  get state(): ReaderState {
    return this.#state;
  }

  /** The open key is a string. */
  get inString(): boolean {
    return this.#state === 'open' && !this.#bare;
  }

  /** What was read and has not left. */
  get held(): string {
    return this.#separator;
  }

  /** Nothing of what is read leaves. */
  get muted(): boolean {
    return this.#mutedAt !== undefined;
  }

  /** How many containers are open inside the member that is being left out. */
  get mutedDepth(): number {
    return this.#mutedAt === undefined ? 0 : this.#place.depth - this.#mutedAt;
  }

  /**
   * A key starts with the character at `at`, which `startsKey` allows: the object's first one, or one after a comma, which
   * is the open token. Returns the index from which it is read on.
   */
  open(code: number, at: number, { first }: { readonly first: boolean }): number {
    this.#state = 'open';
    this.#room = maxHeld;
    this.#separate(at, first);
    this.#bare = !isQuote(code);
    if (!this.#bare) return this.#string.open(code, at);
    this.#reports.repaired('key');
    this.#slices.replace(at, at, '"');
    return at;
  }

  /** Reads until the key is done or broken; returns the index after its last character. */
  read(text: string, at: number): number {
    const end = Math.min(text.length, at + this.#room);
    const index = this.#bare ? afterName(text, at, end) : this.#string.read(text, at, end);
    this.#room -= index - at;
    if (this.#bare ? index < end : this.#string.closed) this.#close(index);
    else if (index < text.length) this.#state = 'broken';
    return index;
  }

  #separate(at: number, first: boolean): void {
    if (this.muted) {
      if (!first) this.#slices.keepToken();
      return;
    }
    if (!first) {
      this.#separator = this.#slices.token(at);
      this.#slices.replaceToken(at, '');
    }
    this.#slices.startCapture(at, first ? 'copy' : 'hold');
  }

  #close(end: number): void {
    this.#state = 'done';
    if (this.#bare) this.#slices.replace(end, end, '"');
    if (this.muted) return;
    const captured = this.#slices.endCapture(end);
    const separator = this.#separator;
    this.#separator = '';
    const key = textOfString(captured);
    if (this.#place.atKey(key) === 'repeated') {
      this.#mute(key, end);
      return;
    }
    if (separator !== '') this.#slices.replace(end, end, separator + captured);
    if (this.#place.depth === 1) this.#member?.(key);
  }

  /** A value ends before `end`, and with it perhaps the member that is being left out. */
  endValue(end: number): void {
    if (this.#mutedAt !== this.#place.depth) return;
    this.#mutedAt = undefined;
    this.#slices.unmute(end);
    this.#reports.muted = false;
  }

  #mute(key: string, at: number): void {
    this.#reports.report('parameter-repeated', `The key ${quoteName(key)} came twice; the first one counts.`);
    this.#reports.muted = true;
    this.#slices.mute(at);
    this.#mutedAt = this.#place.depth;
  }
}

/** Whether a key can start with this character. */
export function startsKey(code: number): boolean {
  return isQuote(code) || startsName(code);
}

function isQuote(code: number): boolean {
  return code === doubleQuote || code === singleQuote;
}

/** Index in [at, end] after the characters of a name. */
function afterName(text: string, at: number, end: number): number {
  let index = at;
  while (index < end && continuesName(text.charCodeAt(index))) index += 1;
  return index;
}
