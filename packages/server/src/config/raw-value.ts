import type { PathStep } from './problem.ts';

/** A field of a value that was not checked yet; undefined where there is none. */
export function fieldOf(value: unknown, step: PathStep): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
}

/** The fields of an object that was not checked yet; none where it is something else. */
export function entriesOf(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** What is at `path`; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PathStep[]): unknown {
  return path.reduce(fieldOf, value);
}
