import { type CharacterSet, classes, type Edge, isIn, type PatternNode, readPattern } from './read-pattern.ts';

/**
 * Whether a pattern is found anywhere in `text`. Every way that the pattern can go is followed at once, so the work is at
 * most the length of the text times that of the pattern, whatever both are. `spend` is told of it.
 */
function matchPattern(steps: readonly PatternStep[], text: string, spend: (work: number) => void): boolean {
  const characters = [...text].map((character) => character.codePointAt(0) ?? 0);
  let waiting: number[] = [];
  for (let at = 0; at <= characters.length; at += 1) {
    const reached = new Set<number>();
    // It may begin here, too.
    if (follow([...waiting, 0], { steps, reached, edges: edgesAt(characters, at) })) return true;
    spend(1 + reached.size / 8);
    const code = characters[at];
    if (code === undefined) return false;
    waiting = [];
    for (const index of reached) {
      const step = steps[index];
      if (step?.kind === 'set' && isIn(step.set, code)) waiting.push(index + 1);
    }
  }
  return false;
}

interface Following {
  readonly steps: readonly PatternStep[];
  /** The steps that are reached without a further character. */
  readonly reached: Set<number>;
  readonly edges: ReadonlySet<Edge>;
}

/** Follows all ways that take no character; true when one of them has found the pattern. */
function follow(from: number[], { steps, reached, edges }: Following): boolean {
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index];
    if (step === undefined || step.kind === 'set') continue;
    if (step.kind === 'found') return true;
    if (step.kind === 'fork') from.push(...step.to);
    else if (edges.has(step.edge)) from.push(index + 1);
  }
  return false;
}

const wordSet = { ranges: classes.get('w') ?? [], negated: false };

function edgesAt(characters: readonly number[], at: number): ReadonlySet<Edge> {
  const isWord = (index: number) => {
    const code = characters[index];
    return code !== undefined && isIn(wordSet, code);
  };
  const edges = new Set<Edge>([isWord(at - 1) === isWord(at) ? 'no-word-edge' : 'word-edge']);
  if (at === 0) edges.add('start');
  if (at === characters.length) edges.add('end');
  return edges;
}

/** One step of a program: where it goes on is an index of a step. */
type PatternStep =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  /** Goes on at both. */
  | { readonly kind: 'fork'; readonly to: readonly number[] }
  | { readonly kind: 'found' };

/** A longer program is not run: repetitions are written out, and those of repetitions multiply. */
const longest = 4_000;

/** Writes a pattern out as steps; undefined when they are too many. */
function compilePattern(node: PatternNode): readonly PatternStep[] | undefined {
  const writer = new ProgramWriter();
  writer.write(node);
  return writer.hasRoom ? [...writer.steps, { kind: 'found' }] : undefined;
}

class ProgramWriter {
  readonly steps: PatternStep[] = [];
  /** What writes nothing takes room, too. */
  #room = longest;

  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** Appends what matches the node and then goes on after itself, as far as there is room. */
  write(node: PatternNode): void {
    this.#room -= 1;
    if (!this.hasRoom) return;
    switch (node.kind) {
      case 'set':
        this.#room -= node.set.ranges.length / 4;
        this.steps.push(node);
        return;
      case 'edge':
        this.steps.push(node);
        return;
      case 'sequence':
        for (const part of node.parts) this.write(part);
        return;
      case 'choice':
        this.#writeChoice(node.parts);
        return;
      case 'repeat':
        this.#writeRepeat(node);
        return;
      default:
        node satisfies never;
    }
  }

  #writeChoice(parts: readonly PatternNode[]): void {
    const fork = this.#fork();
    const starts: number[] = [];
    const ends: number[] = [];
    for (const part of parts) {
      starts.push(this.steps.length);
      this.write(part);
      ends.push(this.#fork());
    }
    this.steps[fork] = { kind: 'fork', to: starts };
    for (const end of ends) this.steps[end] = { kind: 'fork', to: [this.steps.length] };
  }

  #writeRepeat({ part, least, most }: PatternNode & { readonly kind: 'repeat' }): void {
    for (let count = 0; count < least && this.hasRoom; count += 1) this.write(part);
    const forks: number[] = [];
    if (most === Number.POSITIVE_INFINITY) {
      forks.push(this.#fork());
      this.write(part);
      this.steps.push({ kind: 'fork', to: forks });
    } else {
      for (let count = least; count < most && this.hasRoom; count += 1) {
        forks.push(this.#fork());
        this.write(part);
      }
    }
    for (const fork of forks) this.steps[fork] = { kind: 'fork', to: [fork + 1, this.steps.length] };
  }

  /** A step whose targets are set when they are known. */
  #fork(): number {
    return this.steps.push({ kind: 'fork', to: [] }) - 1;
  }
}

/** The patterns of a schema, each compiled at its first use. */
export class Patterns {
  readonly #programs = new Map<string, readonly PatternStep[] | undefined>();

  /** Whether `text` holds the pattern; undefined when the pattern is of a kind that is not checked. */
  matches(pattern: string, text: string, spend: (work: number) => void): boolean | undefined {
    const program = this.#programOf(pattern);
    return program === undefined ? undefined : matchPattern(program, text, spend);
  }

  #programOf(pattern: string): readonly PatternStep[] | undefined {
    if (this.#programs.has(pattern)) return this.#programs.get(pattern);
    const node = readPattern(pattern);
    const program = typeof node === 'string' ? undefined : compilePattern(node);
    this.#programs.set(pattern, program);
    return program;
  }
}
