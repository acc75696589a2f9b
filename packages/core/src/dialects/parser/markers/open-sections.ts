import { type Repair, repairs } from '../call-warnings.ts';
import type { Opening, SectionReport } from '../grammar.ts';
import { repairBefore } from './repaired-literals.ts';

const noRepairs: readonly Repair[] = [];

/** So deep sections are kept: forms nest two, and what a model repeats without end must not be remembered for each. */
const deepest = 64;

/** The sections that are open around visible text, innermost last, and what is to be reported of them. */
export class OpenSections {
  readonly #open: SectionReport[] = [];
  /** In so many of them, the outermost first, a call has been read. */
  #called = 0;
  /** What is wrong with sections that no call has reported yet, each once: openers may come after each other without end. */
  #unreported: readonly Repair[] = noRepairs;

  get any(): boolean {
    return this.#open.length > 0;
  }

  open(section: SectionReport): void {
    if (section.place === 'inner' && !this.any) this.#reportNext(repairs.section);
    if (section.repair !== undefined) this.#reportNext(section.repair);
    if (this.#open.length < deepest) this.#open.push(section);
  }

  /** The closer that ends at `end` ends the innermost section. Returns what is to be reported of it, where calls were in it. */
  close(text: string, end: number): Repair | undefined {
    const section = this.#open.pop();
    const isCalled = this.#called > this.#open.length;
    this.#called = Math.min(this.#called, this.#open.length);
    this.#unreported = noRepairs;
    if (section === undefined || !isCalled) return undefined;
    const repair = repairBefore(text, end, section.closers);
    return repair === section.repair ? undefined : repair;
  }

  /** What is wrong with the sections around a call that opens here. */
  repairsOf({ section }: Opening): readonly Repair[] {
    if (section !== 'belongs') return this.#unreported;
    const around = this.#open.at(-1);
    if (around === undefined) return [repairs.section];
    return around.place === 'outer' ? [...this.#unreported, repairs.opener] : this.#unreported;
  }

  /** A call has been read, and has reported it. */
  passCall(): void {
    this.#called = this.#open.length;
    this.#unreported = noRepairs;
  }

  #reportNext(repair: Repair): void {
    if (!this.#unreported.includes(repair)) this.#unreported = [...this.#unreported, repair];
  }
}
