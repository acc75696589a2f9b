import { classes, type Edge, isIn } from './pattern-node.ts';
import type { PatternStep } from './pattern-program.ts';

/**
 * Whether a pattern is found anywhere in `text`. Every way that the pattern can go is followed at once, so the work is at
 * most the length of the text times that of the pattern, whatever both are. `spend` is told of it.
 */
export function matchPattern(steps: readonly PatternStep[], text: string, spend: (work: number) => void): boolean {
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
