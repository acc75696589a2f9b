import type { Evaluated } from './evaluated.ts';
import type { Misfit, Place } from './misfit.ts';

/** One value that is looked at, and where it stands. */
export interface Looked<Value = unknown> {
  readonly value: Value;
  readonly place: Place;
}

/** What the checks of single keywords are given. */
export interface Fitting {
  /** Checks a value against a schema. What it finds to be described is added to `evaluated`. */
  fit(schema: unknown, looked: Looked, evaluated?: Evaluated): Misfit | undefined;
  /** Counts work; throws `OutOfSteps` when there was too much. */
  readonly spend: (steps?: number) => void;
  /** Whether the text matches; undefined when the pattern is of a kind that is not checked. */
  matches(pattern: string, text: string): boolean | undefined;
}

/** The schema asks for more work than one answer is worth. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}
