import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import type { Setting } from './connection.ts';
import { replaceFile, textOf } from './replace-file.ts';

const setting: z.ZodType<Setting> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(setting), z.record(z.string(), setting)]),
);

/** What `connect --write` has written into one file of a client. */
const writtenFile = z.object({
  client: z.string(),
  format: z.enum(['jsonc', 'toml', 'yaml']),
  /** All that was written. What people had there may be secret, so it is in the copies alone. */
  settings: setting,
  /** The copy with the file as it was before all that was written; absent where there was none. */
  original: z.string().exactOptional(),
  /** Of the text that was written last, where all since the original was written here: then the original can come back as it was. */
  hash: z.string().exactOptional(),
  /** All copies that were made, the original among them. */
  copies: z.array(z.string()),
  /** The outermost of the folders that were made for the file. */
  folder: z.string().exactOptional(),
});

export type WrittenFile = z.output<typeof writtenFile>;

/** By the whole path of the file. */
export type WrittenFiles = Readonly<Record<string, WrittenFile>>;

const writtenFiles = z.record(z.string(), writtenFile);

/** The value as one that all formats have. */
export function readSetting(value: unknown): Setting {
  return setting.parse(value);
}

/** Where the record is. */
export function recordFile(terminal: Pick<Terminal, 'env'>, platform?: string): string {
  return join(stateFolder(terminal, platform), 'connected.json');
}

/** Throws CommandError for a record that cannot be read. */
export function readWrittenFiles(file: string): WrittenFiles {
  try {
    return writtenFiles.parse(JSON.parse(textOf(file) ?? '{}'));
  } catch {
    throw new CommandError(`${file}, which records what connect has written, cannot be read. Repair it, or delete it.`);
  }
}

/** Writes the record, all of it or nothing; an empty one is no file. Throws what writing throws. */
export function writeRecord(file: string, record: WrittenFiles): void {
  if (Object.keys(record).length === 0) rmSync(file, { force: true });
  else replaceFile(file, `${JSON.stringify(record, null, 2)}\n`, { keepsOld: false, mode: 0o600 });
}

/** What a text is known by later, as the record keeps no text of a file. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
