import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The text of a file, undefined when there is none. Throws what reading throws otherwise. */
export function textOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file, 'utf8');
}

/**
 * Gives a file a new text, all of it or nothing, and keeps the old one beside it. A link stays a link, and rights stay
 * what they were. Returns the file that holds the old text, if there was one.
 */
export function replaceFile(file: string, text: string): string | undefined {
  const before = statSync(file, { throwIfNoEntry: false });
  const target = before === undefined ? file : realpathSync(file);
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}.draft`;
  try {
    // Not even for a moment readable by more people than the file was.
    writeFileSync(draft, text, before === undefined ? {} : { mode: before.mode & 0o777 });
    if (before !== undefined) chmodSync(draft, before.mode & 0o777);
    const backup = before === undefined ? undefined : keepCopy(target);
    renameSync(draft, target);
    return backup;
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
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
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    }
  }
}
