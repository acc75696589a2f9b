import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../code-of.ts';

/** The text of a file, undefined when there is none. Throws what reading throws otherwise. */
export function textOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file, 'utf8');
}

/**
 * Gives a file a new text, all of it or nothing, and keeps the old one beside it unless `keepsOld` is false. A link stays a
 * link, and rights stay what they were unless there is a `mode`. Returns the file that holds the old text, if there is one.
 */
export function replaceFile(
  file: string,
  text: string,
  { keepsOld = true, mode: wanted }: { readonly keepsOld?: boolean; readonly mode?: number } = {},
): string | undefined {
  const before = statSync(file, { throwIfNoEntry: false });
  const target = before === undefined ? file : realpathSync(file);
  mkdirSync(dirname(target), { recursive: true });
  const mode = wanted ?? (before === undefined ? undefined : before.mode & 0o777);
  const draft = `${target}.${process.pid}.draft`;
  try {
    // Not even for a moment readable by more people than the file was.
    writeFileSync(draft, text, mode === undefined ? {} : { mode });
    if (mode !== undefined) chmodSync(draft, mode);
    const backup = before === undefined || !keepsOld ? undefined : keepCopy(target);
    renameSync(draft, target);
    return backup;
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** The outermost folder that has to be made for a file; undefined where none has. */
export function missingFolder(file: string): string | undefined {
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return undefined;
  return missingFolder(folder) ?? folder;
}

/** Deletes the folders around a file, up to this one, as far as they are empty. */
export function removeEmptyFolders(file: string, folder: string): void {
  for (let each = dirname(file); each.startsWith(folder); each = dirname(each)) {
    try {
      rmdirSync(each);
    } catch {
      // Somebody else keeps something in it.
      return;
    }
  }
}

/** Copies a file to the first name that is free, so that no earlier copy is lost. */
function keepCopy(file: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.backup${number === 1 ? '' : `-${number}`}`;
    try {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (thrown) {
      if (codeOf(thrown) !== 'EEXIST') throw thrown;
    }
  }
}
