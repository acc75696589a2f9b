import { compactJson } from './compact-json.ts';
import { endOfString } from './end-of-string.ts';
import { skipSpace } from './json-characters.ts';
import { deepestJson, type JsonBounds, type JsonSurvey, surveyJson } from './json-depth.ts';
import { isKeptAsWritten, numberEnd, startsNumber } from './json-numbers.ts';
import { JsonText } from './json-text.ts';

/** The text of parsed objects and lists that hold a number which JavaScript would not write as it was. */
const sources = new WeakMap<object, string>();

/**
 * `JSON.parse`, after which `jsonOf` knows how the numbers were written: `9007199254740993`, `1.0`, `1e400` and `-0` are
 * other numbers, or other types to other languages, once JavaScript has held them. Costs one pass more, and a second one
 * only where there is such a number. Throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  rememberNumbers(text, value);
  return value;
}

/** What a text within bounds was parsed to, or what it holds too much of. */
export type BoundedJson =
  | ({ readonly value: unknown } & Pick<JsonSurvey, 'hasOddNumber' | 'values'>)
  | { readonly excess: keyof JsonBounds };

/** `parseJson` for the text of strangers, which is parsed only within bounds; one pass tells both. Throws SyntaxError. */
export function parseBounded(text: string, most: JsonBounds): BoundedJson {
  const { excess, hasOddNumber, values } = surveyJson(text, most);
  if (excess !== undefined) return { excess };
  const value: unknown = JSON.parse(text);
  if (hasOddNumber && isContainer(value)) new SourceWalk(text).remember(value);
  return { value, hasOddNumber, values };
}

/** The same for what `text` has been parsed to already. Values must not be changed afterwards. */
export function rememberNumbers(text: string, value: unknown): void {
  if (!isContainer(value)) return;
  // Of what is nested deeper than anybody reads, nothing is remembered: the walk goes as deep as the value.
  const { excess, hasOddNumber } = surveyJson(text, readable);
  if (hasOddNumber && excess === undefined) new SourceWalk(text).remember(value);
}

const readable: JsonBounds = { depth: deepestJson, values: Number.POSITIVE_INFINITY };

/** JSON text of a value: as it was written where its numbers need that, else as `JSON.stringify` writes it. */
export function jsonOf(value: object): string {
  return sources.get(value) ?? JSON.stringify(value);
}

/**
 * What stands for a parsed value in a body: its text, without white space, where its numbers need that, else the value
 * itself. Only for what `writeJson` writes.
 */
export function withExactNumbers<Value>(value: Value): Value | JsonText {
  const source = typeof value === 'object' && value !== null ? sources.get(value) : undefined;
  return source === undefined ? value : new JsonText(compactJson(source));
}

/** A copy of a parsed object in which members were added or replaced: what is known of its numbers holds for the copy. */
export function rememberCopy(copy: Container, original: Container): void {
  const source = sources.get(original);
  if (source === undefined) return;
  const changed = Object.entries(copy).filter(([key, value]) => value !== original[key]);
  // Of members that come twice the last one counts. There is a first one: it holds the number.
  const added = JSON.stringify(Object.fromEntries(changed)).slice(1);
  rememberNumbers(changed.length === 0 ? source : `${source.slice(0, -1)},${added}`, copy);
}

type Container = { readonly [key: string | number]: unknown };

/**
 * The most objects and lists of one text that are remembered. A body has room for millions, over which the garbage
 * collector would take minutes; what a wire asks for stands far outside.
 */
const mostRemembered = 100_000;

/** Walks through valid JSON text and what it was parsed to, side by side. */
class SourceWalk {
  readonly #text: string;
  /** How many objects and lists hold odd numbers, by the number of those around them. */
  readonly #counts: number[] = [];
  /** Those inside of so many others are not remembered. */
  #tooDeep = 0;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Remembers what holds odd numbers; only the outermost, where all are too many. The first walk counts. */
  remember(parsed: unknown): void {
    this.#value(undefined);
    let sum = 0;
    const tooDeep = this.#counts.findIndex((count) => {
      sum += count;
      return sum > mostRemembered;
    });
    this.#tooDeep = tooDeep < 0 ? this.#counts.length : tooDeep;
    this.#at = 0;
    this.#value(parsed);
  }

  /** Reads the value that follows, and says whether it holds an odd number. */
  #value(parsed: unknown): boolean {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x7b || code === 0x5b) return this.#container(parsed, code === 0x7b);
    if (code === 0x22) {
      this.#at = endOfString(this.#text, this.#at + 1) + 1;
      return false;
    }
    if (startsNumber(code)) {
      const start = this.#at;
      this.#at = numberEnd(this.#text, start);
      return !isKeptAsWritten(this.#text, start, this.#at);
    }
    // `false` has five letters, `true` and `null` have four.
    this.#at += code === 0x66 ? 5 : 4;
    return false;
  }

  /** A key that comes twice leads to the value of the last one, which is visited last. */
  #container(parsed: unknown, isObject: boolean): boolean {
    const start = this.#at;
    const holder = isContainer(parsed) ? parsed : undefined;
    let isOdd = false;
    let index = 0;
    this.#at += 1;
    this.#depth += 1;
    for (this.#skipSpace(); !this.#closes(); this.#skipSpace()) {
      const key = isObject ? this.#key() : index;
      if (this.#value(holder !== undefined && Object.hasOwn(holder, key) ? holder[key] : undefined)) isOdd = true;
      index += 1;
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) === 0x2c) this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
    if (isOdd) this.#counts[this.#depth] = (this.#counts[this.#depth] ?? 0) + 1;
    if (holder !== undefined && this.#depth < this.#tooDeep) {
      if (isOdd) sources.set(holder, this.#text.slice(start, this.#at));
      else sources.delete(holder);
    }
    return isOdd;
  }

  #closes(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    // A text that ends here is none that was parsed; the walk still has to end.
    return code === 0x7d || code === 0x5d || Number.isNaN(code);
  }

  #key(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start + 1);
    this.#at = end + 1;
    this.#skipSpace();
    this.#at += 1;
    const plain = this.#text.slice(start + 1, end);
    return plain.includes('\\') ? String(JSON.parse(this.#text.slice(start, end + 1))) : plain;
  }

  #skipSpace(): void {
    this.#at = skipSpace(this.#text, this.#at);
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
