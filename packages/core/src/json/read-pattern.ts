/** `invalid`: no regular expression; `unsupported`: one that looks around or back, which takes more than linear time. */
export type PatternProblem = 'invalid' | 'unsupported';

/** Groups within each other. */
const deepest = 100;

const forever = Number.POSITIVE_INFINITY;

/** Reads the source of an ECMAScript regular expression with the flag `u`. Never throws. */
export function readPattern(source: string): PatternNode | PatternProblem {
  const reader = new PatternReader(source);
  const node = reader.choice(0);
  if (reader.problem !== undefined) return reader.problem;
  return reader.atEnd ? node : 'invalid';
}

/** Reads from left to right. Once something cannot be read, it is at the end, and the problem is kept. */
class PatternReader {
  readonly #source: readonly string[];
  #at = 0;
  problem: PatternProblem | undefined;

  constructor(source: string) {
    this.#source = [...source];
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(depth: number): PatternNode {
    const parts = [this.#sequence(depth)];
    while (this.#take('|')) parts.push(this.#sequence(depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.atEnd && this.#next !== '|' && this.#next !== ')') parts.push(this.#repeated(this.#atom(depth)));
    return { kind: 'sequence', parts };
  }

  #atom(depth: number): PatternNode {
    const character = this.#read();
    switch (character) {
      case '^':
        return { kind: 'edge', edge: 'start' };
      case '$':
        return { kind: 'edge', edge: 'end' };
      case '(':
        return this.#group(depth);
      case '[':
        return { kind: 'set', set: this.#set() };
      case '.':
        return { kind: 'set', set: { ranges: lineEnds, negated: true } };
      case '\\':
        return this.#escaped();
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        return this.#fail('invalid');
      default:
        return single(character);
    }
  }

  #group(depth: number): PatternNode {
    if (depth === deepest) return this.#fail('unsupported');
    if (this.#take('?') && !this.#take(':')) {
      // A name, or something that looks around.
      if (!this.#take('<') || this.#next === '=' || this.#next === '!') return this.#fail('unsupported');
      while (!this.atEnd && this.#next !== '>') this.#at += 1;
      if (!this.#take('>')) return this.#fail('invalid');
    }
    const inside = this.choice(depth + 1);
    return this.#take(')') ? inside : this.#fail('invalid');
  }

  #repeated(part: PatternNode): PatternNode {
    const times = this.#times();
    if (times === undefined) return part;
    // Whether it takes as few or as many as it can changes what is found, not whether.
    this.#take('?');
    if (part.kind === 'edge' || times.least > times.most) return this.#fail('invalid');
    return { kind: 'repeat', part, ...times };
  }

  #times(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: forever };
    if (this.#take('+')) return { least: 1, most: forever };
    if (this.#take('?')) return { least: 0, most: 1 };
    if (!this.#take('{')) return undefined;
    const least = this.#number();
    const most = this.#take(',') ? (this.#number() ?? forever) : least;
    if (least !== undefined && most !== undefined && this.#take('}')) return { least, most };
    this.#fail('invalid');
    return undefined;
  }

  #number(): number | undefined {
    let digits = '';
    while (!this.atEnd && isDigit(this.#next)) digits += this.#read();
    return digits === '' ? undefined : Number(digits);
  }

  #escaped(): PatternNode {
    if (this.#take('b')) return { kind: 'edge', edge: 'word-edge' };
    if (this.#take('B')) return { kind: 'edge', edge: 'no-word-edge' };
    // A back-reference.
    if (this.#next === 'k' || (isDigit(this.#next) && this.#next !== '0')) return this.#fail('unsupported');
    return { kind: 'set', set: { ranges: this.#escape(), negated: false } };
  }

  /** What stands for characters after a backslash. */
  #escape(): readonly CodeRange[] {
    const letter = this.#read();
    const known = classes.get(letter.toLowerCase());
    if (known !== undefined) return letter === letter.toLowerCase() ? known : allBut(known);
    const control = controls.get(letter);
    if (control !== undefined) return [rangeOf(control)];
    switch (letter) {
      case 'x':
        return [rangeOf(this.#hexadecimal(2))];
      case 'u':
        return [rangeOf(this.#unicode())];
      case 'c':
        return [rangeOf(codeOf(this.#read()) % 32)];
      case 'p':
      case 'P':
        this.#fail('unsupported');
        return [];
      default:
        // With the flag `u` only signs may be escaped so; many write more, which means the character itself.
        if (letter === '') this.#fail('invalid');
        return [rangeOf(codeOf(letter))];
    }
  }

  #unicode(): number {
    if (!this.#take('{')) {
      const high = this.#hexadecimal(4);
      if (high < 0xd800 || high > 0xdbff || this.#next !== '\\' || this.#source[this.#at + 1] !== 'u') return high;
      this.#at += 2;
      return (high - 0xd800) * 0x400 + (this.#hexadecimal(4) - 0xdc00) + 0x10000;
    }
    let digits = '';
    while (!this.atEnd && this.#next !== '}') digits += this.#read();
    if (!this.#take('}')) this.#fail('invalid');
    return this.#codeOfHex(digits);
  }

  #hexadecimal(length: number): number {
    let digits = '';
    for (let count = 0; count < length; count += 1) digits += this.#read();
    return this.#codeOfHex(digits);
  }

  #codeOfHex(digits: string): number {
    const isHex = digits !== '' && [...digits].every((digit) => hexDigits.includes(digit));
    const code = isHex ? Number.parseInt(digits, 16) : Number.POSITIVE_INFINITY;
    if (code <= 0x10ffff) return code;
    this.#fail('invalid');
    return 0;
  }

  /** After the opening bracket. */
  #set(): CharacterSet {
    const negated = this.#take('^');
    const ranges: CodeRange[] = [];
    while (!this.atEnd && this.#next !== ']') {
      const from = this.#member();
      const isRange = this.#next === '-' && this.#source[this.#at + 1] !== ']' && this.#at + 1 < this.#source.length;
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.#at += 1;
      const to = this.#member();
      const [start, end] = [from[0], to[0]];
      const isSingle = from.length === 1 && to.length === 1 && start?.from === start?.to && end?.from === end?.to;
      if (!isSingle || start === undefined || end === undefined || end.to < start.from) this.#fail('invalid');
      else ranges.push({ from: start.from, to: end.to });
    }
    if (!this.#take(']')) this.#fail('invalid');
    return { ranges, negated };
  }

  #member(): readonly CodeRange[] {
    const character = this.#read();
    if (character !== '\\') return [rangeOf(codeOf(character))];
    return this.#take('b') ? [rangeOf(8)] : this.#escape();
  }

  get #next(): string {
    return this.#source[this.#at] ?? '';
  }

  #read(): string {
    const character = this.#next;
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #fail(problem: PatternProblem): PatternNode {
    this.problem ??= problem;
    this.#at = this.#source.length;
    return { kind: 'sequence', parts: [] };
  }
}

const hexDigits = '0123456789abcdefABCDEF';

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['0', 0],
]);

function isDigit(character: string): boolean {
  return character !== '' && '0123456789'.includes(character);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function rangeOf(code: number): CodeRange {
  return { from: code, to: code };
}

function single(character: string): PatternNode {
  return { kind: 'set', set: { ranges: [rangeOf(codeOf(character))], negated: false } };
}

/** Code points from `from` to `to`, both counted in. */
interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Which characters are at a place. */
export interface CharacterSet {
  readonly ranges: readonly CodeRange[];
  readonly negated: boolean;
}

/** A place between two characters. */
export type Edge = 'start' | 'end' | 'word-edge' | 'no-word-edge';

/** A regular expression, as it was written. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

export function isIn({ ranges, negated }: CharacterSet, code: number): boolean {
  return ranges.some(({ from, to }) => code >= from && code <= to) !== negated;
}

const one = (text: string): CodeRange => {
  const code = text.codePointAt(0) ?? 0;
  return { from: code, to: code };
};

const digits: CodeRange = { from: 0x30, to: 0x39 };

/** What stands for several characters after a backslash, in lower case; in upper case it stands for all others. */
export const classes: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['d', [digits]],
  ['w', [digits, { from: 0x41, to: 0x5a }, { from: 0x61, to: 0x7a }, one('_')]],
  [
    's',
    [
      { from: 0x09, to: 0x0d },
      one(' '),
      one('\u00a0'),
      one('\u1680'),
      { from: 0x2000, to: 0x200a },
      { from: 0x2028, to: 0x2029 },
      one('\u202f'),
      one('\u205f'),
      one('\u3000'),
      one('\ufeff'),
    ],
  ],
]);

/** What `.` does not stand for. */
const lineEnds: readonly CodeRange[] = [one('\n'), one('\r'), { from: 0x2028, to: 0x2029 }];

/** The code points that are not in these ranges. */
function allBut(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  const found: CodeRange[] = [];
  let from = 0;
  for (const range of sorted) {
    if (range.from > from) found.push({ from, to: range.from - 1 });
    from = Math.max(from, range.to + 1);
  }
  return [...found, { from, to: 0x10ffff }];
}
