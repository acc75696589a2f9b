/** A literal to be found: exactly as it stands, or in any mix of ASCII letter case. */
export type Marker = string | { readonly text: string; readonly anyCase: boolean };

/** Where the next marker stands in a text, at `from` or behind it; -1: there is none. */
export type MarkerSearch = (text: string, from: number) => number;

/** Behind most nodes stands one other: looking at `unit` is enough there, and `next` holds all where there are several. */
interface Node {
  unit: number;
  only: Node | undefined;
  next: Map<number, Node> | undefined;
  ends: boolean;
}

/** By the `hashOf` three units, whether a marker may begin with them: nearly all of a text is passed over by it. */
type Starts = Uint8Array;

/** Beyond the end of a text, units are NaN and count as 0. */
const hashOf = (first: number, second: number, third: number): number =>
  ((first & 127) << 5) ^ ((second & 127) << 3) ^ (third & 127);

/**
 * A search for many markers at once, to be made once and used for many texts. One walk over the text, whose cost per character
 * is small where no marker begins, and at most the length of the longest one.
 */
export function createMarkerSearch(markers: readonly Marker[]): MarkerSearch {
  const starts: Starts = new Uint8Array(4096);
  const exact = emptyNode();
  const folded = emptyNode();
  for (const marker of markers) {
    const { text: written, anyCase } = typeof marker === 'string' ? { text: marker, anyCase: false } : marker;
    const literal = anyCase ? fold(written) : written;
    if (literal === '') continue;
    insert(anyCase ? folded : exact, literal);
    noteStarts(
      starts,
      [0, 1, 2].map((index) => unitsAt(literal, index, anyCase)),
    );
  }
  const stands = (text: string, at: number) =>
    standsBelow(exact, { text, at, anyCase: false }) || standsBelow(folded, { text, at, anyCase: true });
  return (text, from) => {
    let first = text.charCodeAt(from);
    let second = text.charCodeAt(from + 1);
    for (let at = from; at < text.length; at += 1) {
      const third = text.charCodeAt(at + 2);
      if (starts[hashOf(first, second, third)] === 1 && stands(text, at)) return at;
      first = second;
      second = third;
    }
    return -1;
  };
}

interface Look {
  readonly text: string;
  readonly at: number;
  readonly anyCase: boolean;
}

function standsBelow(root: Node, { text, at, anyCase }: Look): boolean {
  let node: Node | undefined = root;
  for (let index = at; node !== undefined; index += 1) {
    if (node.ends) return true;
    if (index >= text.length) return false;
    node = childOf(node, unitAt(text, index, anyCase));
  }
  return false;
}

function childOf(node: Node, unit: number): Node | undefined {
  if (node.next !== undefined) return node.next.get(unit);
  return node.unit === unit ? node.only : undefined;
}

function emptyNode(): Node {
  return { unit: -1, only: undefined, next: undefined, ends: false };
}

function insert(root: Node, literal: string): void {
  let node = root;
  for (let index = 0; index < literal.length; index += 1) {
    const unit = literal.charCodeAt(index);
    node = childOf(node, unit) ?? addChild(node, unit);
  }
  node.ends = true;
}

function addChild(node: Node, unit: number): Node {
  const child = emptyNode();
  if (node.only === undefined) {
    node.unit = unit;
    node.only = child;
  } else {
    node.next ??= new Map([[node.unit, node.only]]);
    node.next.set(unit, child);
  }
  return child;
}

/** What may stand at a place of a marker, or behind a shorter marker. */
function unitsAt(literal: string, index: number, anyCase: boolean): readonly number[] {
  if (index >= literal.length) return anyUnit;
  const unit = literal.charCodeAt(index);
  return anyCase && unit >= 97 && unit <= 122 ? [unit, unit - 32] : [unit];
}

const anyUnit = Array.from({ length: 128 }, (_, unit) => unit);

function noteStarts(starts: Starts, [firsts = [], seconds = [], thirds = []]: readonly (readonly number[])[]): void {
  for (const first of firsts) {
    for (const second of seconds) for (const third of thirds) starts[hashOf(first, second, third)] = 1;
  }
}

/** Lower case for ASCII only: full case folding changes lengths. */
function unitAt(text: string, index: number, anyCase: boolean): number {
  const unit = text.charCodeAt(index);
  return anyCase && unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

function fold(text: string): string {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) folded += String.fromCharCode(unitAt(text, index, true));
  return folded;
}
