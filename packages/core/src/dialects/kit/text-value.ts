import { coerceJson, coerceText } from '../../arguments/coerce.ts';
import { escapeJson } from '../../arguments/json-escape.ts';
import type { SchemaView } from '../../arguments/schema.ts';
import type { IssueCode } from '../../chat/issue.ts';
import { decodeEntities, EntityText } from './entity-text.ts';
import { readNestedTags } from './nested-tags.ts';
import { type Closer, closes } from './positional-closer.ts';
import { type Look, longestGap, lookFor, type Scanner } from './scanner.ts';

const cdataOpen = '<![CDATA[';
const cdataClose = ']]>';
/** Calls inside calls inside a value are followed this deep. */
const deepestNesting = 32;
const tab = 9;
const space = 32;
const less = 60;
const newline = 10;
const carriageReturn = 13;
const bracket = 93;

/** How the value is read; decided at its first characters, before anything leaves. */
type Mode =
  | 'undecided'
  /** Text that leaves as it is written. */
  | 'string'
  /** Another type, or markup around the whole value: kept, and decided at the closer. */
  | 'kept';

/** Reads one value of a call. */
export interface ValueReader {
  /** `done` behind the value's closer. */
  read(scanner: Scanner): 'more' | 'done';
}

/**
 * Shows what stands at this index that the value should have ended in front of it? `line`: nothing but white space stands
 * before it on its line.
 */
export type OpensNext = (scanner: Scanner, place: { readonly index: number; readonly line: boolean }) => Look;

/** What a value is, how it is written, and where it goes. */
export interface TextValueOptions {
  readonly closer: Closer;
  /** What shows that the closer is missing. Default: nothing does. */
  readonly opensNext?: OpensNext;
  readonly schema: SchemaView;
  /** One newline behind the opener, and then one before the closer, belong to the markup. */
  readonly padded: boolean;
  /** What the markup says of the value; without it the schema says. */
  readonly typed?: 'text' | 'json' | undefined;
  /** Character references in a string are decoded where all of it is escaped. */
  readonly decodes?: boolean;
  /** The value is not JSON but text that the user sees. */
  readonly plain?: boolean;
  /** JSON text of the value, in slices that add up. */
  readonly emit: (json: string) => void;
  readonly issue: (code: IssueCode, message: string) => void;
}

/**
 * Reads a parameter's value that is written as text, up to its closer, which counts only at its place in the grammar.
 * A value that can only be a string leaves JSON-escaped while it is written; the others leave at their end.
 */
export class TextValue implements ValueReader {
  readonly #options: TextValueOptions;
  readonly #onlyText: boolean;
  readonly #starts: readonly number[];
  #mode: Mode = 'undecided';
  #started = false;
  /** A newline was dropped behind the opener, so one before the closer is dropped too. */
  #unpadded = false;
  #kept: string[] = [];
  #inCdata = false;
  /** What decodes the value; absent where it leaves as it is. */
  #entities: EntityText | undefined;
  /** Closers of the calls that stand inside the value, innermost last. */
  readonly #nested: (readonly string[])[] = [];

  constructor(options: TextValueOptions) {
    this.#options = options;
    this.#onlyText = isOnlyText(options);
    this.#starts = options.closer.starts;
  }

  /** `done` behind the closer. */
  read(scanner: Scanner): 'more' | 'done' {
    if (!this.#started && !this.#readPadding(scanner)) return 'more';
    if (this.#mode === 'undecided' && !this.#decide(scanner)) return 'more';
    const { text } = scanner;
    for (let index = scanner.at; index < text.length; index += 1) {
      const stop = this.#stopAt(scanner, index);
      if (stop === 'on') continue;
      this.#take(text.slice(scanner.at, index));
      scanner.at = index;
      if (stop === 'more') return 'more';
      scanner.at = stop;
      this.#finish();
      return 'done';
    }
    this.#take(text.slice(scanner.at));
    scanner.at = text.length;
    return 'more';
  }

  /** The value is known as a whole: nothing where the parameter was written as `<parameter name="x"/>`. */
  finishWhole(text: string): void {
    if (this.#onlyText) this.#openString();
    else this.#mode = 'kept';
    this.#take(text);
    this.#finish();
  }

  /** Drops one newline behind the opener. False while it is open whether there is one. */
  #readPadding(scanner: Scanner): boolean {
    if (scanner.wantsMore(scanner.at)) return false;
    if (this.#options.padded) {
      const length = newlineLength(scanner, scanner.at);
      if (length === 'more') return false;
      this.#unpadded = length > 0;
      scanner.at += length;
    }
    this.#started = true;
    return true;
  }

  /** Chooses the mode by the type and the first characters. False while they are open. */
  #decide(scanner: Scanner): boolean {
    const markup = scanner.look(cdataOpen);
    if (markup === 'more') return false;
    if (markup === 'yes') {
      this.#mode = 'kept';
    } else if (this.#onlyText) {
      this.#openString();
    } else if (this.#options.schema.stringOrNull && this.#options.typed !== 'json') {
      const nothing = this.#lookNull(scanner);
      if (nothing === 'more') return false;
      if (nothing === 'no') this.#openString();
      else this.#mode = 'kept';
    } else this.#mode = 'kept';
    return true;
  }

  #openString(): void {
    this.#mode = 'string';
    const { plain, decodes, emit } = this.#options;
    if (plain) return;
    emit('"');
    if (decodes) this.#entities = new EntityText((text) => emit(escapeJson(text)));
  }

  /** Is the whole value the word null? */
  #lookNull(scanner: Scanner): 'yes' | 'no' | 'more' {
    const word = scanner.look('null');
    if (word !== 'yes') return word;
    let index = scanner.at + 4;
    if (this.#unpadded) {
      const length = newlineLength(scanner, index);
      if (length === 'more') return 'more';
      index += length;
    }
    if (scanner.wantsMore(index)) return 'more';
    const end = closes(scanner, index, this.#options.closer);
    return typeof end === 'number' ? 'yes' : end;
  }

  /** `on`: this character is part of the value; a number: the value ends here and its closer there. */
  #stopAt(scanner: Scanner, index: number): number | 'on' | 'more' {
    const code = scanner.text.charCodeAt(index);
    if (this.#inCdata) {
      if (code !== bracket) return 'on';
      const closing = scanner.look(cdataClose, index);
      if (closing === 'yes') this.#inCdata = false;
      return closing === 'more' ? 'more' : 'on';
    }
    if (code === newline || code === carriageReturn) return this.#stopAtLine(scanner, index);
    if (!this.#starts.includes(code) && !(code === less && this.#mode === 'kept')) return 'on';
    if (this.#mode === 'kept') {
      const markup = scanner.look(cdataOpen, index);
      if (markup === 'yes') this.#inCdata = true;
      if (markup !== 'no') return markup === 'more' ? 'more' : 'on';
    }
    return this.#nested.length > 0 ? this.#stopInNested(scanner, index) : this.#stopAtMarkup(scanner, index);
  }

  /** At a line end, which belongs to the markup where the value is over behind it. */
  #stopAtLine(scanner: Scanner, index: number): number | 'on' | 'more' {
    if (this.#nested.length > 0) return 'on';
    const length = newlineLength(scanner, index);
    if (length === 'more') return 'more';
    const line = index + length;
    if (length === 0) return 'on';
    if (scanner.wantsMore(line)) return 'more';
    if (this.#unpadded && this.#starts.includes(scanner.text.charCodeAt(line))) {
      const end = closes(scanner, line, this.#options.closer);
      if (end !== 'no') return end;
    }
    return this.#options.opensNext === undefined ? 'on' : this.#stopAtNext(scanner, line);
  }

  /** The next parameter opens on this line: the value was not closed. */
  #stopAtNext(scanner: Scanner, line: number): number | 'on' | 'more' {
    const index = behindIndentation(scanner, line);
    if (scanner.wantsMore(index)) return 'more';
    if (!this.#starts.includes(scanner.text.charCodeAt(index))) return 'on';
    const next = this.#options.opensNext?.(scanner, { index, line: true }) ?? 'no';
    return next === 'yes' ? this.#endUnclosed(index) : next === 'more' ? 'more' : 'on';
  }

  #stopAtMarkup(scanner: Scanner, index: number): number | 'on' | 'more' {
    const end = closes(scanner, index, this.#options.closer);
    if (end !== 'no') return end;
    const nested = this.#options.closer.nestedCall(scanner, index);
    if (typeof nested === 'object') this.#nested.push(nested);
    if (nested !== 'no') return nested === 'more' ? 'more' : 'on';
    const next = this.#options.opensNext?.(scanner, { index, line: false }) ?? 'no';
    return next === 'yes' ? this.#endUnclosed(index) : next === 'more' ? 'more' : 'on';
  }

  #endUnclosed(index: number): number {
    this.#options.issue('call-mended', 'The value was not closed; the next parameter shows where it ends.');
    return index;
  }

  /** Inside a call that the value holds: only its end, and further calls in it, mean anything. */
  #stopInNested(scanner: Scanner, place: number): 'on' | 'more' {
    const end = lookFor(scanner, place, this.#nested.at(-1) ?? []);
    if (typeof end === 'number') this.#nested.pop();
    if (end !== 'no') return end === 'more' ? 'more' : 'on';
    const nested = this.#options.closer.nestedCall(scanner, place);
    if (typeof nested === 'object' && this.#nested.length < deepestNesting) this.#nested.push(nested);
    return nested === 'more' ? 'more' : 'on';
  }

  #take(text: string): void {
    if (text === '') return;
    if (this.#mode === 'kept') this.#kept.push(text);
    else if (this.#entities !== undefined) this.#entities.push(text);
    else this.#options.emit(this.#options.plain ? text : escapeJson(text));
  }

  #finish(): void {
    if (this.#mode === 'string') {
      if (this.#entities?.end()) this.#tellDecoded();
      if (!this.#options.plain) this.#options.emit('"');
    } else this.#finishKept(this.#kept.join(''));
  }

  #tellDecoded(): void {
    this.#options.issue('value-coerced', 'Character references in a value were decoded.');
  }

  /** A value that may be a string is decoded before its type is chosen; what stands in CDATA says itself that it is raw. */
  #finishKept(written: string): void {
    const { emit, schema, issue, plain, decodes, typed } = this.#options;
    const escaped = decodes === true && !plain && typed !== 'json' && schema.admits('string');
    const text = escaped ? decodeEntities(written) : written;
    if (text !== written) this.#tellDecoded();
    const inside = unwrapCdata(written) ?? (this.#onlyText ? text : undefined);
    if (inside !== undefined) {
      emit(plain ? inside : `"${escapeJson(inside)}"`);
      return;
    }
    const value = typed === 'json' ? coerceJson(text, schema) : coerceText(text, schema);
    const nested = value.issue === 'value-kept' ? readNestedTags(text, schema) : undefined;
    emit(nested ?? value.json);
    if (nested !== undefined) issue('value-coerced', 'A value was written as nested tags.');
    else if (value.issue === 'value-kept') issue('value-kept', 'A value does not fit its schema and was kept as text.');
    else if (value.issue !== undefined) issue('value-coerced', 'A value was brought to its type.');
  }
}

/** Whether the value can be nothing but a string, whatever it looks like. */
function isOnlyText({ schema, typed }: TextValueOptions): boolean {
  if (typed === 'json') return false;
  if (typed === 'text') return schema.untyped || schema.admits('string');
  return schema.onlyString || schema.untyped;
}

/** Length of the line end at `index`: 0, 1 or 2. */
function newlineLength(scanner: Scanner, index: number): number | 'more' {
  const code = scanner.text.charCodeAt(index);
  if (code === newline) return 1;
  if (code !== carriageReturn) return 0;
  if (scanner.wantsMore(index + 1)) return 'more';
  return scanner.text.charCodeAt(index + 1) === newline ? 2 : 0;
}

/** Index behind the blanks that begin a line. */
function behindIndentation(scanner: Scanner, line: number): number {
  let index = line;
  for (; index < line + longestGap; index += 1) {
    const code = scanner.text.charCodeAt(index);
    if (code !== space && code !== tab) return index;
  }
  return index;
}

/** The inside of a value that is nothing but CDATA sections; undefined when it is anything else. */
function unwrapCdata(text: string): string | undefined {
  if (!text.startsWith(cdataOpen) || !text.endsWith(cdataClose)) return undefined;
  const sections = text.slice(cdataOpen.length, -cdataClose.length).split(`${cdataClose}${cdataOpen}`);
  return sections.some((section) => section.includes(cdataClose)) ? undefined : sections.join('');
}
