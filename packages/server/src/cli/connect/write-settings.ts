import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { codeOf } from '../../code-of.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { changesTo, undoing } from './change-settings.ts';
import type { Client, SettingsFile } from './connection.ts';
import { findFile } from './find-file.ts';
import { missingFolder, removeEmptyFolders, replaceFile, textOf } from './replace-file.ts';
import { applied, changesFor, parseSettings, wantedIn, withChanges } from './settings-text.ts';
import { showDifference } from './show-difference.ts';
import {
  hashOf,
  readSetting,
  readWrittenFiles,
  recordFile,
  type WrittenFile,
  type WrittenFiles,
  writeRecord,
} from './written-record.ts';

interface Writing {
  readonly client: Client;
  readonly file: SettingsFile;
  /** Nobody has to be asked. */
  readonly isAgreed: boolean;
}

/** Shows what would change, asks, and writes it. Returns whether the file says now what it should. */
export async function writeSettings(terminal: Terminal, { client, file, isAgreed }: Writing): Promise<boolean> {
  const path = resolve(terminal.cwd, findFile(file.place, terminal));
  const { format } = file;
  const before = trying(path, 'read', () => textOf(path));
  const { after, found } = trying(path, 'read', () => {
    const found = parseSettings(format, before ?? '');
    return { found, after: withChanges(format, before ?? '', changesFor(file, found)) };
  });
  if (before === after) {
    terminal.stdout.write(`${path} says so already.\n`);
    return true;
  }
  if (!(await mayChange(terminal, { path, before, after, isAgreed }))) return false;
  const newFolder = missingFolder(path);
  const backup = trying(path, 'written', () => replaceFile(path, after));
  terminal.stdout.write(`Written.${backupNote(backup)}\n`);
  keepRecord(terminal, (record) => {
    const earlier = before === undefined ? undefined : record[path];
    const { settings, original, copies = [], folder } = earlier ?? { original: backup, folder: newFolder };
    const isAllOurs = earlier === undefined || (before !== undefined && earlier.hash === hashOf(before));
    const written: WrittenFile = {
      client: client.id,
      format,
      settings: readSetting(applied(settings, changesTo(settings, wantedIn(file, found)))),
      ...(original === undefined ? {} : { original }),
      ...(isAllOurs ? { hash: hashOf(after) } : {}),
      copies: [...copies, ...(backup === undefined ? [] : [backup])],
      ...(folder === undefined ? {} : { folder }),
    };
    return { ...record, [path]: written };
  });
  return true;
}

/** Takes back what was written for a client, where it still stands. Returns the exit code. */
export async function undoConnection(terminal: Terminal, { id }: Client, isAgreed: boolean): Promise<number> {
  const file = recordFile(terminal);
  const files = Object.entries(readWrittenFiles(file)).filter(([, { client }]) => client === id);
  if (files.length === 0) {
    throw new CommandError(
      `There is nothing to take back: ${file} names nothing that "connect ${id} --write" has written.`,
    );
  }
  // The folder of several files goes with the first of them, so that comes last.
  for (const [path, written] of files.reverse()) {
    if (!(await undoFile(terminal, { path, written, isAgreed }))) return 1;
    keepRecord(terminal, ({ [path]: _, ...others }) => others);
  }
  return 0;
}

interface FileUndoing {
  readonly path: string;
  readonly written: WrittenFile;
  readonly isAgreed: boolean;
}

/** Returns whether nothing of ours is left in the file but what it has told of. */
async function undoFile(terminal: Terminal, { path, written, isAgreed }: FileUndoing): Promise<boolean> {
  const { format, settings, original, copies, folder } = written;
  const text = trying(path, 'read', () => textOf(path));
  if (text === undefined) {
    terminal.stdout.write(`${path} is gone already.\n`);
    return true;
  }
  const earlier = original === undefined ? undefined : trying(original, 'read', () => textOf(original));
  if (original !== undefined && earlier === undefined) {
    throw new CommandError(
      `${original}, which holds what was in ${path} before, is gone. Nothing was changed: take out yourself what "connect ${written.client}" prints.`,
    );
  }
  const isUntouched = written.hash === hashOf(text);
  const kept: string[] = [];
  const after = trying(path, 'read', () => {
    const before = parseSettings(format, earlier ?? '');
    const { changes, isGone } = undoing({ found: parseSettings(format, text), written: settings, before }, (place) =>
      kept.push(place),
    );
    return isUntouched || isGone ? earlier : withChanges(format, text, changes);
  });
  for (const place of kept) terminal.stdout.write(`${path}: ${place} has changed since, and stays as it is.\n`);
  if (text !== after) {
    if (!(await mayChange(terminal, { path, before: text, after, isAgreed }))) return false;
    if (after === undefined) {
      trying(path, 'deleted', () => rmSync(path));
      terminal.stdout.write('Deleted.\n');
    } else {
      const backup = trying(path, 'written', () => replaceFile(path, after, { keepsOld: !isUntouched }));
      terminal.stdout.write(`Written.${backupNote(backup)}\n`);
    }
  }
  // What has changed since may be sought in a copy.
  if (kept.length === 0) for (const copy of copies) rmSync(copy, { force: true });
  if (after === undefined && folder !== undefined) removeEmptyFolders(path, folder);
  return true;
}

interface Difference {
  readonly path: string;
  /** Undefined where there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isAgreed: boolean;
}

/** Shows what would change, and asks. */
async function mayChange(terminal: Terminal, { path, before, after, isAgreed }: Difference): Promise<boolean> {
  const note = before === undefined ? ' is new' : after === undefined ? ' is deleted: all of it was written here' : '';
  terminal.stdout.write(`${path}${note}\n${showDifference(before ?? '', after ?? '')}\n`);
  if (isAgreed || (await isYes(terminal, 'Write it? [y/N] '))) return true;
  terminal.stdout.write('Nothing was written.\n');
  return false;
}

function backupNote(backup: string | undefined): string {
  return backup === undefined ? '' : ` The file as it was: ${backup}`;
}

/** A client has its settings, recorded or not. */
function keepRecord(terminal: Terminal, change: (record: WrittenFiles) => WrittenFiles): void {
  const file = recordFile(terminal);
  try {
    writeRecord(file, change(readWrittenFiles(file)));
  } catch (thrown) {
    const why = thrown instanceof CommandError ? thrown.message : `${file} cannot be written: ${reasonOf(thrown)}.`;
    terminal.stderr.write(`${why} --undo will know nothing of this.\n`);
  }
}

/** Does something with a file, which then stands as it was where that fails. Throws CommandError, which names it and says why. */
function trying<Result>(path: string, deed: 'read' | 'written' | 'deleted', act: () => Result): Result {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof CommandError) throw new CommandError(`${path}: ${thrown.message} Nothing was written.`);
    const rest = deed === 'read' ? '' : ' It is as it was.';
    throw new CommandError(`${path} cannot be ${deed}: ${reasonOf(thrown)}.${rest}`);
  }
}

/** What has no code is no mistake of the file's. */
function reasonOf(thrown: unknown): string {
  if (codeOf(thrown) === '') throw thrown;
  return codeOf(thrown);
}

/** Whoever has no keyboard has not agreed. */
function isYes({ stdin, stdout }: Terminal, question: string): Promise<boolean> {
  stdout.write(question);
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin });
    let answer = '';
    lines.once('line', (line) => {
      answer = line.trim().toLowerCase();
      lines.close();
    });
    lines.once('close', () => resolve(answer === 'y' || answer === 'yes'));
  });
}
