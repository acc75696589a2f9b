import { matchPattern } from './match-pattern.ts';
import { compilePattern, type PatternStep } from './pattern-program.ts';
import { readPattern } from './read-pattern.ts';

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
