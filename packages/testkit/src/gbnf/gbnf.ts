import { randomInteger } from '../cutters/seeded-random.ts';
import { codeOf, type Gbnf, readGbnf } from './read-gbnf.ts';

/** A grammar as a server reads it, in miniature: which texts it accepts, and texts that a model may write. */
export class Grammar {
  readonly #rules: ReadonlyMap<string, Gbnf>;
  /** How deep the shallowest text of a rule goes. */
  readonly #depths = new Map<string, number>();

  constructor(text: string) {
    this.#rules = readGbnf(text);
    // Rules that hold others become known after those.
    for (let before = -1; before < this.#depths.size; ) {
      before = this.#depths.size;
      for (const [name, rule] of this.#rules) {
        const depth = this.#depthOf(rule);
        if (Number.isFinite(depth) && !this.#depths.has(name)) this.#depths.set(name, depth + 1);
      }
    }
  }

  accepts(text: string): boolean {
    const letters = [...text];
    const seen = new Map<string, Map<number, ReadonlySet<number>>>();
    return this.#ends({ kind: 'rule', name: 'root' }, { letters, at: 0, seen }).has(letters.length);
  }

  #rule(name: string): Gbnf {
    return this.#rules.get(name) ?? { kind: 'all', parts: [] };
  }

  /** Where what a part accepts from here may end. */
  #ends(
    part: Gbnf,
    from: {
      readonly letters: readonly string[];
      readonly at: number;
      readonly seen: Map<string, Map<number, ReadonlySet<number>>>;
    },
  ): ReadonlySet<number> {
    const { letters, at, seen } = from;
    const after = (ends: ReadonlySet<number>, next: Gbnf) =>
      new Set([...ends].flatMap((end) => [...this.#ends(next, { letters, at: end, seen })]));
    switch (part.kind) {
      case 'text':
        return part.letters.every((letter, index) => letters[at + index] === letter)
          ? new Set([at + part.letters.length])
          : new Set();
      case 'letter': {
        const letter = letters[at];
        return letter !== undefined && allows(part, codeOf(letter)) ? new Set([at + 1]) : new Set();
      }
      case 'rule': {
        const known = seen.get(part.name) ?? new Map<number, ReadonlySet<number>>();
        seen.set(part.name, known);
        const found = known.get(at);
        if (found !== undefined) return found;
        // A rule that comes to itself without a letter finds nothing new there.
        known.set(at, new Set());
        const ends = this.#ends(this.#rule(part.name), from);
        known.set(at, ends);
        return ends;
      }
      case 'all':
        return part.parts.reduce<ReadonlySet<number>>(after, new Set([at]));
      case 'any':
        return new Set(part.parts.flatMap((each) => [...this.#ends(each, from)]));
      case 'repeat': {
        let ends: ReadonlySet<number> = new Set([at]);
        const all = new Set<number>(part.least === 0 ? [at] : []);
        for (let count = 1; count <= part.most && ends.size > 0; count += 1) {
          const next = after(ends, part.part);
          ends = new Set([...next].filter((end) => count <= part.least || !all.has(end)));
          if (count >= part.least) for (const end of ends) all.add(end);
        }
        return all;
      }
    }
  }

  /** A text that the grammar accepts. */
  draw(random: () => number): string {
    return this.#drawn({ kind: 'rule', name: 'root' }, random, 12);
  }

  #drawn(part: Gbnf, random: () => number, budget: number): string {
    switch (part.kind) {
      case 'text':
        return part.letters.join('');
      case 'letter':
        return drawLetter(part, random);
      case 'rule':
        return this.#drawn(this.#rule(part.name), random, budget - 1);
      case 'all':
        return part.parts.map((each) => this.#drawn(each, random, budget)).join('');
      case 'any': {
        const depths = part.parts.map((each) => this.#depthOf(each));
        const shallow = Math.min(...depths);
        const open = part.parts.filter((_, index) => (depths[index] ?? 0) <= Math.max(shallow, budget));
        const chosen = open[randomInteger(random, 0, open.length - 1)];
        return chosen === undefined ? '' : this.#drawn(chosen, random, budget);
      }
      case 'repeat': {
        const most = budget > 0 ? Math.min(part.most, part.least + 4) : part.least;
        const count = randomInteger(random, part.least, most);
        return Array.from({ length: count }, () => this.#drawn(part.part, random, budget - 1)).join('');
      }
    }
  }

  #depthOf(part: Gbnf): number {
    if (part.kind === 'rule') return this.#depths.get(part.name) ?? Number.POSITIVE_INFINITY;
    if (part.kind === 'repeat') return part.least === 0 ? 0 : this.#depthOf(part.part);
    if (!('parts' in part)) return 0;
    const depths = part.parts.map((each) => this.#depthOf(each));
    return part.kind === 'any' ? Math.min(...depths) : Math.max(0, ...depths);
  }
}

type Letter = Gbnf & { readonly kind: 'letter' };

function allows({ but, ranges }: Letter, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to) !== but;
}

/** What models write, and what is awkward in JSON, in markup and in grammars. */
const samples = [...'abz 019.,:;-_\n"\\\'{}[]<>|/()#`é→𝄞'];

function drawLetter(part: Letter, random: () => number): string {
  const { but, ranges } = part;
  const open = but
    ? samples.filter((letter) => allows(part, codeOf(letter)))
    : ranges.map(([from, to]) => String.fromCodePoint(randomInteger(random, from, to)));
  return open[randomInteger(random, 0, open.length - 1)] ?? '';
}
