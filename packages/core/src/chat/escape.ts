/** A literal to be escaped: exactly as it stands, or in any mix of ASCII letter case. */
export type Marker = string | { readonly text: string; readonly anyCase: boolean };

/** A text without markers that could be taken for real ones. */
export interface Escaped {
  readonly text: string;
  /** How many places were escaped. */
  readonly count: number;
}

/** The word joiner: it has no width, practically never stands in files, and is part of no marker. */
export const joiner = '\u2060';

interface Node {
  readonly next: Map<number, Node>;
  ends: boolean;
}

/**
 * An escape for many texts: a joiner is put behind the first character of every marker, so that a person and a model can
 * still read it and no tokenizer or parser takes it for the real thing. `createUnescape` takes it out again, and a copy
 * without it says the same. Text without markers comes back as it is; running it again changes nothing.
 *
 * One walk over the text, whose cost per character is at most the length of the longest marker. No joiner can break a
 * marker of one character: such a one is left out.
 */
export function createEscape(markers: readonly Marker[]): (text: string) => Escaped {
  const exact: Node = { next: new Map(), ends: false };
  const folded: Node = { next: new Map(), ends: false };
  for (const marker of markers) {
    const { text: written, anyCase } = typeof marker === 'string' ? { text: marker, anyCase: false } : marker;
    const literal = anyCase ? fold(written) : written;
    if (literal.length > 1) insert(anyCase ? folded : exact, literal);
  }
  return (text) => escapeMarkers(text, exact, folded);
}

/**
 * Makes every run of joiners longer by one, since `createUnescape` makes each shorter by one. For the first escape that a
 * text goes through; further ones leave what is there.
 */
export function escapeJoiners(text: string): Escaped {
  if (!text.includes(joiner)) return { text, count: 0 };
  const pieces: string[] = [];
  let count = 0;
  let done = 0;
  for (let at = text.indexOf(joiner); at >= 0; at = text.indexOf(joiner, at + 1)) {
    if (at > 0 && text[at - 1] === joiner) continue;
    pieces.push(text.slice(done, at), joiner);
    done = at;
    count += 1;
  }
  return { text: pieces.join('') + text.slice(done), count };
}

/** `createEscape` and `escapeJoiners` in one, for the first escape that texts go through. */
export function createFirstEscape(markers: readonly Marker[]): (text: string) => Escaped {
  const escaping = createEscape(markers);
  return (text) => {
    const joiners = escapeJoiners(text);
    const { text: escaped, count } = escaping(joiners.text);
    return { text: escaped, count: count + joiners.count };
  };
}

/**
 * The way back, for one text that comes in pieces: of every run of joiners the first is taken out, wherever the cuts are.
 * Nothing is held back.
 */
export function createUnescape(): (piece: string) => string {
  let inRun = false;
  return (piece) => {
    if (piece === '') return piece;
    if (!piece.includes(joiner)) {
      inRun = false;
      return piece;
    }
    let text = '';
    for (const character of piece) {
      const isJoiner = character === joiner;
      if (!isJoiner || inRun) text += character;
      inRun = isJoiner;
    }
    return text;
  };
}

/**
 * The same for JSON text, in which joiners may be spelled as escapes. An escape that a cut divides is held back until it is
 * whole.
 */
export function createJsonUnescape(): (piece: string) => string {
  let inRun = false;
  let held = '';
  return (piece) => {
    if (held === '' && !piece.includes(joiner) && !piece.includes('\\')) {
      inRun = inRun && piece === '';
      return piece;
    }
    let text = '';
    for (const character of piece) {
      held += character;
      if (isOpenEscape(held)) continue;
      const isJoiner = held === joiner || held === '\\u2060';
      if (!isJoiner || inRun) text += held;
      inRun = isJoiner;
      held = '';
    }
    return text;
  };
}

/** The beginning of a JSON escape, which goes on. */
function isOpenEscape(held: string): boolean {
  return held === '\\' || (held.startsWith('\\u') && held.length < 6);
}

function insert(root: Node, literal: string): void {
  let node = root;
  for (let index = 0; index < literal.length; index += 1) {
    const code = literal.charCodeAt(index);
    let child = node.next.get(code);
    if (child === undefined) {
      child = { next: new Map(), ends: false };
      node.next.set(code, child);
    }
    node = child;
  }
  node.ends = true;
}

function escapeMarkers(text: string, exact: Node, folded: Node): Escaped {
  const pieces: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!stands(text, { at, root: exact, fold: false }) && !stands(text, { at, root: folded, fold: true })) continue;
    pieces.push(text.slice(done, at + 1));
    done = at + 1;
  }
  if (pieces.length === 0) return { text, count: 0 };
  return { text: pieces.join(joiner) + joiner + text.slice(done), count: pieces.length };
}

interface Look {
  readonly at: number;
  readonly root: Node;
  readonly fold: boolean;
}

/** Whether a marker of the table stands at `look.at`. */
function stands(text: string, look: Look): boolean {
  let node = look.root.next.get(codeAt(text, look.at, look.fold));
  for (let index = look.at + 1; node !== undefined; index += 1) {
    if (node.ends) return true;
    if (index >= text.length) return false;
    node = node.next.get(codeAt(text, index, look.fold));
  }
  return false;
}

function codeAt(text: string, index: number, folded: boolean): number {
  const code = text.charCodeAt(index);
  return folded && code >= 65 && code <= 90 ? code + 32 : code;
}

/** Lower case for ASCII only: full case folding changes lengths. */
function fold(text: string): string {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) folded += String.fromCharCode(codeAt(text, index, true));
  return folded;
}
