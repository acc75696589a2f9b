import { isDeepStrictEqual } from 'node:util';
import { formatPath, type PathStep } from '../../config/problem.ts';
import { CommandError } from '../terminal.ts';
import type { Setting, Settings, SettingsObject } from './connection.ts';

/** One place of a settings file and what is to be there instead; undefined: nothing. */
export interface Change {
  readonly path: readonly PathStep[];
  readonly value: Setting | undefined;
}

/**
 * What has to change in `found`, the value of a settings file, so that `wanted` holds: as little as can be. Objects keep
 * what else they hold. An entry of a list belongs to the entry with the same `id`, `slug`, `name` and `vendor`, as far as it has
 * them, and comes last where there is none. Throws CommandError where the file holds something of another kind.
 */
export function changesTo(found: unknown, wanted: Settings): readonly Change[] {
  return changesAt([], { found, wanted });
}

interface Pair {
  readonly found: unknown;
  readonly wanted: Setting;
}

function changesAt(path: readonly PathStep[], { found, wanted }: Pair): readonly Change[] {
  if (wanted === null) return found === null ? [] : [{ path, value: wanted }];
  if (found === undefined || found === null) return [{ path, value: wanted }];
  if (typeof wanted !== 'object') return found === wanted ? [] : [{ path, value: wanted }];
  if (isList(wanted)) {
    if (!Array.isArray(found)) throw refusal(path, 'a list');
    return listChanges(path, { found, wanted });
  }
  if (!isObject(found)) throw refusal(path, 'an object');
  return Object.entries(wanted).flatMap(([name, each]) =>
    changesAt([...path, name], { found: Object.hasOwn(found, name) ? found[name] : undefined, wanted: each }),
  );
}

function listChanges(
  path: readonly PathStep[],
  { found, wanted }: { readonly found: readonly unknown[]; readonly wanted: readonly Setting[] },
): readonly Change[] {
  let end = found.length;
  return wanted.flatMap((entry) => {
    const at = found.findIndex((each) => isSameEntry(each, entry));
    if (at !== -1) return changesAt([...path, at], { found: found[at], wanted: entry });
    const change = { path: [...path, end], value: entry };
    end += 1;
    return [change];
  });
}

/** Whether an entry of a list is the one that `wanted` speaks of; one without a name is known by all of it. */
export function isSameEntry(found: unknown, wanted: Setting): boolean {
  const names = namesOf(wanted);
  if (names === undefined) return isDeepStrictEqual(found, wanted);
  return isObject(found) && Object.entries(names).every(([name, each]) => found[name] === each);
}

/** What an entry of a list is known by; undefined for one without a name. */
export function namesOf(entry: Setting): SettingsObject | undefined {
  if (typeof entry !== 'object' || entry === null || isList(entry)) return undefined;
  const names = Object.entries(entry).filter(([name]) => nameFields.includes(name));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

/** The fields by which entries of lists are told apart. */
export const nameFields: readonly string[] = ['id', 'slug', 'name', 'vendor'];

/** Array.isArray does not narrow readonly arrays. */
export function isList(value: SettingsObject | readonly Setting[]): value is readonly Setting[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: readonly PathStep[], kind: string): CommandError {
  const place = path.length === 0 ? 'its content' : formatPath(path);
  return new CommandError(`${place} is not ${kind}, and ${kind} has to be there.`);
}
