import { isDeepStrictEqual } from 'node:util';
import { parse, patch } from '@decimalturn/toml-patch';
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';
import { isCollection, isPair, parseDocument, stringify } from 'yaml';
import { parseConfigText } from '../../config/config-text.ts';
import { formatPath, type PathStep } from '../../config/problem.ts';
import { isRecord } from '../../is-record.ts';
import { CommandError } from '../terminal.ts';
import { changesTo, isList, type SettingChange } from './change-settings.ts';
import type { Settings, SettingsFile } from './connection.ts';

type Format = SettingsFile['format'];

/**
 * The text of a settings file with our settings in it. Comments, order and everything else that `text` holds stay as
 * they are; an absent or empty one begins a new file. Throws CommandError, saying where, for a text that is broken.
 */
export function withSettings(file: SettingsFile, text = ''): string {
  return withChanges(file.format, text, changesFor(file, parseSettings(file.format, text)));
}

/** What has to change in the value of a settings file, undefined for an empty one. */
export function changesFor(file: SettingsFile, found: unknown): readonly SettingChange[] {
  return changesTo(found, wantedIn(file, found));
}

/** What has to be in a settings file that has this value: without what it keeps as it is. */
export function wantedIn({ settings, keeps = [] }: SettingsFile, found: unknown): Settings {
  if (isList(settings) || !isRecord(found)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !(keeps.includes(name) && name in found)));
}

/** The value of a settings file, undefined for an empty one. Throws CommandError, saying where, for a text that is broken. */
export function parseSettings(format: Format, text: string): unknown {
  const plain = withoutMark(text);
  if (plain.trim() === '') return undefined;
  switch (format) {
    case 'jsonc':
      return fromJson(plain);
    case 'toml':
      return orRefuse(() => parse(plain));
    case 'yaml': {
      const document = parseDocument(plain);
      const [problem] = document.errors;
      if (problem !== undefined) throw new CommandError(firstLineOf(problem));
      return document.toJS();
    }
  }
}

/** The text of a settings file that can be parsed, with the changes in it, one after another. */
export function withChanges(format: Format, text: string, changes: readonly SettingChange[]): string {
  const plain = withoutMark(text);
  if (changes.length === 0) return text;
  if (plain.trim() === '') return newText(format, applied(undefined, changes));
  switch (format) {
    case 'jsonc': {
      const formattingOptions = { ...indentOf(plain), eol: plain.includes('\r\n') ? '\r\n' : '\n' };
      return changes.reduce((now, change) => {
        const edits = modify(now, [...change.path], change.value, { formattingOptions });
        return withOthersOf(now, applyEdits(now, edits), change);
      }, plain);
    }
    case 'toml':
      return orRefuse(() => withToml(plain, applied(parse(plain), changes)));
    case 'yaml': {
      const document = parseDocument(plain);
      for (const { path, value } of changes) {
        if (value === undefined) document.deleteIn(path);
        else document.setIn(path, document.createNode(value));
      }
      return withFlowsOf(plain, document.toString(yamlFormat));
    }
  }
}

/** Puts back what is on one line and means what it meant: the formatter gives lists and objects spaces of its own. */
function withFlowsOf(before: string, after: string): string {
  const was = new Map([...flowsIn(parseDocument(before).contents)].map((flow) => [flow.place, flow]));
  const edits = [...flowsIn(parseDocument(after).contents)].flatMap(({ place, value, offset, length }) => {
    const old = was.get(place);
    if (old === undefined || !isDeepStrictEqual(value, old.value)) return [];
    return [{ offset, length, content: before.slice(old.offset, old.offset + old.length) }];
  });
  return applyEdits(after, edits);
}

interface Flow {
  /** The path that leads to it, as text. */
  readonly place: string;
  readonly value: unknown;
  readonly offset: number;
  readonly length: number;
}

/** The lists and objects of YAML that are written as in JSON. */
function* flowsIn(node: unknown, path: readonly PathStep[] = []): Iterable<Flow> {
  if (!isCollection(node)) return;
  if (node.flow === true) {
    const [offset = 0, end = 0] = node.range ?? [];
    yield { place: formatPath(path), value: node.toJSON(), offset, length: end - offset };
    return;
  }
  for (const [index, item] of node.items.entries()) {
    if (isPair(item)) yield* flowsIn(item.value, [...path, String(item.key)]);
    else yield* flowsIn(item, [...path, index]);
  }
}

/** Puts back what is beside a change as it was written: the formatter spreads over lines whatever was on one. */
function withOthersOf(before: string, after: string, { path, value }: SettingChange): string {
  const [was, is] = [parseTree(before), parseTree(after)];
  const edits = path.flatMap((step, depth) => {
    const isGone = value === undefined && depth === path.length - 1;
    const kept = othersAt(is, path.slice(0, depth), isGone && typeof step === 'number' ? undefined : step);
    return othersAt(was, path.slice(0, depth), step).flatMap(({ offset, length }, at) => {
      const other = kept[at];
      return other === undefined ? [] : { ...other, content: before.slice(offset, offset + length) };
    });
  });
  return applyEdits(after, edits);
}

/** The entries of an object or a list, but the one at `step`. */
function othersAt(root: Node | undefined, path: readonly PathStep[], step: PathStep | undefined): readonly Node[] {
  const entries = (root && findNodeAtLocation(root, [...path])?.children) ?? [];
  return entries.filter((entry, index) => step !== (entry.type === 'property' ? entry.children?.[0]?.value : index));
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function newText(format: Format, settings: unknown): string {
  switch (format) {
    case 'jsonc':
      return `${JSON.stringify(settings, null, 2)}\n`;
    case 'toml':
      return withToml('', settings);
    case 'yaml':
      return stringify(settings, yamlFormat);
  }
}

function fromJson(text: string): unknown {
  const { value, problems } = parseConfigText(text);
  const [problem] = problems;
  if (problem === undefined) return value;
  const place = problem.path === '' ? '' : `${problem.path} `;
  throw new CommandError(`line ${problem.line ?? 1}: ${place}${problem.reason}.`);
}

/** As the file does it already: by the first line that is indented. */
function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: indent.length };
}

/** Leaves out the headings that the formatter gives to new tables which hold nothing but tables: `[a]` before `[a.b]`. */
function withToml(before: string, value: unknown): string {
  return patch(before, value, tomlFormat).replace(/^\[(.+)\]\s+(?=\[\1\.)/gm, (heading, name) =>
    before.includes(`[${name}]`) ? heading : '',
  );
}

/** Tables as deep as this get headings of their own, which is how people write them. */
const tomlFormat = { inlineTableStart: 3 };

function orRefuse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    throw new CommandError(lastLineOf(thrown));
  }
}

/** Long texts stay on their line, as people wrote them. */
const yamlFormat = { lineWidth: 0 };

/** A copy of a value with the changes in it. */
export function applied(value: unknown, changes: readonly SettingChange[]): unknown {
  return changes.reduce((now, { path, value: wanted }) => withValue(now, path, wanted), value);
}

function withValue(found: unknown, [step, ...rest]: readonly PathStep[], wanted: unknown): unknown {
  if (step === undefined) return wanted;
  const isRemoval = rest.length === 0 && wanted === undefined;
  if (Array.isArray(found)) {
    const at = Number(step);
    const copy: unknown[] = [...found];
    copy.splice(at, 1, ...(isRemoval ? [] : [withValue(copy[at], rest, wanted)]));
    return copy;
  }
  const { [step]: before, ...others }: Record<string, unknown> = { ...(typeof found === 'object' ? found : {}) };
  if (isRemoval) return others;
  // In its place, where there was one.
  return { ...(typeof found === 'object' ? found : {}), [step]: withValue(before, rest, wanted) };
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
