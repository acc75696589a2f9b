import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { packageFolder } from '../package-folder.ts';

const root = resolve(packageFolder, '..', '..');

/** The clone that this program runs from; absent where npm has installed it. */
const clone = existsSync(join(root, 'scripts', 'ensure.mjs')) ? root : undefined;

/**
 * What people type in a folder to run another command of this program. Within a clone npx finds it; elsewhere it has to be told of the
 * clone, or it would look for a package of that name.
 */
export function commandIn(folder: string, from = clone): string {
  if (from === undefined) return 'npx dragoman';
  if (isWithin(folder, from)) return 'npx --no dragoman';
  return `npx --no --prefix ${/^[\w@%+=:,./\\-]+$/.test(from) ? from : `"${from}"`} dragoman`;
}

/** What people type to run another command as they ran this one. */
export const ownCommand = commandIn(process.cwd());

/** Where a page of the documents can be read, such as `clients/codex`: in the clone, or beside what npm has installed. */
export function docPage(name: string): string {
  const page = join('docs', ...`${name}.md`.split('/'));
  return clone !== undefined && isWithin(process.cwd(), clone) ? page : join(clone ?? packageFolder, page);
}

function isWithin(folder: string, outer: string): boolean {
  const below = relative(outer, folder);
  return !below.startsWith('..') && !isAbsolute(below);
}

/** The examples at the end of a command's help, one a line, as they can be typed here. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line.replace(/(?<=^|\| )dragoman(?= |$)/, ownCommand)}`).join('\n')}`;
}
