import { anySuffix, CharacterSet, isSuffixCharacter, type Look, longestSuffix } from '../scanner.ts';

const suffix = anySuffix.charCodeAt(0);

/** From so many followers on a character has a table of them. */
const many = 8;
const ascii = 128;

/**
 * A place at which markers part or one ends. What they have in common up to there is no node of its own: most markers have nothing
 * in common, and grammars that depend on the tools are made for each request.
 */
class Node<Value> {
  /** A marker that goes through here; its beginning of `length` characters leads here. */
  readonly text: string;
  length: number;
  /** The character that comes first after the node before. */
  readonly code: number;
  value: Value | undefined;
  /** The first of those that follow, each with another character. */
  child: Node<Value> | undefined;
  /** The next of those that follow the same place. */
  readonly sibling: Node<Value> | undefined;
  #followers = 0;
  /** The followers of ASCII. */
  #table: (Node<Value> | undefined)[] | undefined;

  constructor(text: string, { at, sibling }: { readonly at: number; readonly sibling?: Node<Value> | undefined }) {
    this.text = text;
    this.length = text.length;
    this.code = text.charCodeAt(at);
    this.sibling = sibling;
  }

  /** The node that this character leads to, or towards, where `read` characters have led to or towards this one. */
  find(code: number, read: number): Node<Value> | undefined {
    if (read < this.length) return this.text.charCodeAt(read) === code ? this : undefined;
    if (this.#table !== undefined && code < ascii) return this.#table[code];
    let node = this.child;
    while (node !== undefined && node.code !== code) node = node.sibling;
    return node;
  }

  /** What no follower begins like. */
  follow(text: string): Node<Value> {
    const child = new Node(text, { at: this.length, sibling: this.child });
    this.child = child;
    this.#followers += 1;
    if (this.#table !== undefined && child.code < ascii) this.#table[child.code] = child;
    else if (this.#followers === many) this.#table = this.#tabulate();
    return child;
  }

  /** What stood at its end stands in a follower from here on. */
  splitAt(length: number): void {
    const rest = new Node<Value>(this.text, { at: length });
    rest.length = this.length;
    rest.value = this.value;
    rest.child = this.child;
    rest.#followers = this.#followers;
    rest.#table = this.#table;
    this.length = length;
    this.value = undefined;
    this.child = rest;
    this.#followers = 1;
    this.#table = undefined;
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
 * character of its own counts for more than `anySuffix`. It is made when it is first searched: of what dialects may meet, most meet little.
 */
export class MarkerTrie<Value> {
  readonly #root = new Node<Value>('', { at: 0 });
  /** What a marker can start with. */
  readonly starts = new CharacterSet();
  readonly #fold: boolean;
  readonly #entries: (readonly [string, Value])[] = [];
  /** So many of the entries are in the table. */
  #placed = 0;

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
    this.#entries.push([marker, value]);
  }

  /** Every marker with its value: of equal ones the first. */
  entries(): readonly (readonly [marker: string, value: Value])[] {
    const found = new Map<string, readonly [string, Value]>();
    for (const entry of this.#entries) {
      const text = this.#textOf(entry[0]);
      if (!found.has(text)) found.set(text, entry);
    }
    return [...found.values()];
  }

  #placeNew(): void {
    for (const entry of this.#entries.slice(this.#placed)) this.#place(entry);
    this.#placed = this.#entries.length;
  }

  #place([marker, value]: readonly [string, Value]): void {
    const text = this.#textOf(marker);
    let node = this.#root;
    let read = 0;
    for (; read < text.length; read += 1) {
      const next = node.find(text.charCodeAt(read), read);
      if (next === undefined) break;
      node = next;
    }
    if (read < node.length) node.splitAt(read);
    if (read < text.length) node = node.follow(text);
    node.value ??= value;
  }

  #textOf(marker: string): string {
    return this.#fold ? lowerText(marker) : marker;
  }

  /** The marker at `index`; `more` when what has arrived may still become one, or a longer one. */
  find(text: Characters, index: number, ended: boolean): Found<Value> | Exclude<Look, 'yes'> {
    if (this.#placed < this.#entries.length) this.#placeNew();
    let node = this.#root;
    let read = 0;
    let longest: Found<Value> | 'no' = 'no';
    let suffixStart = -1;
    for (let at = index; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let next = code === suffix ? undefined : node.find(this.#fold ? lower(code) : code, read);
      if (next !== undefined) {
        suffixStart = -1;
        read += 1;
      } else if (isSuffixCharacter(code)) {
        if (suffixStart >= 0) next = node;
        else {
          next = node.find(suffix, read);
          suffixStart = at;
          read += 1;
        }
        if (at - suffixStart >= longestSuffix) return longest;
      }
      if (next === undefined) return longest;
      node = next;
      if (read < node.length || node.value === undefined) continue;
      longest = { value: node.value, length: at + 1 - index };
      if (node.child === undefined) return longest;
    }
    return ended ? longest : 'more';
  }
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function lowerText(text: string): string {
  let lowered = '';
  for (let index = 0; index < text.length; index += 1) lowered += String.fromCharCode(lower(text.charCodeAt(index)));
  return lowered;
}

function bothCases(code: number): readonly number[] {
  const small = lower(code);
  return small >= 97 && small <= 122 ? [small, small - 32] : [code];
}
