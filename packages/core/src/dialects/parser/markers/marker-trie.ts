import { anySuffix, CharacterSet, isSuffixCharacter, type Look, longestSuffix } from '../scanner.ts';

const suffix = anySuffix.charCodeAt(0);

/** From so many followers on a character has a table of them. */
const many = 8;
const ascii = 128;

/** A character of markers. Most are small, without a table: grammars that depend on the tools are made for each request. */
class Node<Value> {
  readonly code: number;
  value: Value | undefined;
  /** The first of the characters that follow it. */
  child: Node<Value> | undefined;
  /** The next of the characters that are at the same place. */
  readonly sibling: Node<Value> | undefined;
  #followers = 0;
  /** Those of ASCII. */
  #table: (Node<Value> | undefined)[] | undefined;

  constructor(code: number, sibling: Node<Value> | undefined) {
    this.code = code;
    this.sibling = sibling;
  }

  find(code: number): Node<Value> | undefined {
    if (this.#table !== undefined && code < ascii) return this.#table[code];
    let node = this.child;
    while (node !== undefined && node.code !== code) node = node.sibling;
    return node;
  }

  /** The character after this one, made where there is none. */
  follow(code: number): Node<Value> {
    const found = this.find(code);
    if (found !== undefined) return found;
    const child = new Node(code, this.child);
    this.child = child;
    this.#followers += 1;
    if (this.#table !== undefined && code < ascii) this.#table[code] = child;
    else if (this.#followers === many) this.#table = this.#tabulate();
    return child;
  }

  #tabulate(): (Node<Value> | undefined)[] {
    const table = new Array<Node<Value> | undefined>(ascii).fill(undefined);
    for (let node = this.child; node !== undefined; node = node.sibling) if (node.code < ascii) table[node.code] = node;
    return table;
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
  readonly #root = new Node<Value>(0, undefined);
  /** What a marker can start with. */
  readonly starts = new CharacterSet();
  readonly #fold: boolean;
  readonly #entries: (readonly [string, Value])[] = [];

  /** `fold`: ASCII letters match in either case. */
  constructor(
    entries: Iterable<readonly [marker: string, value: Value]> = [],
    options: { readonly fold?: boolean } = {},
  ) {
    this.#fold = options.fold ?? false;
    for (const [marker, value] of entries) this.add(marker, value);
  }

  add(marker: string, value: Value): void {
    const first = marker.charCodeAt(0);
    for (const code of this.#fold ? bothCases(first) : [first]) this.starts.add(code);
    let node = this.#root;
    for (let index = 0; index < marker.length; index += 1) {
      const code = this.#fold ? lower(marker.charCodeAt(index)) : marker.charCodeAt(index);
      node = node.follow(code);
    }
    if (node.value === undefined) {
      node.value = value;
      this.#entries.push([marker, value]);
    }
  }

  /** Every marker with its value. */
  entries(): readonly (readonly [marker: string, value: Value])[] {
    return this.#entries;
  }

  /** The marker at `index`; `more` when what has arrived may still become one, or a longer one. */
  find(text: Characters, index: number, ended: boolean): Found<Value> | Exclude<Look, 'yes'> {
    let node = this.#root;
    let longest: Found<Value> | 'no' = 'no';
    let suffixStart = index;
    for (let at = index; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let child = code === suffix ? undefined : node.find(this.#fold ? lower(code) : code);
      if (child === undefined && isSuffixCharacter(code)) {
        if (node.code !== suffix) suffixStart = at;
        child = node.code === suffix ? node : node.find(suffix);
        if (at - suffixStart >= longestSuffix) return longest;
      }
      if (child === undefined) return longest;
      if (child.value !== undefined) {
        longest = { value: child.value, length: at + 1 - index };
        if (child.child === undefined) return longest;
      }
      node = child;
    }
    return ended ? longest : 'more';
  }
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function bothCases(code: number): readonly number[] {
  const small = lower(code);
  return small >= 97 && small <= 122 ? [small, small - 32] : [code];
}
