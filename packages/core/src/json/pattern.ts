/** `invalid`: no regular expression; `unsupported`: one that looks around or back, which takes more than linear time, or a very long one. */
export type PatternProblem = 'invalid' | 'unsupported';

/** One step of a pattern. A fork goes on at all of the steps that are so far away; any other goes on at the next. */
export type PatternStep =
  | CharacterSet
  | 'start'
  | 'end'
  | 'word-edge'
  | 'no-word-edge'
  | { readonly fork: readonly number[] };

/** More steps are not followed: repetitions are written out, and those of repetitions multiply. */
const longest = 4_000;

/** UTF-16 units. */
const longestSource = 20_000;

/** Groups within each other. */
const deepest = 100;

/** Which characters are at a place: what the platform says of the part of a pattern that stands for one character. */
class CharacterSet {
  readonly #source: string;
  #pattern: RegExp | undefined;
  /** Of ASCII, what was found: 1 where it has the character, 2 where it has not. */
  readonly #found = new Uint8Array(128);

  constructor(source: string) {
    this.#source = source;
  }

  has(character: string): boolean {
    const code = character.charCodeAt(0);
    const found = this.#found[code] ?? 0;
    if (found !== 0) return found === 1;
    this.#pattern ??= new RegExp(`^(?:${this.#source})$`, 'u');
    const has = this.#pattern.test(character);
    if (code < 128) this.#found[code] = has ? 1 : 2;
    return has;
  }
}

/** What a pattern is made of: an escape, a set, the beginning of a group, a number of times, any other character. */
const tokens =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[\w=]*\}|c.|.)|\[(?:\\.|[^\]\\])*\]|\(\?<[^=!()<>]+>|\(\?:?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** With the flag `u` only signs may be escaped; many patterns escape more, which means the character itself. */
const needless = /\\([^\ddDwWsSbBfnrtvcxukpP^$\\.*+?()[\]{}|/])|\\./gsu;

/**
 * Reads the source of an ECMAScript regular expression with the flag `u`. What stands for one character, and whether it is an
 * expression at all, is the platform's to say; the rest becomes steps, so that all ways through it can be followed at once. Never throws.
 */
export function readPattern(source: string): readonly PatternStep[] | PatternProblem {
  if (source.length > longestSource) return 'unsupported';
  const plain = source.replaceAll(needless, (written, character?: string) =>
    character === undefined ? written : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  const parts: string[] = [];
  let depth = 0;
  for (const [part] of plain.matchAll(tokens)) {
    parts.push(part);
    if (part === '[') return 'invalid';
    if (part.startsWith('(')) depth += 1;
    if (part === ')') depth -= 1;
    if (part === '(?' || /^\\[1-9k]/.test(part) || depth > deepest) return 'unsupported';
  }
  try {
    new RegExp(plain, 'u');
  } catch {
    return 'invalid';
  }
  return new PatternReader(parts).read() ?? 'unsupported';
}

/** Reads what the platform has found to be an expression. */
class PatternReader {
  readonly #parts: readonly string[];
  #at = 0;
  #isTooLong = false;

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  read(): readonly PatternStep[] | undefined {
    const steps = this.#choice();
    return this.#isTooLong ? undefined : steps;
  }

  #choice(): readonly PatternStep[] {
    const ways = [this.#sequence()];
    for (; this.#parts[this.#at] === '|'; ways.push(this.#sequence())) this.#at += 1;
    const [only] = ways;
    if (ways.length === 1 && only !== undefined) return only;
    const starts: number[] = [];
    let end = 1;
    for (const way of ways) {
      starts.push(end);
      end += way.length + 1;
    }
    const after = (at: number) => ({ fork: [end - at] });
    const steps: PatternStep[] = [{ fork: starts }];
    for (const way of ways) {
      steps.push(...way);
      steps.push(after(steps.length));
    }
    return steps;
  }

  #sequence(): readonly PatternStep[] {
    const steps: PatternStep[] = [];
    for (let part = this.#parts[this.#at]; part !== undefined && part !== '|' && part !== ')'; ) {
      this.#at += 1;
      steps.push(...this.#repeated(this.#one(part)));
      if (steps.length > longest) this.#isTooLong = true;
      if (this.#isTooLong) return [];
      part = this.#parts[this.#at];
    }
    return steps;
  }

  #one(part: string): readonly PatternStep[] {
    if (part.startsWith('(')) {
      const inside = this.#choice();
      // The closing bracket.
      this.#at += 1;
      return inside;
    }
    return [edges.get(part) ?? new CharacterSet(part)];
  }

  /** Whether as few or as many as there can be are taken changes what is found, not whether. */
  #repeated(part: readonly PatternStep[]): readonly PatternStep[] {
    const times = timesOf(this.#parts[this.#at] ?? '');
    if (times === undefined) return part;
    this.#at += 1;
    const { least, most } = times;
    const isEndless = most === Number.POSITIVE_INFINITY;
    const size = part.length + 1;
    if (part.length === 0) return part;
    if ((isEndless ? least + 1 : most) * size > longest) this.#isTooLong = true;
    if (this.#isTooLong) return [];
    const steps: PatternStep[] = [];
    for (let count = 0; count < least; count += 1) steps.push(...part);
    if (isEndless) return [...steps, { fork: [1, size + 1] }, ...part, { fork: [-size] }];
    for (let count = least; count < most; count += 1) steps.push({ fork: [1, (most - count) * size] }, ...part);
    return steps;
  }
}

const edges: ReadonlyMap<string, PatternStep> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'word-edge'],
  ['\\B', 'no-word-edge'],
]);

/** How many times the part before stands; undefined where this is another part. */
function timesOf(part: string): { readonly least: number; readonly most: number } | undefined {
  switch (part.charAt(0)) {
    case '*':
      return { least: 0, most: Number.POSITIVE_INFINITY };
    case '+':
      return { least: 1, most: Number.POSITIVE_INFINITY };
    case '?':
      return { least: 0, most: 1 };
    case '{': {
      const [least = '', most] = part.slice(1, part.indexOf('}')).split(',');
      return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most ?? least) };
    }
    default:
      return undefined;
  }
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
  const characters = [...text];
  let waiting: number[] = [];
  for (let at = 0; at <= characters.length; at += 1) {
    // It may begin here, too.
    const reached = follow(steps, [...waiting, 0], edgesAt(characters, at));
    if (reached.has(steps.length)) return true;
    spend(1 + reached.size / 8);
    const character = characters[at];
    if (character === undefined) return false;
    waiting = [];
    for (const index of reached) {
      const step = steps[index];
      if (step instanceof CharacterSet && step.has(character)) waiting.push(index + 1);
    }
  }
  return false;
}

/** Follows all ways that take no character, until one of them has found the pattern: the steps that are reached. */
function follow(steps: readonly PatternStep[], from: number[], here: ReadonlySet<PatternStep>): ReadonlySet<number> {
  const reached = new Set<number>();
  for (let index = from.pop(); index !== undefined && !reached.has(steps.length); index = from.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index];
    if (step === undefined || step instanceof CharacterSet) continue;
    if (typeof step === 'object') for (const way of step.fork) from.push(index + way);
    else if (here.has(step)) from.push(index + 1);
  }
  return reached;
}

const wordSet = new CharacterSet('\\w');

function edgesAt(characters: readonly string[], at: number): ReadonlySet<PatternStep> {
  const isWord = (index: number) => wordSet.has(characters[index] ?? ' ');
  const here = new Set<PatternStep>([isWord(at - 1) === isWord(at) ? 'no-word-edge' : 'word-edge']);
  if (at === 0) here.add('start');
  if (at === characters.length) here.add('end');
  return here;
}
