import type { Misfit, ValuePosition } from './misfit.ts';

/** One value that is looked at, and where it stands. */
export interface Looked<Value = unknown> {
  readonly value: Value;
  readonly place: ValuePosition;
}

/** What the checks of single keywords are given. */
export interface Fitting {
  /** Checks a value against a schema. What it finds to be described is added to `evaluated`. */
  fit(schema: unknown, looked: Looked, evaluated?: Evaluated): Misfit | undefined;
  /** Counts work; throws `OutOfSteps` when there was too much. */
  readonly spend: (steps?: number) => void;
  /** As `fit`, with whether it is certain: a schema asks for what is not checked where the value may fit, or may not. */
  judge(schema: unknown, looked: Looked, evaluated?: Evaluated): FitDecision;
  /** Something was not checked, and counts as fitting. */
  doubt(): void;
  /** Whether the text matches; undefined when the pattern is of a kind that is not checked. */
  matches(pattern: string, text: string): boolean | undefined;
}

/** Whether a value fits a schema, and what is wrong where it does not. */
export type FitDecision =
  | { readonly fits: 'yes' }
  | { readonly fits: 'no'; readonly misfit: Misfit }
  /** As far as it was checked. */
  | { readonly fits: 'perhaps' };

/** The schema asks for more work than one answer is worth. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

/** Which members of one object or list a schema describes, for the keywords that speak of all others. */
export class Evaluated {
  readonly members = new Set<string | number>();

  has(member: string | number): boolean {
    return this.members.has(member);
  }

  add(member: string | number): void {
    this.members.add(member);
  }

  addAll(other: Evaluated): void {
    for (const member of other.members) this.members.add(member);
  }
}
