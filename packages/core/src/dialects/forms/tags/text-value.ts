import { coerceJson, coerceText } from '../../../json/coerce.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { StringLook } from '../../../json/string-look.ts';
import type { Scanner } from '../../parser/scanner.ts';
import { decodeEntities, EntityText } from './entity-text.ts';
import { readNestedTags } from './nested-tags.ts';
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
  /** `done` behind the value's closer. */
  read(scanner: Scanner): 'more' | 'done';
}

/** What a value is, how it is written, and where it goes. */
export interface TextValueOptions extends ValueEndOptions {
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
}

/**
 * Reads a parameter's value that is written as text, up to its closer, which counts only at its place in the grammar.
 * A value that can only be a string leaves JSON-escaped while it is written; the others leave at their end.
 */
export class TextValue implements ValueReader {
  readonly #options: TextValueOptions;
  readonly #onlyText: boolean;
  readonly #end: ValueEnd;
  #mode: Mode = 'undecided';
  #started = false;
  /** A newline was dropped behind the opener, so one before the closer is dropped too. */
  #unpadded = false;
  #kept: string[] = [];
  readonly #look: StringLook;
  /** What decodes the value; absent where it leaves as it is. */
  #entities: EntityText | undefined;

  constructor(options: TextValueOptions) {
    this.#options = options;
    this.#onlyText = isOnlyText(options);
    this.#end = new ValueEnd(options);
    this.#look = new StringLook(options.schema);
  }

  /** `done` behind the closer. */
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
    this.#end.padded = this.#unpadded;
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
    const { plain, decodes, emit } = this.#options;
    if (plain) return;
    emit('"');
    if (decodes) this.#entities = new EntityText((text) => emit(escapeJson(text)));
  }

  #take(text: string): void {
    if (text === '') return;
    this.#end.pass(text);
    if (this.#mode === 'looking') this.#takeLooking(text);
    else if (this.#mode === 'kept') this.#kept.push(text);
    else if (this.#entities !== undefined) this.#entities.push(text);
    else this.#options.emit(this.#options.plain ? text : escapeJson(text));
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
      if (this.#entities?.end()) this.#tellDecoded();
      if (!this.#options.plain) this.#options.emit('"');
    } else this.#finishKept(this.#kept.join(''));
  }

  #tellDecoded(): void {
    this.#options.issue('value-coerced', 'Character references in a value were decoded.');
  }

  /**
   * A value that may be a string is decoded before its type is chosen. What stands in CDATA is raw, and a string where one may
   * stand.
   */
  #finishKept(written: string): void {
    const { emit, schema, issue, plain, decodes, typed } = this.#options;
    const escaped = decodes === true && !plain && typed !== 'json' && schema.admits('string');
    const text = escaped ? decodeEntities(written) : written;
    if (text !== written) this.#tellDecoded();
    const raw = unwrapCdata(written);
    if (this.#onlyText || (raw !== undefined && schema.admits('string'))) {
      const inside = raw ?? text;
      emit(plain ? inside : `"${escapeJson(inside)}"`);
      return;
    }
    const given = raw ?? text;
    const value = typed === 'json' ? coerceJson(given, schema) : coerceText(given, schema);
    const nested = value.issue === 'value-kept' ? readNestedTags(given, schema) : undefined;
    emit(nested ?? value.json);
    if (nested !== undefined) issue('value-coerced', 'A value was written as nested tags.');
    else if (value.issue !== undefined) issue(value.issue, tellings[value.issue]);
  }
}

const tellings = {
  'value-coerced': 'A value was brought to its type.',
  'value-kept': 'A value does not fit its schema and was kept as text.',
  'parameter-repeated': 'A key in a value came twice; the first one counts.',
} as const;

/** Whether the value can be nothing but a string, whatever it looks like. */
function isOnlyText({ schema, typed, plain }: TextValueOptions): boolean {
  if (plain) return true;
  return typed === 'text' ? schema.admits('string') : typed === undefined && schema.onlyString;
}

/** The inside of a value that is nothing but CDATA sections; undefined when it is anything else. */
function unwrapCdata(text: string): string | undefined {
  if (!text.startsWith(cdataOpen) || !text.endsWith(cdataClose)) return undefined;
  const sections = text.slice(cdataOpen.length, -cdataClose.length).split(`${cdataClose}${cdataOpen}`);
  return sections.some((section) => section.includes(cdataClose)) ? undefined : sections.join('');
}
