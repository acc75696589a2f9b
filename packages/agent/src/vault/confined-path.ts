import { ToolFault } from './vault.ts';

/**
 * A path as a model wrote it, as a path within the vault. Throws ToolFault for one that is absolute, leads out, or into what
 * is hidden from the agent.
 */
export function confinedPath(written: string, isHidden: (path: string) => boolean): string {
  // Tools may come without types.
  if (typeof written !== 'string') throw new ToolFault('A path must be a string.');
  const quoted = JSON.stringify(written.length > 200 ? `${written.slice(0, 200)}…` : written);
  const path = written.split('\\').join('/');
  if (path.startsWith('/') || path.startsWith('~') || path.charAt(1) === ':') {
    throw new ToolFault(
      `The path ${quoted} is absolute. Give a path from the root of the folder, such as "notes/today.md".`,
    );
  }
  const names: string[] = [];
  for (const name of path.normalize('NFC').split('/')) {
    if (name === '' || name === '.') continue;
    if (name.trim() === '..') throw new ToolFault(`The path ${quoted} leads out of the folder. Leave out "..".`);
    if (hasControl(name)) throw new ToolFault(`The path ${quoted} has characters that no name may have.`);
    names.push(name);
  }
  const confined = names.join('/');
  if (names.some((_, at) => isHidden(names.slice(0, at + 1).join('/')))) {
    throw new ToolFault(`The path ${quoted} is not open to tools.`);
  }
  return confined;
}

/** The usual answer to what is hidden: every name that begins with a dot, such as the settings of an editor, and secrets. */
export function startsWithDot(path: string): boolean {
  return foldedPath(path.slice(path.lastIndexOf('/') + 1)).startsWith('.');
}

/**
 * A path as the most forgiving file systems take it, to compare it with another one: they pass over case, characters that nobody
 * sees, dots and spaces at the end of a name, and on Windows what comes after a colon.
 */
export function foldedPath(path: string): string {
  return path.split('/').map(foldedName).join('/');
}

function foldedName(name: string): string {
  const seen = [...(name.split(':', 1)[0] ?? '')].filter((letter) => !isIgnorable(letter)).join('');
  let end = seen.length;
  while (end > 0 && '. '.includes(seen.charAt(end - 1))) end -= 1;
  // Up and down again: some letters, such as the long s, have a small form of their own.
  return (seen.slice(0, end) || seen).trimStart().toUpperCase().toLowerCase().normalize('NFC');
}

/** Such as OBSIDI~1, by which Windows finds a name that is longer. */
export function isShortName(name: string): boolean {
  const base = name.split('.', 1)[0] ?? '';
  const [letters = '', digits = '', ...more] = base.split('~');
  const isCounted = digits !== '' && [...digits].every((each) => each >= '0' && each <= '9');
  return base.length <= 8 && letters !== '' && isCounted && more.length === 0;
}

function isIgnorable(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const isMark = (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e);
  return isMark || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff;
}

function hasControl(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
