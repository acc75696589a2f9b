import { isDeepStrictEqual } from 'node:util';
import { formatPath, type PathStep } from '../../config/problem.ts';
import { type Change, isObject, nameFields } from './change-settings.ts';
import { findAt, placeOf, type RecordStep, readSetting, type WrittenPlace } from './written-record.ts';

/** What takes back what was written into a file. */
export interface Undoing {
  /** One after another. */
  readonly changes: readonly Change[];
  /** Nothing that anybody else has written is left in the file. */
  readonly isAllOurs: boolean;
  /** What stays, and why. */
  readonly kept: readonly string[];
}

/**
 * What takes `places` out of `found`, the value of a file: each that still holds what was written is put back as it was,
 * and what began with them goes where it is left empty. `earlierIn` gives the value of a copy of the file, undefined
 * where that is gone.
 */
export function undoing(
  found: unknown,
  { places, earlierIn }: { readonly places: readonly WrittenPlace[]; readonly earlierIn: (backup: string) => unknown },
): Undoing {
  const kept: string[] = [];
  const { changes, isGone } = undoAt(found, [], {
    rest: places.map((place) => ({ steps: place.path, place })),
    earlierIn,
    keep: (path, why) => kept.push(`${formatPath(path)} ${why}`),
  });
  return { changes, isAllOurs: isGone, kept };
}

interface Around {
  /** The places here and below, with the steps that are left. */
  readonly rest: readonly Rest[];
  readonly earlierIn: (backup: string) => unknown;
  keep(path: readonly PathStep[], why: string): void;
}

interface Rest {
  readonly steps: readonly RecordStep[];
  readonly place: WrittenPlace;
}

interface Part {
  readonly changes: readonly Change[];
  /** All of it is ours and goes. */
  readonly isGone: boolean;
}

function undoAt(found: unknown, path: readonly PathStep[], around: Around): Part {
  const here = around.rest.find(({ steps }) => steps.length === 0)?.place;
  if (here?.value !== undefined) return undoValue(found, path, { ...around, here });
  if (!Array.isArray(found) && !isObject(found)) {
    around.keep(path, 'has changed since');
    return { changes: [], isGone: false };
  }
  const changes: Change[] = [];
  const gone: PathStep[] = [];
  for (const { step, rest } of byFirstStep(around.rest)) {
    const at = placeOf(found, step);
    // Somebody has taken it out already.
    if (at === undefined) continue;
    const part = undoAt(findAt(found, [step]), [...path, at], { ...around, rest });
    changes.push(...part.changes);
    if (part.isGone) gone.push(at);
  }
  if (here !== undefined && Object.keys(found).length === gone.length) return { changes: [], isGone: true };
  // An entry of a list in which something is left keeps its name.
  const isEntry = typeof path.at(-1) === 'number';
  const going = gone.filter((step) => !isEntry || !nameFields.includes(String(step))).sort(lastFirst);
  changes.push(...going.map((step) => ({ path: [...path, step], value: undefined })));
  return { changes, isGone: false };
}

function byFirstStep(all: readonly Rest[]): readonly { readonly step: RecordStep; readonly rest: readonly Rest[] }[] {
  const groups = new Map<string, { readonly step: RecordStep; readonly rest: Rest[] }>();
  for (const { steps, place } of all) {
    const [step, ...others] = steps;
    if (step === undefined) continue;
    const group = groups.get(JSON.stringify(step)) ?? { step, rest: [] };
    group.rest.push({ steps: others, place });
    groups.set(JSON.stringify(step), group);
  }
  return [...groups.values()];
}

/** Whoever takes an entry out of a list moves those after it. */
function lastFirst(a: PathStep, b: PathStep): number {
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
}

function undoValue(
  found: unknown,
  path: readonly PathStep[],
  { here, earlierIn, keep }: Around & { readonly here: WrittenPlace },
): Part {
  const stays: Part = { changes: [], isGone: false };
  if (!isDeepStrictEqual(found, here.value)) {
    keep(path, 'has changed since');
    return stays;
  }
  if (here.backup === undefined) return { changes: [], isGone: true };
  const value = readSetting(findAt(earlierIn(here.backup), here.path));
  if (value !== undefined) return { changes: [{ path, value }], isGone: false };
  keep(path, `stood otherwise in ${here.backup}, where it cannot be read any more`);
  return stays;
}
