import { bothCases, lowerAscii, lowerUnit } from './letter-case.ts';

/** A literal to be found: exactly as it stands, or in any mix of ASCII letter case. */
export type SearchedMarker = string | { readonly text: string; readonly anyCase: boolean };

/** The places in a text at which a marker begins, in order; where there are more than `most`, only so many, the last ones. */
export type MarkerSearch = (text: string, most: number) => readonly number[];

/**
 * The end of a marker, as far as it has been read from the right to the left. Beyond most ends stands one other unit: looking
 * at `unit` is enough there, and `next` holds all where there are several.
 */
interface Node {
  unit: number;
  only: Node | undefined;
  next: Map<number, Node> | undefined;
  /** A marker begins here. */
  isWhole: boolean;
  /** Where the reading goes on when the next unit does not fit: the longest end of a marker that this one begins with. */
  fallback: Node | undefined;
}

/** By the `hashOf` three units, a bit that says whether a marker may end with them: nearly all of a text is passed over by it. */
type Endings = Uint8Array;

const hashes = 1 << 14;

const hashOf = (first: number, second: number, third: number): number =>
  ((first & 127) << 7) ^ ((second & 127) << 4) ^ (third & 127);

const isNoted = (endings: Endings, hash: number): boolean => ((endings[hash >> 3] ?? 0) & (1 << (hash & 7))) !== 0;

/**
 * A search for many markers at once, to be made once and used for many texts. One walk over the text, from its end, whose cost per
 * character is small whatever the markers and the text: what one marker's reading has seen counts for the next (Aho and Corasick).
 */
export function createMarkerSearch(markers: readonly SearchedMarker[]): MarkerSearch {
  const isFolded = (marker: SearchedMarker) => typeof marker !== 'string' && marker.anyCase;
  const exact = createWalk(textsOf(markers.filter((marker) => !isFolded(marker))), false);
  const folded = createWalk(textsOf(markers.filter(isFolded)), true);
  if (folded === undefined) return exact ?? (() => []);
  if (exact === undefined) return folded;
  return (text, most) => {
    const places = new Set([...exact(text, most), ...folded(text, most)]);
    return [...places].sort((one, other) => one - other).slice(-most);
  };
}

function textsOf(markers: readonly SearchedMarker[]): readonly string[] {
  return markers.map((marker) => (typeof marker === 'string' ? marker : marker.text)).filter((text) => text !== '');
}

/** The search for markers of one kind; undefined without any. */
function createWalk(literals: readonly string[], anyCase: boolean): MarkerSearch | undefined {
  if (literals.length === 0) return undefined;
  const endings: Endings = new Uint8Array(hashes / 8);
  const root = emptyNode();
  for (const literal of literals) {
    insert(root, anyCase ? lowerAscii(literal) : literal);
    noteEnding(endings, literal, anyCase);
  }
  setFallbacks(root);
  return (text, most) => {
    const places: number[] = [];
    let node = root;
    let second = unitAt(text, text.length - 1);
    let first = unitAt(text, text.length - 2);
    for (let at = text.length - 1; at >= 0; at -= 1) {
      const third = second;
      second = first;
      first = unitAt(text, at - 2);
      if (node === root && !isNoted(endings, hashOf(first, second, third))) continue;
      node = step(node, anyCase ? lowerUnit(third) : third) ?? root;
      if (node.isWhole) {
        places.push(at);
        if (places.length === most) break;
      }
    }
    return places.reverse();
  };
}

/** Before the beginning of a text stands nothing. */
function unitAt(text: string, at: number): number {
  return at < 0 ? 0 : text.charCodeAt(at);
}

/** The longest end of a marker that is read once this unit is; undefined: it ends none. */
function step(from: Node, unit: number): Node | undefined {
  for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
    const child = childOf(node, unit);
    if (child !== undefined) return child;
  }
  return undefined;
}

function childOf(node: Node, unit: number): Node | undefined {
  if (node.next !== undefined) return node.next.get(unit);
  return node.unit === unit ? node.only : undefined;
}

function emptyNode(): Node {
  return { unit: -1, only: undefined, next: undefined, isWhole: false, fallback: undefined };
}

function insert(root: Node, literal: string): void {
  let node = root;
  for (let index = literal.length - 1; index >= 0; index -= 1) {
    const unit = literal.charCodeAt(index);
    node = childOf(node, unit) ?? addChild(node, unit);
  }
  node.isWhole = true;
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

/** Shorter ends first: the fallback of each is found by those of shorter ones. */
function setFallbacks(root: Node): void {
  const nodes = [root];
  for (const node of nodes) {
    const children: Iterable<readonly [number, Node]> =
      node.next ?? (node.only === undefined ? [] : [[node.unit, node.only]]);
    for (const [unit, child] of children) {
      child.fallback = (node.fallback === undefined ? undefined : step(node.fallback, unit)) ?? root;
      child.isWhole ||= child.fallback.isWhole;
      nodes.push(child);
    }
  }
}

/** What may be at a place of a marker, or before a shorter marker. */
function unitsAt(literal: string, index: number, anyCase: boolean): readonly number[] {
  if (index < 0) return anyUnit;
  const unit = literal.charCodeAt(index);
  return anyCase ? bothCases(unit) : [unit];
}

const anyUnit = Array.from({ length: 128 }, (_, unit) => unit);

function noteEnding(endings: Endings, literal: string, anyCase: boolean): void {
  const [firsts = [], seconds = [], thirds = []] = [3, 2, 1].map((back) =>
    unitsAt(literal, literal.length - back, anyCase),
  );
  for (const first of firsts) {
    for (const second of seconds) {
      for (const third of thirds) {
        const hash = hashOf(first, second, third);
        endings[hash >> 3] = (endings[hash >> 3] ?? 0) | (1 << (hash & 7));
      }
    }
  }
}
