import { isSpace, isUpperCase, isWordCharacter } from './words.ts';

/** Whether a word is a number. */
export function isNumber(text: string): boolean {
  const first = text[0] === '-' ? (text[1] ?? '') : (text[0] ?? '');
  return first >= '0' && first <= '9' && Number.isFinite(Number(text));
}

/** In quotation marks, file names may hold spaces: "my notes.txt". */
export function isNameWithSpaces(text: string): boolean {
  const extension = text.slice(text.lastIndexOf('.') + 1);
  const isShort = extension.length > 0 && extension.length <= 5 && extension.length < text.length && text.length <= 100;
  return isShort && hasSpace(text) && !isCommandLine(text) && looksLikePath(`x.${extension}`);
}

/** A word that begins as a path does, behind another word, is what a command is given: "cat /etc/hosts.conf". */
function isCommandLine(text: string): boolean {
  return text.includes('\n') || [' /', ' ./', ' ../', ' ~/'].some((begin) => text.includes(begin));
}

/** Whether a text holds white space. */
export function hasSpace(text: string): boolean {
  for (const character of text) if (isSpace(character)) return true;
  return false;
}

/** Names of files that have no extension, and words with a slash or a dot that are no files. */
const knownFiles = new Set(['makefile', 'dockerfile', 'license', 'readme', 'changelog', 'gemfile', 'procfile']);
const noFiles = new Set([
  'and/or',
  'he/she',
  'his/her',
  'yes/no',
  'w/o',
  'n/a',
  'i/o',
  'tcp/ip',
  'e.g',
  'i.e',
  'a.m',
  'p.m',
]);

/** Whether a word looks like the name of a file or folder. */
export function looksLikePath(word: string): boolean {
  const lower = word.toLowerCase();
  if (noFiles.has(lower)) return false;
  if (knownFiles.has(lower)) return isUpperCase(word[0] ?? '');
  if (word.startsWith('./') || word.startsWith('../') || word.startsWith('~/')) return true;
  const slash = Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\'));
  if (slash !== -1) return isWordCharacter(word.at(word.startsWith('/') ? 1 : 0) ?? '') || word.startsWith('.');
  const dot = word.lastIndexOf('.');
  const extension = word.slice(dot + 1);
  if (dot === -1 || extension.length === 0 || extension.length > 10) return false;
  for (const character of extension) if (!isWordCharacter(character)) return false;
  if (dot === 0) return extension.length > 1 && !isNumber(extension);
  return isWordCharacter(word[0] ?? '') && !isNumber(extension);
}
