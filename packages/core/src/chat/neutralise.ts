/** A literal to be defused: exactly as it stands, or in any mix of ASCII letter case. */
export type Marker = string | { readonly text: string; readonly anyCase: boolean };

/** A text without markers that could be taken for real ones. */
export interface Neutralised {
  readonly text: string;
  /** How many markers were defused. */
  readonly count: number;
}

interface Node {
  readonly next: Map<number, Node>;
  ends: boolean;
}

/**
 * Defuses every marker in `text`: its first character becomes a character reference (`<` → `&lt;`, `[` → `&#91;`), so
 * that a person and a model can still read it and no tokenizer or parser takes it for the real thing. Text without
 * markers comes back as it is. Running it again changes nothing.
 */
export function neutralise(text: string, markers: readonly Marker[]): Neutralised {
  return createNeutraliser(markers)(text);
}

/**
 * The same for many texts: the table of markers is built once. One walk over the text, whose cost per character is at
 * most the length of the longest marker. Markers that could match inside a character reference itself (such as `;x` or
 * `&`) can't be defused this way and are left out.
 */
export function createNeutraliser(markers: readonly Marker[]): (text: string) => Neutralised {
  const exact: Node = { next: new Map(), ends: false };
  const folded: Node = { next: new Map(), ends: false };
  for (const marker of markers) {
    const { text: written, anyCase } = typeof marker === 'string' ? { text: marker, anyCase: false } : marker;
    const literal = anyCase ? fold(written) : written;
    if (canBeDefused(literal)) insert(anyCase ? folded : exact, literal);
  }
  return (text) => defuse(text, exact, folded);
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

/**
 * Walks from the end, so that each position is compared with what will really stand to its right: a reference that was
 * put there may complete another marker, and then that one is defused too, still in the same walk.
 */
function defuse(text: string, exact: Node, folded: Node): Neutralised {
  const references = new Map<number, string>();
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (
      stands(text, { at, root: exact, fold: false, references }) ||
      stands(text, { at, root: folded, fold: true, references })
    ) {
      references.set(at, reference(text.charCodeAt(at)));
    }
  }
  if (references.size === 0) return { text, count: 0 };
  const pieces: string[] = [];
  let done = 0;
  for (const at of [...references.keys()].reverse()) {
    pieces.push(text.slice(done, at), references.get(at) ?? '');
    done = at + 1;
  }
  pieces.push(text.slice(done));
  return { text: pieces.join(''), count: references.size };
}

interface Look {
  readonly at: number;
  readonly root: Node;
  readonly fold: boolean;
  readonly references: ReadonlyMap<number, string>;
}

/** Whether a marker of the table stands at `look.at`, with what is right of it already defused. */
function stands(text: string, look: Look): boolean {
  let node = look.root.next.get(codeAt(text, look.at, look.fold));
  for (let index = look.at + 1; node !== undefined; index += 1) {
    if (node.ends) return true;
    if (index >= text.length) return false;
    const replaced = look.references.get(index);
    if (replaced === undefined) {
      node = node.next.get(codeAt(text, index, look.fold));
      continue;
    }
    for (let inner = 0; inner < replaced.length && node !== undefined; inner += 1) {
      if (node.ends) return true;
      node = node.next.get(codeAt(replaced, inner, look.fold));
    }
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

function reference(code: number): string {
  return code === 60 ? '&lt;' : `&#${code};`;
}

function canBeDefused(marker: string): boolean {
  const first = marker[0];
  if (first === undefined || '&;0123456789'.includes(first)) return false;
  if (first === '#') return marker.length > 1 && !'0123456789'.includes(marker.charAt(1));
  return !['lt;', 't;'].some((tail) => tail.startsWith(marker) || marker.startsWith(tail));
}
