import { bothCases, lowerAscii, lowerUnit } from '../../../chat/letter-case.ts';
import { isPlainCharacter } from '../../../json/json-characters.ts';
import { anySuffix, CharacterSet, type Look, longestSuffix } from '../scanner.ts';

const suffix = anySuffix.charCodeAt(0);

type Marked<Value> = readonly [marker: string, value: Value];

/** Markers that begin alike, up to a place in them. They part where a text is first read on: of what dialects may meet, most meet little. */
class Branch<Value> {
  readonly #markers: readonly Marked<Value>[];
  /** The one that ends here; where it is the only one, it may go on. */
  readonly whole: Marked<Value> | undefined;
  #next: Map<number, Branch<Value>> | undefined;

  /** All of them are different, but for the first `read` characters. */
  constructor(markers: readonly Marked<Value>[], read: number) {
    this.#markers = markers;
    this.whole = markers.length === 1 ? markers[0] : markers.find(([{ length }]) => length === read);
  }

  get isOnly(): boolean {
    return this.#markers.length === 1;
  }

  /** Those that go on with this character after `read` others. */
  find(code: number, read: number): Branch<Value> | undefined {
    if (this.isOnly) return this.whole?.[0].charCodeAt(read) === code ? this : undefined;
    this.#next ??= this.#part(read);
    return this.#next.get(code);
  }

  #part(read: number): Map<number, Branch<Value>> {
    const parts = new Map<number, Marked<Value>[]>();
    for (const marked of this.#markers) {
      const code = marked[0].charCodeAt(read);
      const part = parts.get(code);
      if (part === undefined) parts.set(code, [marked]);
      else part.push(marked);
    }
    return new Map(Array.from(parts, ([code, part]) => [code, new Branch(part, read + 1)]));
  }
}

/** A found marker. */
export interface Found<Value> {
  readonly value: Value;
  readonly length: number;
}

/** What a text is searched by. */
export type Characters = Pick<string, 'length' | 'charCodeAt'>;

/**
 * The table of a grammar's markers, searched one character at a time. Where one begins another, the longer one counts, and a
 * character of its own counts for more than `anySuffix`.
 */
export class MarkerTrie<Value> {
  /** What a marker can start with. */
  readonly starts = new CharacterSet();
  readonly #fold: boolean;
  #hasSuffixes = false;
  /** Of equal ones the first. */
  readonly #values = new Map<string, Value>();
  #root: Branch<Value> | undefined;

  /** `fold`: ASCII letters match in either case. */
  constructor(entries: Iterable<Marked<Value>> = [], options: { readonly fold?: boolean } = {}) {
    this.#fold = options.fold ?? false;
    for (const [marker, value] of entries) this.add(marker, value);
  }

  add(marker: string, value: Value): void {
    const first = marker.charCodeAt(0);
    for (const code of this.#fold ? bothCases(first) : [first]) this.starts.add(code);
    const text = this.#fold ? lowerAscii(marker) : marker;
    this.#hasSuffixes ||= text.includes(anySuffix);
    if (!this.#values.has(text)) this.#values.set(text, value);
    this.#root = undefined;
  }

  /** Every marker with its value, in small letters where these match in either case. */
  entries(): readonly Marked<Value>[] {
    return [...this.#values];
  }

  /** The marker at `index`; `more` when what has arrived may still become one, or a longer one. */
  find(text: Characters, index: number, ended: boolean): Found<Value> | Exclude<Look, 'yes'> {
    this.#root ??= new Branch(this.entries(), 0);
    let branch = this.#root;
    let read = 0;
    let longest: Found<Value> | 'no' = 'no';
    let suffixStart = -1;
    for (let at = index; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let next = code === suffix ? undefined : branch.find(this.#fold ? lowerUnit(code) : code, read);
      if (next !== undefined) {
        suffixStart = -1;
        read += 1;
      } else if (this.#hasSuffixes && isPlainCharacter(code)) {
        if (suffixStart >= 0) next = branch;
        else {
          next = branch.find(suffix, read);
          suffixStart = at;
          read += 1;
        }
        if (at - suffixStart >= longestSuffix) return longest;
      }
      if (next === undefined) return longest;
      branch = next;
      const { whole } = branch;
      if (whole?.[0].length !== read) continue;
      longest = { value: whole[1], length: at + 1 - index };
      if (branch.isOnly) return longest;
    }
    return ended ? longest : 'more';
  }
}
