import { quoteName } from '../chat/warning.ts';
import { InnerQuotes } from './inner-quotes.ts';
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  continuesName,
  doubleQuote,
  isSpace,
  openBrace,
  openBracket,
  singleQuote,
  startsName,
} from './json-characters.ts';
import { JsonComment, startsComment } from './json-comment.ts';
import { textOfString } from './json-escape.ts';
import { JsonLeaf, startsLeaf } from './json-leaf.ts';
import { JsonPlace } from './json-place.ts';
import { JsonReports } from './json-reports.ts';
import { JsonString, type QuoteEnds } from './json-string.ts';
import { type MachineOptions, maxHeld, type ReaderState } from './reader-options.ts';
import { SchemaView } from './schema.ts';
import { SourceSlices } from './source-slices.ts';

/**
 * What is read next, or what is being read. `item` and `key` follow a comma, which is held back until they come; `in-key` and
 * `leaf` are inside a key, and inside a value without members; `second-brace`: an object with doubled braces lacks one.
 */
type Mode =
  | 'value'
  | 'first-item'
  | 'item'
  | 'first-key'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'after'
  | 'leaf'
  | 'comment'
  | 'second-brace';

/** The state machine behind `JsonReader`, which says what it promises; here coercion is handed in. */
export class JsonMachine {
  readonly #options: MachineOptions;
  readonly #slices = new SourceSlices();
  readonly #reports: JsonReports;
  readonly #comment = new JsonComment(this.#slices, (repair) => this.#reports.repaired(repair));
  readonly #place: JsonPlace;
  readonly #keys: MemberKeys;
  readonly #leaf: JsonLeaf;
  #state: ReaderState = 'open';
  #mode: Mode = 'value';
  /** What is read after the comment. */
  #afterComment: Mode = 'value';
  /** The outer braces are doubled. */
  #doubled = false;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#reports = new JsonReports(options.warning);
    this.#place = new JsonPlace(options.schema);
    const shared = { slices: this.#slices, place: this.#place, reports: this.#reports };
    this.#keys = new MemberKeys({ member: options.member, ...shared });
    this.#leaf = new JsonLeaf({ coerce: options.coerce, quoteEnds: this.#quoteEnds(options), ...shared });
  }

  get state(): ReaderState {
    return this.#state;
  }

  /** What has come was not read to its end: of the next character only more text tells what it is. */
  get waiting(): boolean {
    return this.#state === 'open' && this.#mode === 'leaf' && this.#leaf.waiting;
  }

  /** Inside a string that leaves as it is written, as long as `isPlain` allows it. */
  get plain(): boolean {
    return this.#state === 'open' && this.#mode === 'leaf' && this.#leaf.plain && !this.#keys.muted;
  }

  /** What was read and has not left: the beginning of something that is decided at its end. */
  get held(): string {
    return this.#keys.held + this.#slices.held + this.#comment.held;
  }

  read(text: string, at: number): number {
    if (this.#state !== 'open' || at >= text.length) return at;
    this.#slices.open(text, at);
    let index = at;
    do index = this.#step(text, index);
    while (index < text.length && this.state === 'open' && !this.waiting);
    this.#flush(index);
    return index;
  }

  end(): void {
    if (this.#state !== 'open' || !this.#place.top) return;
    this.#slices.open('', 0);
    if (this.#mode === 'value' && this.#options.onlyObject) this.#endEmpty(0);
    if (this.#mode === 'leaf') this.#leaf.end();
    if (this.#mode === 'leaf' && this.#leaf.state === 'done') this.#state = 'done';
    this.#flush(0);
  }

  /**
   * After a value, where something stands that cannot: closes all that is open. False where more than that is missing, or, as
   * with doubled braces, nobody knows how much.
   */
  closeContainers(): boolean {
    if (this.#state !== 'broken' || this.#mode !== 'after' || this.#comment.hasLine || this.#doubled) return false;
    this.#state = 'done';
    const { mutedDepth } = this.#keys;
    this.#options.emit(this.#place.leaveAll().slice(mutedDepth));
    return true;
  }

  /** Where what comes after the value is known, quotes are read that nobody has escaped. */
  #quoteEnds({ after, coerce }: MachineOptions): QuoteEnds | undefined {
    if (after === undefined) return undefined;
    const quotes = new InnerQuotes(after);
    const readRest = (text: string) => (at: number, limits: { readonly containers: string; readonly last: number }) =>
      readInside(text, { at, ...limits, coerce });
    return (quote) => {
      if (this.#place.top || this.#keys.muted) return 'yes';
      return quotes.end({ place: this.#place, readRest: readRest(quote.text), ...quote });
    };
  }

  #flush(at: number): void {
    const json = this.#slices.close(at);
    if (json !== '') this.#options.emit(json);
  }

  #step(text: string, at: number): number {
    switch (this.#mode) {
      case 'leaf':
        return this.#readLeaf(text, at);
      case 'in-key':
        return this.#readKey(text, at);
      case 'comment':
        return this.#readComment(text, at);
      default: {
        const code = text.charCodeAt(at);
        return isSpace(code) ? this.#space(at) : this.#structure(code, at);
      }
    }
  }

  #space(at: number): number {
    // White space around the value is not part of it.
    if (this.#place.top) this.#slices.skip(at, at + 1);
    else if (this.#afterComma && this.#slices.tokenLength(at) > maxHeld) return this.#breakAt(at);
    return at + 1;
  }

  get #afterComma(): boolean {
    return this.#mode === 'item' || this.#mode === 'key';
  }

  #structure(code: number, at: number): number {
    if (startsComment(code) && !this.#place.top) {
      this.#afterComment = this.#mode;
      this.#mode = 'comment';
      return this.#comment.open(at);
    }
    switch (this.#mode) {
      case 'first-item':
      case 'item':
        return code === closeBracket ? this.#closeContainer(at) : this.#startValue(code, at);
      case 'first-key':
      case 'key':
        return code === closeBrace ? this.#closeContainer(at) : this.#startKey(code, at);
      case 'second-brace':
        if (code !== closeBrace) return this.#breakAt(at);
        this.#slices.replaceToken(at + 1, '}');
        this.#state = 'done';
        return at + 1;
      case 'colon':
        if (code !== colon) return this.#breakAt(at);
        this.#mode = 'value';
        return at + 1;
      case 'after':
        if (code === comma) return this.#comma(at);
        return code === (this.#place.inArray ? closeBracket : closeBrace)
          ? this.#closeContainer(at)
          : this.#breakAt(at);
      default:
        return this.#startValue(code, at);
    }
  }

  #readComment(text: string, at: number): number {
    const index = this.#comment.read(text, at);
    if (this.#comment.state === 'wrong') return this.#breakAt(index);
    if (this.#comment.state === 'closed') this.#mode = this.#afterComment;
    return index;
  }

  #comma(at: number): number {
    this.#slices.openToken(at);
    this.#mode = this.#place.inArray ? 'item' : 'key';
    if (this.#place.inArray) this.#place.nextItem();
    return at + 1;
  }

  #closeContainer(at: number): number {
    if (this.#afterComma) {
      this.#reports.repaired('comma');
      this.#slices.replaceToken(at, this.#slices.token(at).slice(1));
    }
    this.#place.leave();
    if (this.#doubled && this.#place.top) {
      // Braces that are closed once are not an object yet.
      this.#slices.openToken(at);
      this.#mode = 'second-brace';
    } else this.#endValue(at + 1);
    return at + 1;
  }

  #endValue(end: number): void {
    this.#mode = 'after';
    if (this.#place.top) this.#state = 'done';
    this.#keys.endValue(end);
  }

  #breakAt(at: number): number {
    this.#state = 'broken';
    return at;
  }

  #startKey(code: number, at: number): number {
    const first = this.#mode === 'first-key';
    if (first && code === openBrace && this.#mayDouble) return this.#double(at);
    if (!startsKey(code)) return this.#breakAt(at);
    this.#mode = 'in-key';
    return this.#keys.open(code, at, { first });
  }

  get #mayDouble(): boolean {
    return this.#options.onlyObject === true && this.#place.depth === 1 && !this.#doubled;
  }

  #double(at: number): number {
    this.#doubled = true;
    this.#reports.repaired('braces');
    this.#slices.replace(at, at + 1, '');
    return at + 1;
  }

  #readKey(text: string, at: number): number {
    const index = this.#keys.read(text, at);
    if (this.#keys.state === 'broken') return this.#breakAt(index);
    if (this.#keys.state === 'done') this.#mode = 'colon';
    return index;
  }

  #startValue(code: number, at: number): number {
    const container = code === openBrace || code === openBracket;
    const nothing = this.#options.onlyObject === true && this.#place.top && code !== openBrace;
    if (nothing ? !startsNull(code) : !container && !startsLeaf(code)) return this.#breakAt(at);
    if (this.#mode === 'item') this.#slices.keepToken();
    if (container) return this.#openContainer(code === openBracket ? 'array' : 'object', at);
    this.#mode = 'leaf';
    if (nothing) this.#slices.mute(at);
    return this.#leaf.open(code, at, { leaves: this.#keys.muted });
  }

  #readLeaf(text: string, at: number): number {
    const index = this.#leaf.read(text, at);
    if (this.#leaf.state === 'broken') return this.#breakAt(index);
    if (this.#leaf.state === 'done') this.#endLeaf(index);
    return index;
  }

  #endLeaf(end: number): void {
    if (this.#options.onlyObject && this.#place.top) this.#endEmpty(end);
    else this.#endValue(end);
  }

  /** Nothing stands for an object without members. */
  #endEmpty(end: number): void {
    this.#slices.unmute(end);
    this.#slices.replace(end, end, '{}');
    this.#state = 'done';
  }

  #openContainer(container: 'array' | 'object', at: number): number {
    if (this.#place.full) return this.#breakAt(at);
    this.#place.enter(container);
    this.#mode = container === 'array' ? 'first-item' : 'first-key';
    return at + 1;
  }
}

/** So many UTF-16 units are read ahead at once. */
const piece = 256;

/**
 * Reads the text after a member or element of these containers as JSON without repairs, up to their end, or `last`. Returns the index
 * after it.
 */
function readInside(
  text: string,
  {
    at,
    containers,
    last,
    coerce,
  }: Pick<MachineOptions, 'coerce'> & { readonly at: number; readonly containers: string; readonly last: number },
): number | 'no' | 'more' {
  let repaired = false;
  const warning = () => {
    repaired = true;
  };
  const machine = new JsonMachine({ schema: SchemaView.any, emit: () => {}, warning, coerce });
  machine.read(`${[...containers].map((bracket) => (bracket === '{' ? '{"":' : bracket)).join('')}0`, 0);
  // In pieces: mostly the first characters tell, and what is not read is not cut out either.
  const end = Math.min(last, text.length);
  for (let from = at; from < end; from += piece) {
    const read = machine.read(text.slice(from, Math.min(from + piece, end)), 0);
    if (repaired || machine.state === 'broken') return 'no';
    if (machine.state === 'done') return from + read;
  }
  return 'more';
}

/** What a reader of members works on. */
interface MemberKeysOptions {
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
class MemberKeys {
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

/** Whether `null`, or what Python calls it, can start with this character. */
function startsNull(code: number): boolean {
  return code === 0x6e || code === 0x4e;
}

/** Whether a key can start with this character. */
function startsKey(code: number): boolean {
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
