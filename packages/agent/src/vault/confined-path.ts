import { ToolFault } from './vault.ts';

/**
 * A path as a model wrote it, as a path within the vault. Throws ToolFault for one that is absolute, leads out, or into what
 * is hidden from the agent.
 */
export function confinedPath(written: string, isHidden: (path: string) => boolean): string {
  // Tools may come without types.
  if (typeof written !== 'string') throw new ToolFault('A path has to be a string.');
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
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Some file systems pass over characters that nobody sees.
  for (const letter of name) if (!isIgnorable(letter)) return letter === '.';
  return false;
}

function isIgnorable(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const isMark = (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e);
  return isMark || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff || letter.trim() === '';
}

function hasControl(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
