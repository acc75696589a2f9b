import { isWordCharacter } from '../../json/json-characters.ts';
/** A piece of a pattern: text as it is, white space, or a group whose text is wanted. */
export type PatternPiece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'space' }
  | { readonly kind: 'group'; readonly name: string };

/** A pattern as one or more sequences of pieces, any of which fits. */
export interface Pattern {
  readonly alternatives: readonly (readonly PatternPiece[])[];
}

/** More alternatives than that are no list of markers. */
const mostAlternatives = 16;

/** A longer pattern is no list of markers, either. In UTF-16 units. */
const longestPattern = 4096;

/** Groups within groups beyond that are none of a marker. */
const mostLevels = 32;

/**
 * Reads the patterns that are markers in disguise: literals with escapes, optional white space, named groups, and
 * alternatives of these. Nothing is ever matched by them: a form reads what they say. For anything else the result is a
 * sentence that says what it is and where.
 */
export function readPattern(source: string): Pattern | string {
  if (source.length > longestPattern) return `is longer than ${longestPattern} characters`;
  const reader = new PatternReader(source);
  const alternatives = reader.readAlternatives();
  if (typeof alternatives === 'string') return alternatives;
  if (reader.at < source.length) return `has a ")" too many at character ${reader.at + 1}`;
  // What is only for the edge of the text says nothing of markers.
  const said = alternatives.filter((pieces) => pieces.length > 0);
  return { alternatives: said.map(joinLiterals) };
}

class PatternReader {
  readonly #source: string;
  at = 0;
  #level = 0;

  constructor(source: string) {
    this.#source = source;
  }

  readAlternatives(): PatternPiece[][] | string {
    const all: PatternPiece[][] = [];
    while (true) {
      const sequences = this.#readSequences();
      if (typeof sequences === 'string') return sequences;
      all.push(...sequences);
      if (all.length > mostAlternatives) return `has more than ${mostAlternatives} alternatives`;
      if (this.#source[this.at] !== '|') return all;
      this.at += 1;
    }
  }

  /** All readings of what stands up to a bar or a closing parenthesis. */
  #readSequences(): PatternPiece[][] | string {
    let sequences: PatternPiece[][] = [[]];
    while (this.at < this.#source.length && !'|)'.includes(this.#source.charAt(this.at))) {
      const readings = this.#readAtom();
      if (typeof readings === 'string') return readings;
      sequences = sequences.flatMap((front) => readings.map((back) => [...front, ...back]));
      if (sequences.length > mostAlternatives) return `has more than ${mostAlternatives} alternatives`;
    }
    return sequences;
  }

  #readAtom(): PatternPiece[][] | string {
    const start = this.at;
    const sign = this.#source.charAt(start);
    if (sign === '(') return this.#readGroup();
    this.at += 1;
    switch (sign) {
      case '^':
      case '$':
        return [[]];
      case '.':
        return this.#refuse(start, 'stands for any text; only literals can be found while a reply is streamed');
      case '[':
        return this.#refuse(
          start,
          'stands for one of several characters; write the literal, or put it into a named group',
        );
      case '\\':
        return this.#readEscape(start);
      case '*':
      case '+':
      case '?':
      case '{':
        return sign === '{' ? this.#quantified({ kind: 'literal', text: sign }, start) : this.#refuse(start, 'repeats');
      default:
        return this.#quantified(this.#isSpace(sign) ? { kind: 'space' } : { kind: 'literal', text: sign }, start);
    }
  }

  #readEscape(start: number): PatternPiece[][] | string {
    const sign = this.#source.charAt(this.at);
    this.at += 1;
    if (sign === 's' || sign === 'n' || sign === 'r' || sign === 't') return this.#quantified({ kind: 'space' }, start);
    if (sign === '') return this.#refuse(start, 'escapes nothing');
    if (sign !== '_' && isWordCharacter(sign.charCodeAt(0)))
      return this.#refuse(start, 'stands for one of several characters; write the literal');
    return this.#quantified({ kind: 'literal', text: sign }, start);
  }

  /** One blank is part of a marker; several, or the edge of a line, are between markers. */
  #isSpace(sign: string): boolean {
    if (sign === ' ') return '*+?'.includes(this.#source.charAt(this.at) || '.');
    return sign === '\n' || sign === '\t' || sign === '\r';
  }

  /** White space may come in any amount; of a literal only its absence can be said. */
  #quantified(piece: PatternPiece, start: number): PatternPiece[][] | string {
    const sign = this.#source.charAt(this.at);
    if (sign !== '*' && sign !== '+' && sign !== '?') return [[piece]];
    this.at += 1;
    if (this.#source[this.at] === '?') this.at += 1;
    if (piece.kind === 'space') return [[piece]];
    return sign === '?' ? [[piece], []] : this.#refuse(start, 'repeats; write it as often as the model does');
  }

  #readGroup(): PatternPiece[][] | string {
    const start = this.at;
    const named = ['(?P<', '(?<'].find((front) => this.#source.startsWith(front, start) && !this.#looksAfter(start));
    if (named !== undefined) return this.#readNamed(start, start + named.length);
    if (this.#source.startsWith('(?:', start)) return this.#readPlainGroup(start);
    if (this.#source[start + 1] === '?') return this.#refuse(start, 'looks ahead or behind; say it without');
    return this.#captured(start, start + 1, '');
  }

  #looksAfter(start: number): boolean {
    return ['(?<=', '(?<!'].some((front) => this.#source.startsWith(front, start));
  }

  #readNamed(start: number, nameStart: number): PatternPiece[][] | string {
    const end = this.#source.indexOf('>', nameStart);
    if (end < 0) return this.#refuse(start, 'opens a group whose name is not closed');
    return this.#captured(start, end + 1, this.#source.slice(nameStart, end));
  }

  /** What a group may hold only narrows what is there: the literal after it ends it. */
  #captured(start: number, inside: number, name: string): PatternPiece[][] | string {
    const end = endOfGroup(this.#source, inside);
    if (end < 0) return this.#refuse(start, 'opens a group that is not closed');
    this.at = end + 1;
    return [[{ kind: 'group', name }]];
  }

  #readPlainGroup(start: number): PatternPiece[][] | string {
    this.at = start + '(?:'.length;
    if (this.#level === mostLevels) return this.#refuse(start, `is within ${mostLevels} other groups`);
    this.#level += 1;
    const alternatives = this.readAlternatives();
    this.#level -= 1;
    if (typeof alternatives === 'string') return alternatives;
    if (this.#source[this.at] !== ')') return this.#refuse(start, 'opens a group that is not closed');
    this.at += 1;
    const sign = this.#source.charAt(this.at);
    if (sign === '*' || sign === '+') return this.#refuse(start, 'repeats; write it as often as the model does');
    if (sign !== '?') {
      const said = alternatives.filter((pieces) => pieces.length > 0);
      return said.length === 0 ? [[]] : said;
    }
    this.at += 1;
    return [...alternatives, []];
  }

  #refuse(start: number, why: string): string {
    const shown = this.#source.slice(start, start + 12);
    return `${JSON.stringify(shown)} at character ${start + 1} ${why}`;
  }
}

/** Index of the parenthesis that closes the group whose content begins at `start`, or -1. */
function endOfGroup(source: string, start: number): number {
  let depth = 0;
  let inClass = false;
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (inClass) inClass = sign !== ']';
    else if (sign === '[') inClass = true;
    else if (sign === '(') depth += 1;
    else if (sign === ')') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

function joinLiterals(pieces: readonly PatternPiece[]): readonly PatternPiece[] {
  const joined: PatternPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'literal' && last?.kind === 'literal') {
      joined[joined.length - 1] = { kind: 'literal', text: last.text + piece.text };
    } else if (piece.kind !== 'space' || last?.kind !== 'space') joined.push(piece);
  }
  return joined;
}
