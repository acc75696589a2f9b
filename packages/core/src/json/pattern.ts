/** `invalid`: no regular expression; `unsupported`: one that looks around or back, which takes more than linear time, or a very long one. */
export type PatternProblem = 'invalid' | 'unsupported';

/** A place between two characters. */
type Edge = 'start' | 'end' | 'word-edge' | 'no-word-edge';

/** Code points from `from` to `to`, both counted in. */
interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Which characters are at a place. */
interface CharacterSet {
  readonly ranges: readonly CodeRange[];
  readonly negated: boolean;
}

/** One step of a pattern. A fork goes on at all of the steps that are so far away; any other goes on at the next. */
type PatternStep = CharacterSet | Edge | { readonly fork: readonly number[] };

/** A pattern of more steps is not followed: repetitions are written out, and those of repetitions multiply. */
const longest = 4_000;

/** Groups within each other. */
const deepest = 100;

const forever = Number.POSITIVE_INFINITY;

/** Reads the source of an ECMAScript regular expression with the flag `u` as steps. Never throws. */
export function readPattern(source: string): readonly PatternStep[] | PatternProblem {
  const reader = new PatternReader(source);
  const steps = reader.choice(0);
  if (reader.problem !== undefined) return reader.problem;
  if (!reader.atEnd) return 'invalid';
  return reader.isTooLong ? 'unsupported' : steps;
}

/** Reads from left to right. Once something cannot be read, it is at the end, and the problem is kept. */
class PatternReader {
  readonly #source: readonly string[];
  #at = 0;
  problem: PatternProblem | undefined;
  /** Nothing more is written; what follows may still be invalid. */
  isTooLong = false;

  constructor(source: string) {
    this.#source = [...source];
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(depth: number): readonly PatternStep[] {
    const ways = [this.#sequence(depth)];
    while (this.#take('|')) ways.push(this.#sequence(depth));
    const [only] = ways;
    if (ways.length === 1 && only !== undefined) return only;
    const starts: number[] = [];
    let end = 1;
    for (const way of ways) {
      starts.push(end);
      end += way.length + 1;
    }
    if (!this.#hasRoom(end)) return [];
    const steps: PatternStep[] = [{ fork: starts }];
    for (const way of ways) {
      steps.push(...way);
      steps.push({ fork: [end - steps.length] });
    }
    return steps;
  }

  #sequence(depth: number): readonly PatternStep[] {
    const steps: PatternStep[] = [];
    while (!this.atEnd && this.#next !== '|' && this.#next !== ')') {
      const part = this.#repeated(this.#atom(depth));
      if (this.#hasRoom(steps.length + part.length)) steps.push(...part);
    }
    return steps;
  }

  #atom(depth: number): readonly PatternStep[] {
    const character = this.#read();
    switch (character) {
      case '^':
        return ['start'];
      case '$':
        return ['end'];
      case '(':
        return this.#group(depth);
      case '[':
        return [this.#set()];
      case '.':
        return [{ ranges: lineEnds, negated: true }];
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
        return [{ ranges: [rangeOf(codeOf(character))], negated: false }];
    }
  }

  #group(depth: number): readonly PatternStep[] {
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

  /** Whether as few or as many as there can be are taken changes what is found, not whether. */
  #repeated(part: readonly PatternStep[]): readonly PatternStep[] {
    const isEdge = typeof part[0] === 'string' && this.#source[this.#at - 1] !== ')';
    const times = this.#times();
    if (times === undefined) return part;
    this.#take('?');
    const { least, most } = times;
    if (isEdge || least > most) return this.#fail('invalid');
    const size = part.length + 1;
    if (part.length === 0 || !this.#hasRoom((most === forever ? least + 1 : most) * size)) return [];
    const steps: PatternStep[] = [];
    for (let count = 0; count < least; count += 1) steps.push(...part);
    if (most === forever) return [...steps, { fork: [1, size + 1] }, ...part, { fork: [-size] }];
    for (let count = least; count < most; count += 1) steps.push({ fork: [1, (most - count) * size] }, ...part);
    return steps;
  }

  #hasRoom(steps: number): boolean {
    if (steps > longest) this.isTooLong = true;
    return !this.isTooLong;
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

  #escaped(): readonly PatternStep[] {
    if (this.#take('b')) return ['word-edge'];
    if (this.#take('B')) return ['no-word-edge'];
    // A back-reference.
    if (this.#next === 'k' || (isDigit(this.#next) && this.#next !== '0')) return this.#fail('unsupported');
    return [{ ranges: this.#escape(), negated: false }];
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

  #fail(problem: PatternProblem): readonly PatternStep[] {
    this.problem ??= problem;
    this.#at = this.#source.length;
    return [];
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

function isIn({ ranges, negated }: CharacterSet, code: number): boolean {
  return ranges.some(({ from, to }) => code >= from && code <= to) !== negated;
}

const one = (text: string): CodeRange => rangeOf(codeOf(text));

const digits: CodeRange = { from: 0x30, to: 0x39 };

/** What stands for several characters after a backslash, in lower case; in upper case it stands for all others. */
const classes: ReadonlyMap<string, readonly CodeRange[]> = new Map([
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

/** What was read last: a few large ones would take a megabyte. */
const latest = new Map<string, readonly PatternStep[] | PatternProblem>();
const mostLatest = 50;

/**
 * Whether a pattern is found anywhere in `text`; undefined when the pattern is of a kind that is not checked. Every way that the
 * pattern can go is followed at once, so the work is at most the length of the text times that of the pattern, whatever both are.
 * `spend` is told of it.
 */
export function holdsPattern(text: string, pattern: string, spend: (work: number) => void): boolean | undefined {
  const steps = latest.get(pattern) ?? readPattern(pattern);
  if (latest.size >= mostLatest) latest.clear();
  latest.set(pattern, steps);
  return typeof steps === 'string' ? undefined : search(steps, text, spend);
}

function search(steps: readonly PatternStep[], text: string, spend: (work: number) => void): boolean {
  const characters = [...text].map(codeOf);
  let waiting: number[] = [];
  for (let at = 0; at <= characters.length; at += 1) {
    // It may begin here, too.
    const reached = follow(steps, [...waiting, 0], edgesAt(characters, at));
    if (reached.has(steps.length)) return true;
    spend(1 + reached.size / 8);
    const code = characters[at];
    if (code === undefined) return false;
    waiting = [];
    for (const index of reached) {
      const step = steps[index];
      if (typeof step === 'object' && 'ranges' in step && isIn(step, code)) waiting.push(index + 1);
    }
  }
  return false;
}

/** Follows all ways that take no character, until one of them has found the pattern: the steps that are reached. */
function follow(steps: readonly PatternStep[], from: number[], here: ReadonlySet<Edge>): ReadonlySet<number> {
  const reached = new Set<number>();
  for (let index = from.pop(); index !== undefined && !reached.has(steps.length); index = from.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index];
    if (typeof step === 'string') {
      if (here.has(step)) from.push(index + 1);
    } else if (step !== undefined && 'fork' in step) for (const way of step.fork) from.push(index + way);
  }
  return reached;
}

const wordSet = { ranges: classes.get('w') ?? [], negated: false };

function edgesAt(characters: readonly number[], at: number): ReadonlySet<Edge> {
  const isWord = (index: number) => isIn(wordSet, characters[index] ?? -1);
  const here = new Set<Edge>([isWord(at - 1) === isWord(at) ? 'no-word-edge' : 'word-edge']);
  if (at === 0) here.add('start');
  if (at === characters.length) here.add('end');
  return here;
}
