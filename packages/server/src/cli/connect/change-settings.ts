import { isDeepStrictEqual } from 'node:util';
import { formatPath, type PathStep } from '../../config/problem.ts';
import { isRecord } from '../../is-record.ts';
import { CommandError } from '../terminal.ts';
import type { Setting, Settings, SettingsObject } from './connection.ts';

/** One place of a settings file and what is to be there instead; undefined: nothing. */
export interface SettingChange {
  readonly path: readonly PathStep[];
  readonly value: unknown;
}

/**
 * What has to change in `found`, the value of a settings file, so that `wanted` holds: as little as can be. Objects keep
 * what else they hold. An entry of a list belongs to the entry with the same `id`, `slug`, `name` and `vendor`, as far as it has
 * them, and comes last where there is none. Throws CommandError where the file holds something of another kind.
 */
export function changesTo(found: unknown, wanted: Settings): readonly SettingChange[] {
  return changesAt([], { found, wanted });
}

interface Pair {
  readonly found: unknown;
  readonly wanted: Setting;
}

function changesAt(path: readonly PathStep[], { found, wanted }: Pair): readonly SettingChange[] {
  if (wanted === null) return found === null ? [] : [{ path, value: wanted }];
  if (found === undefined || found === null) return [{ path, value: wanted }];
  if (typeof wanted !== 'object') return found === wanted ? [] : [{ path, value: wanted }];
  if (isList(wanted)) {
    if (!Array.isArray(found)) throw refusal(path, 'a list');
    return listChanges(path, { found, wanted });
  }
  if (!isRecord(found)) throw refusal(path, 'an object');
  return Object.entries(wanted).flatMap(([name, each]) =>
    changesAt([...path, name], { found: Object.hasOwn(found, name) ? found[name] : undefined, wanted: each }),
  );
}

function listChanges(
  path: readonly PathStep[],
  { found, wanted }: { readonly found: readonly unknown[]; readonly wanted: readonly Setting[] },
): readonly SettingChange[] {
  let end = found.length;
  return wanted.flatMap((entry) => {
    const at = found.findIndex((each) => isSameEntry(each, entry));
    if (at !== -1) return changesAt([...path, at], { found: found[at], wanted: entry });
    const change = { path: [...path, end], value: entry };
    end += 1;
    return [change];
  });
}

/** What takes back what was written into a file. */
export interface Undoing {
  /** One after another. */
  readonly changes: readonly SettingChange[];
  /** Nothing that anybody else has written is left. */
  readonly isGone: boolean;
}

interface WrittenPair {
  /** What is there now. */
  readonly found: unknown;
  readonly written: Setting;
  /** What was there before; undefined where nothing was. */
  readonly before: unknown;
}

/**
 * What takes `written` out of `found`, the value of a file: what still holds what was written is put back as it was before, and
 * what began with it goes where it is left empty. `keep` hears of the places that have changed since, which stay.
 */
export function undoing(pair: WrittenPair, keep: (place: string) => void): Undoing {
  return undoAt([], pair, keep);
}

function undoAt(
  path: readonly PathStep[],
  { found, written, before }: WrittenPair,
  keep: (place: string) => void,
): Undoing {
  const isInside = typeof written === 'object' && written !== null;
  if (isInside && typeof found === 'object' && found !== null) {
    const parts = partsOf(written, found, before).map(({ step, pair }) => ({
      step,
      ...undoAt([...path, step], pair, keep),
    }));
    const gone = parts.filter(({ isGone }) => isGone).map(({ step }) => step);
    if (before === undefined && Object.keys(found).length === gone.length) return { changes: [], isGone: true };
    // An entry of a list in which something is left keeps its name.
    const isEntry = typeof path.at(-1) === 'number';
    const going = gone.filter((step) => !isEntry || !nameFields.includes(String(step))).sort(lastFirst);
    const removals = going.map((step) => ({ path: [...path, step], value: undefined }));
    return { changes: [...parts.flatMap(({ changes }) => changes), ...removals], isGone: false };
  }
  if (isInside || found !== written) {
    keep(formatPath(path));
    return { changes: [], isGone: false };
  }
  if (before === undefined) return { changes: [], isGone: true };
  return { changes: isDeepStrictEqual(before, found) ? [] : [{ path, value: before }], isGone: false };
}

/** What was written into an object or a list, with the places where it is now; what somebody has taken out is left out. */
function partsOf(
  written: SettingsObject | readonly Setting[],
  found: object,
  before: unknown,
): readonly { readonly step: PathStep; readonly pair: WrittenPair }[] {
  const fields = (value: unknown) => (isRecord(value) ? value : {});
  if (!isList(written)) {
    return Object.entries(written).flatMap(([step, each]) =>
      Object.hasOwn(found, step)
        ? [{ step, pair: { found: fields(found)[step], written: each, before: fields(before)[step] } }]
        : [],
    );
  }
  if (!Array.isArray(found)) return [];
  const earlier: readonly unknown[] = Array.isArray(before) ? before : [];
  return written.flatMap((entry) => {
    const step = found.findIndex((each) => isSameEntry(each, entry));
    const was = earlier.find((each) => isSameEntry(each, entry));
    return step === -1 ? [] : [{ step, pair: { found: found[step], written: entry, before: was } }];
  });
}

/** Whoever takes an entry out of a list moves those after it. */
function lastFirst(a: PathStep, b: PathStep): number {
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
}

/** Whether an entry of a list is the one that `wanted` speaks of; one without a name is known by all of it. */
function isSameEntry(found: unknown, wanted: Setting): boolean {
  const names = namesOf(wanted);
  if (names === undefined) return isDeepStrictEqual(found, wanted);
  return isRecord(found) && Object.entries(names).every(([name, each]) => found[name] === each);
}

/** What an entry of a list is known by; undefined for one without a name. */
function namesOf(entry: Setting): SettingsObject | undefined {
  if (typeof entry !== 'object' || entry === null || isList(entry)) return undefined;
  const names = Object.entries(entry).filter(([name]) => nameFields.includes(name));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

/** The fields by which entries of lists are told apart. */
const nameFields: readonly string[] = ['id', 'slug', 'name', 'vendor'];

/** Array.isArray does not narrow readonly arrays. */
export function isList(value: SettingsObject | readonly Setting[]): value is readonly Setting[] {
  return Array.isArray(value);
}

function refusal(path: readonly PathStep[], kind: string): CommandError {
  const place = path.length === 0 ? 'its content' : formatPath(path);
  return new CommandError(`${place} is not ${kind}. Correct it.`);
}
