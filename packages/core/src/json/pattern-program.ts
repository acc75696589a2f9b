import type { CharacterSet, Edge, PatternNode } from './pattern-node.ts';

/** One step of a program: where it goes on is an index of a step. */
export type PatternStep =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  /** Goes on at both. */
  | { readonly kind: 'fork'; readonly to: readonly number[] }
  | { readonly kind: 'found' };

/** A longer program is not run: repetitions are written out, and those of repetitions multiply. */
const longest = 4_000;

/** Writes a pattern out as steps; undefined when they are too many. */
export function compilePattern(node: PatternNode): readonly PatternStep[] | undefined {
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
