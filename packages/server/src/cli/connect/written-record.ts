import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { PathStep } from '../../config/problem.ts';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { type Change, isList, isObject, isSameEntry, namesOf } from './change-settings.ts';
import type { Setting } from './connection.ts';
import { textOf } from './replace-file.ts';

/** A field of an object, or the entry of a list that is known by this. */
export type RecordStep = string | { readonly entry: Setting };

/** One place that was written. */
export interface WrittenPlace {
  readonly path: readonly RecordStep[];
  /** What was written; absent for an object or a list that began there, whose content has places of its own. */
  readonly value?: Setting | undefined;
  /**
   * The copy of the file that holds what was there before; absent where nothing was. What people had in their files may
   * be secret, so it is not kept a second time.
   */
  readonly backup?: string | undefined;
}

/** What `connect --write` has written into one file of a client. */
export interface WrittenFile {
  readonly client: string;
  readonly format: 'jsonc' | 'toml' | 'yaml';
  readonly places: readonly WrittenPlace[];
  /** The copy with the file as it was before all that was written; absent where there was none. */
  readonly original?: string | undefined;
  /** Of the text that was written last, where all since the original was written here: then the original can come back as it was. */
  readonly hash?: string | undefined;
  /** All copies that were made, the original among them. */
  readonly copies?: readonly string[] | undefined;
  /** The outermost of the folders that were made for the file. */
  readonly folder?: string | undefined;
}

/** By the whole path of the file. */
export type WrittenFiles = Readonly<Record<string, WrittenFile>>;

const setting: z.ZodType<Setting> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(setting), z.record(z.string(), setting)]),
);
const writtenFiles = z.record(
  z.string(),
  z.object({
    client: z.string(),
    format: z.enum(['jsonc', 'toml', 'yaml']),
    places: z.array(
      z.object({
        path: z.array(z.union([z.string(), z.object({ entry: setting })])),
        value: setting.optional(),
        backup: z.string().optional(),
      }),
    ),
    original: z.string().optional(),
    hash: z.string().optional(),
    copies: z.array(z.string()).optional(),
    folder: z.string().optional(),
  }),
);

/** Where the record is. */
export function recordFile(terminal: Pick<Terminal, 'env'>, platform?: string): string {
  return join(stateFolder(terminal, platform), 'connected.json');
}

/** Throws CommandError for a record that cannot be read. */
export function readRecord(file: string): WrittenFiles {
  try {
    return writtenFiles.parse(JSON.parse(textOf(file) ?? '{}'));
  } catch {
    throw new CommandError(`${file}, which records what connect has written, cannot be read. Repair it, or delete it.`);
  }
}

/** Writes the record, all of it or nothing; an empty one is no file. Throws what writing throws. */
export function writeRecord(file: string, record: WrittenFiles): void {
  if (Object.keys(record).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** What a text is known by later, as the record keeps no text of a file. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The places of some changes to `found`, the value of a file, after those that were written earlier. */
export function placesOf(
  changes: readonly Change[],
  {
    found,
    backup,
    earlier,
  }: { readonly found: unknown; readonly backup: string | undefined; readonly earlier: readonly WrittenPlace[] },
): readonly WrittenPlace[] {
  const places = new Map(earlier.map((place) => [JSON.stringify(place.path), place]));
  for (const { path, value } of changes) {
    if (value === undefined) continue;
    const before = valueAt(found, path);
    for (const place of placesIn(value, recordPath(path, { found, value }))) {
      // A file that was there, though empty, is not ours to delete.
      if (place.path.length === 0 && backup !== undefined) continue;
      const key = JSON.stringify(place.path);
      const known = places.get(key);
      // What we wrote ourselves is nobody's earlier value.
      const isOurs = before === undefined || (known !== undefined && known.value === before);
      const copy = isOurs ? known?.backup : backup;
      places.set(key, { ...place, ...(copy === undefined ? {} : { backup: copy }) });
    }
  }
  return [...places.values()];
}

function placesIn(value: Setting, path: readonly RecordStep[]): readonly WrittenPlace[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  if (isList(value)) return [{ path }, ...value.flatMap((each) => entryPlaces(each, [...path, stepOf(each)]))];
  return [{ path }, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))];
}

/** An entry that is known by all of it is one place. */
function entryPlaces(entry: Setting, path: readonly RecordStep[]): readonly WrittenPlace[] {
  return namesOf(entry) === undefined ? [{ path, value: entry }] : placesIn(entry, path);
}

function stepOf(entry: Setting): RecordStep {
  return { entry: namesOf(entry) ?? entry };
}

/** A path by what entries are known by: their numbers change. */
function recordPath(
  path: readonly PathStep[],
  { found, value }: { readonly found: unknown; readonly value: Setting },
): readonly RecordStep[] {
  return path.map((step, index) => {
    if (typeof step === 'string') return step;
    return stepOf(readSetting(valueAt(found, path.slice(0, index + 1))) ?? value);
  });
}

/** The value as one that all formats have; undefined for another. */
export function readSetting(value: unknown): Setting | undefined {
  return setting.safeParse(value).data;
}

function valueAt(found: unknown, path: readonly PathStep[]): unknown {
  return path.reduce<unknown>((now, step) => childAt(now, step), found);
}

/** What is at a recorded path; undefined where nothing is. */
export function findAt(found: unknown, path: readonly RecordStep[]): unknown {
  return path.reduce<unknown>((now, step) => {
    const place = placeOf(now, step);
    return place === undefined ? undefined : childAt(now, place);
  }, found);
}

/** Where a recorded step leads in this object or list. */
export function placeOf(found: unknown, step: RecordStep): PathStep | undefined {
  if (typeof step === 'string') return isObject(found) && Object.hasOwn(found, step) ? step : undefined;
  const at = Array.isArray(found) ? found.findIndex((each) => isSameEntry(each, step.entry)) : -1;
  return at === -1 ? undefined : at;
}

function childAt(found: unknown, step: PathStep): unknown {
  if (typeof step === 'number') return Array.isArray(found) ? found[step] : undefined;
  return isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
}
