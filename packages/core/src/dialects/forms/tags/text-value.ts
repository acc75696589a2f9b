import { coerceJson, coerceText } from '../../../json/coerce.ts';
import { isDigit, isHexDigit, isLetter } from '../../../json/json-characters.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { StringLook } from '../../../json/string-look.ts';
import type { OpenValue } from '../../parser/grammar.ts';
import { look, type Scanner } from '../../parser/scanner.ts';
import { cdataClose, cdataOpen, newlineLength, ValueEnd, type ValueEndOptions } from './value-end.ts';

/** How the value is read; decided at its first characters, before anything leaves. */
type Mode =
  | 'undecided'
  /** Text that leaves as it is written. */
  | 'string'
  /** Text that may be something else: kept until it can only be a string. */
  | 'looking'
  /** Another type, or markup around the whole value: kept, and decided at the closer. */
  | 'kept';

/** Reads one value of a call. */
export interface ValueReader {
  /** `done` after the value's closer. */
  read(scanner: Scanner): 'more' | 'done';
  /** As for a call. */
  readonly inside?: OpenValue | undefined;
}

/** What a value is, how it is written, and where it goes. */
export interface TextValueOptions extends ValueEndOptions {
  readonly schema: SchemaView;
  /** One newline after the opener, and then one before the closer, belong to the markup. */
  readonly padded: boolean;
  /** What the markup says of the value; without it the schema says. */
  readonly typed?: 'text' | 'json' | undefined;
  /** Character references in a string are decoded where all of it is escaped. */
  readonly decodes?: boolean;
  /** JSON text of the value, in slices that add up. */
  readonly emit: (json: string) => void;
}

/**
 * Reads a parameter's value that is written as text, up to its closer, which counts only at its place in the grammar.
 * A value that can only be a string leaves JSON-escaped while it is written; the others leave at their end.
 */
export class TextValue implements ValueReader, OpenValue {
  readonly #options: TextValueOptions;
  /** Apart from the other options, as they are asked for every piece. */
  readonly #emit: TextValueOptions['emit'];
  readonly #onlyText: boolean;
  readonly #end: ValueEnd;
  #mode: Mode = 'undecided';
  #started = false;
  /** A newline was dropped after the opener, so one before the closer is dropped too. */
  #unpadded = false;
  #kept: string[] = [];
  readonly #look: StringLook;
  /** What decodes the value; absent where it leaves as it is. */
  #entities: EntityText | undefined;

  constructor(options: TextValueOptions) {
    this.#options = options;
    this.#emit = options.emit;
    this.#onlyText = isOnlyText(options);
    this.#end = new ValueEnd(options);
    this.#look = new StringLook(options.schema);
  }

  get inside(): OpenValue | undefined {
    return this.#mode === 'undecided' ? undefined : this;
  }

  pass(text: string): boolean {
    if (this.#mode === 'string' && this.#entities === undefined && this.#end.isBare(text)) {
      this.#end.pass(text);
      this.#emit(text);
      return true;
    }
    if (this.#end.find(text, 0) < text.length) return false;
    this.#take(text);
    return true;
  }

  /** `done` after the closer. */
  read(scanner: Scanner): 'more' | 'done' {
    if (!this.#started && !this.#readPadding(scanner)) return 'more';
    if (this.#mode === 'undecided' && !this.#decide(scanner)) return 'more';
    const { text } = scanner;
    const end = this.#end;
    for (let index = end.find(text, scanner.at); index < text.length; index = end.find(text, index + 1)) {
      const stop = end.stopAt(scanner, index);
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

  /** Drops one newline after the opener. False while it is open whether there is one. */
  #readPadding(scanner: Scanner): boolean {
    if (scanner.wantsMore(scanner.at)) return false;
    if (this.#options.padded) {
      const length = newlineLength(scanner, scanner.at);
      if (length === 'more') return false;
      this.#unpadded = length > 0;
      scanner.at += length;
    }
    this.#started = true;
    this.#end.padded = this.#unpadded;
    return true;
  }

  /** Chooses the mode by the type and the first characters. False while they are open. */
  #decide(scanner: Scanner): boolean {
    const markup = look(scanner, cdataOpen);
    if (markup === 'more') return false;
    if (markup === 'yes') {
      this.#mode = 'kept';
    } else if (this.#onlyText) {
      this.#openString();
    } else this.#mode = this.#mayLeaveEarly ? 'looking' : 'kept';
    this.#end.kept = this.#mode === 'kept';
    return true;
  }

  /** Some text can be nothing but a string long before its end. What is escaped is known only when it is decoded. */
  get #mayLeaveEarly(): boolean {
    const { schema, typed, decodes } = this.#options;
    const escapesMatter = decodes === true && (schema.admits('object') || schema.admits('array'));
    return schema.admits('string') && typed !== 'json' && !escapesMatter;
  }

  #openString(): void {
    this.#mode = 'string';
    this.#emit('"');
    if (this.#options.decodes) this.#entities = new EntityText((text) => this.#emit(escapeJson(text)));
  }

  #take(text: string): void {
    if (text === '') return;
    this.#end.pass(text);
    if (this.#mode === 'looking') this.#takeLooking(text);
    else if (this.#mode === 'kept') this.#kept.push(text);
    else if (this.#entities !== undefined) this.#entities.push(text);
    else this.#emit(escapeJson(text));
  }

  #takeLooking(text: string): void {
    this.#kept.push(text);
    this.#look.push(text);
    if (!this.#look.isString) return;
    this.#openString();
    this.#take(this.#kept.join(''));
    this.#kept = [];
  }

  #finish(): void {
    if (this.#mode === 'string') {
      if (this.#entities?.end()) this.#reportDecoded();
      this.#emit('"');
    } else this.#finishKept(this.#kept.join(''));
  }

  #reportDecoded(): void {
    this.#options.warning('value-coerced', 'Character references in a value were decoded.');
  }

  /**
   * A value that may be a string is decoded before its type is chosen. What is in CDATA is raw, and a string where one may
   * stand.
   */
  #finishKept(written: string): void {
    const { schema, warning, decodes, typed } = this.#options;
    const escaped = decodes === true && typed !== 'json' && schema.admits('string');
    const text = escaped ? decodeEntities(written) : written;
    if (text !== written) this.#reportDecoded();
    const raw = unwrapCdata(written);
    if (this.#onlyText || (raw !== undefined && schema.admits('string'))) {
      this.#emit(`"${escapeJson(raw ?? text)}"`);
      return;
    }
    const given = raw ?? text;
    const value = typed === 'json' ? coerceJson(given, schema) : coerceText(given, schema);
    const nested = value.warning === 'value-kept' ? readNestedTags(given, schema) : undefined;
    this.#emit(nested ?? value.json);
    if (nested !== undefined) warning('value-coerced', 'A value was written as nested tags.');
    else if (value.warning !== undefined) warning(value.warning, descriptions[value.warning]);
  }
}

const descriptions = {
  'value-coerced': 'A value was brought to its type.',
  'value-kept': 'A value does not fit its schema and was kept as text.',
  'parameter-repeated': 'A key in a value came twice; the first one counts.',
} as const;

/** Whether the value can be nothing but a string, whatever it looks like. */
function isOnlyText({ schema, typed }: TextValueOptions): boolean {
  return typed === 'text' ? schema.admits('string') : typed === undefined && schema.onlyString;
}

/** The inside of a value that is nothing but CDATA sections; undefined when it is anything else. */
function unwrapCdata(text: string): string | undefined {
  if (!text.startsWith(cdataOpen) || !text.endsWith(cdataClose)) return undefined;
  const sections = text.slice(cdataOpen.length, -cdataClose.length).split(`${cdataClose}${cdataOpen}`);
  return sections.some((section) => section.includes(cdataClose)) ? undefined : sections.join('');
}

/** What the value holds so far. */
type State =
  /** No reference: what comes leaves as it is. */
  | 'plain'
  /** A reference, and nothing that shows that the value is not escaped: all from there on is held. */
  | 'held'
  /** A raw `<`, `>` or `&`, or too much was held: everything leaves as it is. */
  | 'raw';

const named: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** From the `&` to the `;`: `&#1114111;` is the longest. */
const longestReference = 10;

/** So much is held at most, in UTF-16 units from the first reference on; a longer value stays raw. */
const mostHeld = 256 * 1024;

const less = 60;
const greater = 62;
const ampersand = 38;

/**
 * Decodes the character references of a value once, if it is escaped throughout: it holds references, and no raw `<`, `>` or
 * bare `&`. Any other value leaves as it is written. What comes before the first reference never waits. What
 * leaves depends on the value alone, not on how it was cut.
 */
export class EntityText {
  readonly #emit: (text: string) => void;
  #state: State = 'plain';
  /** What has come from the first reference on. */
  #held: string[] = [];
  #heldLength = 0;
  /** An `&` with what comes after it, which may become a reference. */
  #open = '';

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    this.#read(this.#open + text, false);
  }

  /** Returns whether the value was decoded. */
  end(): boolean {
    this.#read(this.#open, true);
    if (this.#state !== 'held') return false;
    this.#emit(decode(this.#held.join('')));
    return true;
  }

  #read(text: string, ended: boolean): void {
    let from = 0;
    let at = 0;
    while (this.#state !== 'raw' && at < text.length) {
      const next = this.#look(text, { at, held: this.#heldLength + at - from });
      if (next === 'more' && !ended) break;
      if (typeof next === 'string') this.#state = 'raw';
      else {
        if (this.#state === 'plain' && text.charCodeAt(at) === ampersand) {
          this.#let(text.slice(from, at));
          this.#state = 'held';
          from = at;
        }
        at = next;
      }
    }
    this.#open = this.#state === 'raw' ? '' : text.slice(at);
    this.#take(this.#state === 'raw' ? text.slice(from) : text.slice(from, at));
  }

  /** The index after the character or reference at `at`; `no` where it shows that the value is not escaped throughout. */
  #look(text: string, { at, held }: { readonly at: number; readonly held: number }): number | 'no' | 'more' {
    const code = text.charCodeAt(at);
    if (code === less || code === greater) return 'no';
    if (this.#state === 'held' && held >= mostHeld) return 'no';
    if (code !== ampersand) return at + 1;
    const reference = readReference(text, at);
    return typeof reference === 'string' ? reference : at + reference.length;
  }

  #take(text: string): void {
    if (this.#state === 'held') {
      this.#held.push(text);
      this.#heldLength += text.length;
      return;
    }
    this.#let(this.#held.join(''));
    this.#held = [];
    this.#let(text);
  }

  #let(text: string): void {
    if (text !== '') this.#emit(text);
  }
}

interface Reference {
  readonly text: string;
  readonly length: number;
}

/** The reference at `index`, where an `&` stands. */
function readReference(text: string, index: number): Reference | 'no' | 'more' {
  const length = text.slice(index, index + longestReference).indexOf(';');
  if (length < 0) return text.length - index < longestReference ? 'more' : 'no';
  const end = index + length;
  const name = text.slice(index + 1, end);
  const character = name.startsWith('#') ? numbered(name.slice(1)) : named.get(name);
  return character === undefined ? 'no' : { text: character, length: end + 1 - index };
}

function numbered(digits: string): string | undefined {
  const isHex = digits.startsWith('x') || digits.startsWith('X');
  const shown = isHex ? digits.slice(1) : digits;
  const isAllowed = isHex ? isHexDigit : isDigit;
  if (shown === '' || ![...shown].every((digit) => isAllowed(digit.charCodeAt(0)))) return undefined;
  const code = Number.parseInt(shown, isHex ? 16 : 10);
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}

function decode(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const reference = readReference(text, at);
    if (typeof reference === 'string') continue;
    pieces.push(text.slice(done, at), reference.text);
    done = at + reference.length;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** A whole value, decoded by the same rule. */
function decodeEntities(text: string): string {
  const pieces: string[] = [];
  const reader = new EntityText((piece) => pieces.push(piece));
  reader.push(text);
  reader.end();
  return pieces.join('');
}

/** Tags nested deeper than this are not read. */
const deepest = 32;

/**
 * A list or object that was written as nested tags instead of JSON, as JSON text: `<item>…</item>` for the elements of a
 * list, `<key>…</key>` for the members of an object. Undefined when the text is anything else.
 */
export function readNestedTags(text: string, schema: SchemaView, depth = 0): string | undefined {
  if (depth > deepest) return undefined;
  const children = readChildren(text);
  if (children === undefined || children.length === 0) return undefined;
  if (schema.admits('array')) {
    const [first] = children;
    if (children.some((child) => child.tag !== first?.tag)) return undefined;
    const items = children.map((child, index) => readValue(child.text, schema.items(index), depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!schema.admits('object') || new Set(children.map((child) => child.tag)).size < children.length) return undefined;
  const members = children.map((child) => {
    const value = readValue(child.text, schema.property(child.tag), depth + 1);
    return value === undefined ? undefined : `"${escapeJson(child.tag)}":${value}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}

function readValue(text: string, schema: SchemaView, depth: number): string | undefined {
  const value = coerceText(text, schema);
  return value.warning === 'value-kept' ? readNestedTags(text, schema, depth) : value.json;
}

interface Child {
  readonly tag: string;
  readonly text: string;
}

/** The elements of a text that is nothing but `<tag>…</tag>` elements and white space. */
function readChildren(text: string): readonly Child[] | undefined {
  const children: Child[] = [];
  let at = 0;
  while (true) {
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
    if (at === text.length) return children;
    const open = text[at] === '<' ? text.indexOf('>', at) : -1;
    const tag = text.slice(at + 1, open);
    if (open < 0 || tag === '' || !isTagName(tag)) return undefined;
    const closer = `</${tag}>`;
    const close = closeOf(text, { opener: `<${tag}>`, closer }, open + 1);
    if (close < 0) return undefined;
    children.push({ tag, text: text.slice(open + 1, close) });
    at = close + closer.length;
  }
}

/** Index of the closer that belongs to the opener before `from`, counting the tags of the same name in between. Looks at each place once. */
function closeOf(
  text: string,
  { opener, closer }: { readonly opener: string; readonly closer: string },
  from: number,
): number {
  let open = 1;
  let at = from;
  while (true) {
    const close = text.indexOf(closer, at);
    if (close < 0) return -1;
    open += countOf(opener, text.slice(at, close)) - 1;
    if (open === 0) return close;
    at = close + closer.length;
  }
}

function countOf(literal: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) count += 1;
  return count;
}

function isTagName(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const later = isDigit(code) || code === 45 || code === 46 || code === 58;
    if (!isLetter(code) && code !== 95 && code <= 127 && !(index > 0 && later)) return false;
  }
  return true;
}
