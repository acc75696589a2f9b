import { type Mend, mends } from '../call-warnings.ts';
import type { Opening, SectionTelling } from '../grammar.ts';
import { mendBefore } from './repaired-literals.ts';

const noMends: readonly Mend[] = [];

/** So deep sections are kept: forms nest two, and what a model repeats without end must not be remembered for each. */
const deepest = 64;

/** The sections that are open around visible text, innermost last, and what is to be told of them. */
export class OpenSections {
  readonly #open: SectionTelling[] = [];
  /** In so many of them, the outermost first, a call has been read. */
  #called = 0;
  /** What is wrong with sections that no call has told of yet, each once: openers may stand behind each other without end. */
  #untold: readonly Mend[] = noMends;

  get any(): boolean {
    return this.#open.length > 0;
  }

  open(section: SectionTelling): void {
    if (section.place === 'inner' && !this.any) this.#tellNext(mends.section);
    if (section.mend !== undefined) this.#tellNext(section.mend);
    if (this.#open.length < deepest) this.#open.push(section);
  }

  /** The closer that ends at `end` ends the innermost section. Returns what is to be told of it, where calls stood in it. */
  close(text: string, end: number): Mend | undefined {
    const section = this.#open.pop();
    const isCalled = this.#called > this.#open.length;
    this.#called = Math.min(this.#called, this.#open.length);
    this.#untold = noMends;
    if (section === undefined || !isCalled) return undefined;
    const mend = mendBefore(text, end, section.closers);
    return mend === section.mend ? undefined : mend;
  }

  /** What is wrong with the sections around a call that opens here. */
  mendsOf({ section }: Opening): readonly Mend[] {
    if (section !== 'belongs') return this.#untold;
    const around = this.#open.at(-1);
    if (around === undefined) return [mends.section];
    return around.place === 'outer' ? [...this.#untold, mends.opener] : this.#untold;
  }

  /** A call has been read, and has told of them. */
  passCall(): void {
    this.#called = this.#open.length;
    this.#untold = noMends;
  }

  #tellNext(mend: Mend): void {
    if (!this.#untold.includes(mend)) this.#untold = [...this.#untold, mend];
  }
}
