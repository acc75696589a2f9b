import { type Repair, repairs } from '../call-warnings.ts';
import type {
  LookSection,
  Open,
  Opening,
  SectionForm,
  SectionHeaders,
  SectionMarker,
  SectionReport,
} from '../grammar.ts';
import { MarkerTrie } from './marker-trie.ts';
import { type RepairOf, repairBefore, repairedClosers } from './repaired-literals.ts';

/** What is around calls. */
export interface SectionOptions {
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  /** Further markers that open sections. Default: none. */
  readonly headers?: SectionHeaders;
  /** Of the openers, those around all calls, in which each call comes after one of the inner ones. Default: none. */
  readonly nested?: { readonly outer: readonly string[]; readonly inner: readonly string[] };
  /** Calls are outside as well, so there is nothing to report where none is around one. Default false. */
  readonly optional?: boolean;
}

/** How sections of calls are read. A section's opener counts only with a call, or its closer, after it. */
export function sectionForm(options: SectionOptions): SectionForm {
  const { openers, closers, headers, optional = false } = options;
  return {
    openers,
    closers,
    markers: (calls, repairOf) => {
      const look = beforeOneOf([...calls, ...openers, ...closers]);
      const own = openers.map((literal) => {
        const marker: SectionMarker = { section: look, report: reportOf(options, literal, repairOf) };
        return [literal, marker] as const;
      });
      return new Map([...own, ...(headers?.(look, openers) ?? [])]);
    },
    inside: (open, call, repairOf) => {
      const section = openers.find((opener) => call.literal.startsWith(opener));
      if (section === undefined) return openers.length === 0 || optional ? open : openIn(open, 'belongs');
      const closes = call.closers.some((closer) => closers.includes(closer));
      return closes ? open : openIn(open, reportOf(options, section, repairOf));
    },
    withHeaders: (more) => sectionForm({ ...options, headers: more }),
    follow: () => new OpenSections(),
  };
}

/** What there is to report of a section that opens with this literal. */
function reportOf({ closers, nested }: SectionOptions, literal: string, repairOf: RepairOf): SectionReport {
  const { outer = [], inner = [] } = nested ?? {};
  const place = outer.includes(literal) ? 'outer' : inner.includes(literal) ? 'inner' : undefined;
  return { repair: repairOf(literal), closers: repairedClosers(literal, closers, repairOf), place };
}

function openIn(open: Open, section: Opening['section']): Open {
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    return typeof opening !== 'string' && 'read' in opening ? { ...opening, section } : opening;
  };
}

/** A section opens before one of these literals. */
export function beforeOneOf(literals: Iterable<string>): LookSection {
  let known: MarkerTrie<true> | undefined;
  const make = () => new MarkerTrie(Array.from(literals, (literal) => [literal, true] as const));
  return (scanner, index, length) => {
    known ??= make();
    const followers = known;
    const next = scanner.afterSpace(index + length);
    const found = typeof next === 'string' ? next : followers.find(scanner.text, next, scanner.ended);
    return typeof found === 'string' ? found : index + length;
  };
}

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
