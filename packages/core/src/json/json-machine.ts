import { quoteName } from '../chat/warning.ts';
import { closersOf, type InnerQuote, InnerQuotes } from './inner-quotes.ts';
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  startsName,
} from './json-characters.ts';
import { JsonComment, startsComment } from './json-comment.ts';
import { textOfString } from './json-escape.ts';
import { JsonPlace } from './json-place.ts';
import { JsonReports } from './json-reports.ts';
import { isQuote, JsonToken, type QuoteEnds, startsLeaf } from './json-token.ts';
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
  | 'second-brace';

/** The state machine behind `JsonReader`, which says what it promises; here coercion is handed in. */
export class JsonMachine {
  readonly #options: MachineOptions;
  readonly #slices = new SourceSlices();
  readonly #reports: JsonReports;
  readonly #comment = new JsonComment((repair) => this.#reports.repaired(repair));
  readonly #place: JsonPlace;
  readonly #quotes: InnerQuotes | undefined;
  /** The open key, or value without members. */
  readonly #token: JsonToken;
  #state: ReaderState = 'open';
  #mode: Mode = 'value';
  /** The outer braces are doubled, or will be where a brace comes next. */
  #doubled = false;
  #mayDouble = false;
  /** The open value is held until it is coerced. */
  #coerces = false;
  /** The comma before the open key, with white space: whether it leaves is known when the key is. */
  #separator = '';
  /** So many containers are open around the member that is being left out; none is for 0. */
  #mutedAt = 0;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#reports = new JsonReports(options.warning);
    this.#place = new JsonPlace(options.schema);
    // Where what comes after the value is known, quotes are read that nobody has escaped.
    this.#quotes = options.after && new InnerQuotes(options.after);
    this.#token = new JsonToken(this.#slices, {
      repaired: this.#reports.repaired,
      quoteEnds: this.#quoteEnds,
    });
  }

  get state(): ReaderState {
    return this.#state;
  }

  /** What has come was not read to its end: of the next character only more text tells what it is. */
  get waiting(): boolean {
    return this.#state === 'open' && this.#mode === 'leaf' && this.#token.waiting;
  }

  /** Inside a string that leaves as it is written, as long as `isPlain` allows it. */
  get plain(): boolean {
    if (this.#state !== 'open' || this.#mode !== 'leaf') return false;
    return this.#token.plain && !this.#coerces && this.#mutedAt === 0;
  }

  /** What was read and has not left: the beginning of something that is decided at its end. */
  get held(): string {
    return this.#separator + this.#slices.held + this.#comment.held;
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
    if (this.#mode === 'leaf') {
      this.#token.end();
      if (this.#token.done) this.#state = 'done';
    }
    this.#flush(0);
  }

  /**
   * After a value, where something stands that cannot: closes all that is open. False where more than that is missing, or, as
   * with doubled braces, nobody knows how much.
   */
  closeContainers(): boolean {
    if (this.#state !== 'broken' || this.#mode !== 'after' || this.#comment.unclear || this.#doubled) return false;
    this.#state = 'done';
    // Those inside a member that is left out stay out with it.
    const muted = this.#mutedAt === 0 ? 0 : this.#place.depth - this.#mutedAt;
    this.#options.emit(closersOf(this.#place.containers).slice(muted));
    return true;
  }

  readonly #quoteEnds: QuoteEnds = ({ text, at, held }) => {
    if (this.#quotes === undefined || this.#mode !== 'leaf' || this.#place.top || this.#mutedAt > 0) return 'yes';
    const { coerce } = this.#options;
    const readRest: InnerQuote['readRest'] = (from, limits) => readInside(text, { at: from, ...limits, coerce });
    return this.#quotes.end({ text, at, held, place: this.#place, readRest });
  };

  #flush(at: number): void {
    const json = this.#slices.close(at);
    if (json !== '') this.#options.emit(json);
  }

  #step(text: string, at: number): number {
    if (this.#comment.state !== 'closed') return this.#readComment(text, at);
    switch (this.#mode) {
      case 'leaf':
      case 'in-key':
        return this.#readToken(text, at);
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
      this.#mayDouble = false;
      this.#comment.open();
      this.#slices.skip(at, at + 1);
      return at + 1;
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
    this.#slices.skip(at, index);
    return this.#comment.state === 'wrong' ? this.#breakAt(index) : index;
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
    if (this.#mutedAt > 0 && this.#mutedAt === this.#place.depth) this.#unmute(end);
  }

  #breakAt(at: number): number {
    this.#state = 'broken';
    return at;
  }

  #readToken(text: string, at: number): number {
    const index = this.#token.read(text, at);
    if (this.#token.broken) return this.#breakAt(index);
    if (!this.#token.done) return index;
    if (this.#mode === 'leaf') this.#endLeaf(index);
    else this.#endKey(index);
    return index;
  }

  #startKey(code: number, at: number): number {
    const first = this.#mode === 'first-key';
    if (first && code === openBrace && this.#mayDouble) return this.#double(at);
    if (!isQuote(code) && !startsName(code)) return this.#breakAt(at);
    this.#mode = 'in-key';
    if (this.#mutedAt === 0) this.#captureKey(at, first);
    else if (!first) this.#slices.keepToken();
    return this.#token.open(code, at, { isKey: true, room: maxHeld });
  }

  #captureKey(at: number, first: boolean): void {
    if (!first) {
      this.#separator = this.#slices.token(at);
      this.#slices.replaceToken(at, '');
    }
    this.#slices.startCapture(at, first ? 'copy' : 'hold');
  }

  #endKey(end: number): void {
    this.#mode = 'colon';
    if (this.#mutedAt > 0) return;
    const captured = this.#slices.endCapture(end);
    const separator = this.#separator;
    this.#separator = '';
    const key = textOfString(captured);
    if (this.#place.atKey(key) === 'repeated') {
      this.#mute(key, end);
      return;
    }
    if (separator !== '') this.#slices.replace(end, end, separator + captured);
    if (this.#place.depth === 1) this.#options.member?.(key);
  }

  /** The first value of a key may have left already, so it is the one that counts. */
  #mute(key: string, at: number): void {
    this.#reports.report('parameter-repeated', `The key ${quoteName(key)} came twice; the first one counts.`);
    this.#reports.muted = true;
    this.#slices.startCapture(at, 'drop');
    this.#mutedAt = this.#place.depth;
  }

  #unmute(at: number): void {
    this.#mutedAt = 0;
    this.#slices.endCapture(at);
    this.#reports.muted = false;
  }

  #double(at: number): number {
    this.#doubled = true;
    this.#mayDouble = false;
    this.#reports.repaired('braces');
    this.#slices.replace(at, at + 1, '');
    return at + 1;
  }

  #startValue(code: number, at: number): number {
    const container = code === openBrace || code === openBracket;
    const nothing = this.#options.onlyObject === true && this.#place.top && code !== openBrace;
    if (nothing ? !startsNull(code) : !container && !startsLeaf(code)) return this.#breakAt(at);
    if (this.#mode === 'item') this.#slices.keepToken();
    if (container) return this.#openContainer(code === openBracket ? 'array' : 'object', at);
    if (nothing) this.#slices.startCapture(at, 'drop');
    return this.#openLeaf(code, at);
  }

  #openLeaf(code: number, at: number): number {
    this.#mode = 'leaf';
    const isString = isQuote(code);
    this.#coerces = isString && this.#mutedAt === 0 && !this.#place.schema.admits('string');
    if (this.#coerces) this.#slices.startCapture(at, 'hold');
    return this.#token.open(code, at, { isKey: false, room: isString && !this.#coerces ? longest : maxHeld });
  }

  #endLeaf(end: number): void {
    if (this.#coerces) this.#bringToSchema(this.#slices.endCapture(end), end);
    if (this.#options.onlyObject && this.#place.top) this.#endEmpty(end);
    else this.#endValue(end);
  }

  #bringToSchema(captured: string, end: number): void {
    const { json, warning } = this.#options.coerce(textOfString(captured), this.#place.schema);
    const stayed = json.startsWith('"');
    // A string that stays one stays as it was written, escapes included.
    this.#slices.replace(end, end, stayed ? captured : json);
    const where = this.#place.words;
    if (!stayed) this.#reports.report('value-coerced', `A string ${where}was brought to the type of its schema.`);
    if (warning === 'value-kept')
      this.#reports.report('value-kept', `A value ${where}does not fit its schema and was kept.`);
  }

  /** Nothing stands for an object without members. */
  #endEmpty(end: number): void {
    this.#slices.endCapture(end);
    this.#slices.replace(end, end, '{}');
    this.#state = 'done';
  }

  #openContainer(container: 'array' | 'object', at: number): number {
    if (this.#place.full) return this.#breakAt(at);
    this.#mayDouble = this.#options.onlyObject === true && this.#place.top;
    this.#place.enter(container);
    this.#mode = container === 'array' ? 'first-item' : 'first-key';
    return at + 1;
  }
}

/** A longer string, of which nothing is held, is broken: far more than can be. A small integer, as it is counted down at each read. */
const longest = 1 << 30;

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
  machine.read(`${containers.replaceAll('{', '{"":')}0`, 0);
  // In pieces: mostly the first characters tell, and what is not read is not cut out either.
  const end = Math.min(last, text.length);
  for (let from = at; from < end; from += piece) {
    const read = machine.read(text.slice(from, Math.min(from + piece, end)), 0);
    if (repaired || machine.state === 'broken') return 'no';
    if (machine.state === 'done') return from + read;
  }
  return 'more';
}

/** Whether `null`, or what Python calls it, can start with this character. */
function startsNull(code: number): boolean {
  return code === 0x6e || code === 0x4e;
}
