import { parse, patch } from '@decimalturn/toml-patch';
import { applyEdits, modify } from 'jsonc-parser';
import { parseDocument, stringify } from 'yaml';
import { parseConfigText } from '../../config/config-text.ts';
import type { PathStep } from '../../config/problem.ts';
import { CommandError } from '../terminal.ts';
import { type Change, changesTo } from './change-settings.ts';
import type { Setting, SettingsFile } from './connection.ts';

/**
 * The text of a settings file with our settings in it. Comments, order and everything else that `text` holds stay as
 * they are; an absent or empty one begins a new file. Throws CommandError, saying where, for a text that is broken.
 */
export function withSettings(file: SettingsFile, text = ''): string {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') return newText(file);
  const ends = plain.includes('\r\n') ? '\r\n' : '\n';
  switch (file.format) {
    case 'jsonc':
      return inJson(file, plain, ends);
    case 'toml':
      return inToml(file, plain);
    case 'yaml':
      return inYaml(file, plain);
  }
}

function newText({ format, settings }: SettingsFile): string {
  switch (format) {
    case 'jsonc':
      return `${JSON.stringify(settings, null, 2)}\n`;
    case 'toml':
      return patch('', settings, tomlFormat);
    case 'yaml':
      return stringify(settings, yamlFormat);
  }
}

function inJson(file: SettingsFile, text: string, eol: string): string {
  const { value, problems } = parseConfigText(text);
  const [problem] = problems;
  if (problem !== undefined)
    throw new CommandError(
      `line ${problem.line ?? 1}: ${problem.path === '' ? '' : `${problem.path} `}${problem.reason}.`,
    );
  const formattingOptions = { ...indentOf(text), eol };
  return wantedChanges(file, value).reduce(
    (now, { path, value: wanted }) => applyEdits(now, modify(now, [...path], wanted, { formattingOptions })),
    text,
  );
}

/** As the file does it already: by the first line that is indented. */
function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: indent.length };
}

/** Tables as deep as this get headings of their own, which is how people write them. */
const tomlFormat = { inlineTableStart: 3 };

function inToml(file: SettingsFile, text: string): string {
  try {
    const value = parse(text);
    const changes = wantedChanges(file, value);
    return changes.length === 0 ? text : patch(text, applied(value, changes), tomlFormat);
  } catch (thrown) {
    throw thrown instanceof CommandError ? thrown : new CommandError(lastLineOf(thrown));
  }
}

/** Long texts stay on their line, as people wrote them. */
const yamlFormat = { lineWidth: 0 };

function inYaml(file: SettingsFile, text: string): string {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw new CommandError(firstLineOf(problem));
  const changes = wantedChanges(file, document.toJS());
  for (const { path, value } of changes) document.setIn(path, document.createNode(value));
  return changes.length === 0 ? text : document.toString(yamlFormat);
}

function wantedChanges({ settings, keeps = [] }: SettingsFile, found: unknown): readonly Change[] {
  const isKept = (step: PathStep | undefined) =>
    typeof step === 'string' && keeps.includes(step) && typeof found === 'object' && found !== null && step in found;
  return changesTo(found, settings).filter(({ path }) => !isKept(path[0]));
}

/** A copy of a value with the changes in it. */
function applied(value: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((now, { path, value: wanted }) => withValue(now, path, wanted), value);
}

function withValue(found: unknown, [step, ...rest]: readonly PathStep[], wanted: Setting): unknown {
  if (step === undefined) return wanted;
  if (Array.isArray(found)) {
    const copy = [...found];
    copy[Number(step)] = withValue(copy[Number(step)], rest, wanted);
    return copy;
  }
  const fields: Record<string, unknown> = { ...(typeof found === 'object' ? found : {}) };
  return { ...fields, [step]: withValue(fields[step], rest, wanted) };
}

function firstLineOf(thrown: Error): string {
  return thrown.message.split('\n')[0] ?? thrown.message;
}

/** The parser of TOML shows the place in its first line and says what is wrong in its last. */
function lastLineOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [first = '', ...rest] = thrown.message.split('\n');
  return `${first} ${rest.at(-1) ?? ''}`.trim();
}
