import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { didYouMean } from '../../config/nearest-name.ts';
import { ownCommand } from '../how-started.ts';
import { gatewayAt } from '../take-port.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import { clients } from './clients.ts';
import type { Client, Place, SettingsFile, Way } from './connection.ts';
import { findFile } from './find-file.ts';
import { type PlaceFlags, readPlace } from './read-place.ts';
import { keyNotes, renderConnection } from './render-connection.ts';
import { missingFolder, removeEmptyFolders, replaceFile, textOf } from './replace-file.ts';
import { changesFor, parseSettings, withChanges } from './settings-text.ts';
import { showDifference } from './show-difference.ts';
import { undoing } from './undo-settings.ts';
import {
  hashOf,
  placesOf,
  readRecord,
  recordFile,
  type WrittenFile,
  type WrittenFiles,
  writeRecord,
} from './written-record.ts';

export interface ConnectFlags extends PlaceFlags {
  readonly api?: string;
  readonly write?: boolean;
  readonly yes?: boolean;
  readonly undo?: boolean;
  /** Lists the clients for programs. */
  readonly json?: boolean;
}

/**
 * Prints how a client is pointed at the gateway or, with `write`, changes its files; with `undo` it takes back what was
 * written. Without a name it lists the clients. Returns the exit code; throws CommandError, and ConfigError for a broken configuration of ours.
 */
export async function connect(terminal: Terminal, name: string | undefined, flags: ConnectFlags): Promise<number> {
  if (name === undefined) return listClients(terminal, flags.json === true);
  if (flags.json === true) throw new UsageError(`--json is for the list of all clients: ${ownCommand} connect --json`);
  const client = clientNamed(name, 'connect');
  if (flags.undo === true) return undoConnection(terminal, client, flags.yes === true);
  const way = wayOf(client, flags.api);
  const place = placeFor(client, await readPlace(terminal, flags));
  for (const warning of windowWarnings(client, place)) terminal.stderr.write(`${warning}\n`);
  if (flags.write === true) {
    if (!(await writeAll(terminal, { client, way, place, isAgreed: flags.yes === true }))) return 1;
  } else terminal.stdout.write(renderConnection(client, { way, place }));
  if (flags.url === undefined && (await gatewayAt(place.url)) === undefined) {
    const config = flags.config === undefined ? '' : ` --config ${flags.config}`;
    terminal.stderr.write(`No gateway is seen at ${place.url}. Start one: ${ownCommand} serve${config}\n`);
  }
  return 0;
}

interface WritingAll {
  readonly client: Client;
  readonly way: Way;
  readonly place: Place;
  /** Nobody has to be asked. */
  readonly isAgreed: boolean;
}

/** Returns whether every file of the client says now what it should. Rejects with CommandError where it has none. */
async function writeAll(terminal: Terminal, { client, way, place, isAgreed }: WritingAll): Promise<boolean> {
  const files = way.steps(place).flatMap((step) => (step.kind === 'file' ? [step.file] : []));
  if (files.length === 0) {
    throw new CommandError(`${client.name} has no file to write; without --write you see what it needs.`);
  }
  for (const file of files) {
    if (!(await writeSettings(terminal, { client, file, isAgreed }))) return false;
  }
  for (const note of keyNotes(way, place)) terminal.stdout.write(note);
  return true;
}

/** Without the models that the client cannot take. Throws CommandError when it cannot take the one to begin with. */
function placeFor({ name, needsWindow = false }: Client, place: Place): Place {
  const [first, ...rest] = place.models;
  if (!needsWindow) return place;
  if (first.contextWindow === undefined) {
    throw new CommandError(
      `${name} takes no model without a context window, and nobody knows that of ${first.id}; ${cure}.`,
    );
  }
  return { ...place, models: [first, ...rest.filter(({ contextWindow }) => contextWindow !== undefined)] };
}

const cure = 'set "contextWindow" in its model rule, or say it with --context-window';

/** What is wrong with the window of the model to begin with, for a program that has a prompt of its own. */
export function windowWarnings(
  { name, firstRequest }: Client,
  { models: [{ id, contextWindow }] }: Place,
): readonly string[] {
  // The demo reads prompts of any length.
  if (firstRequest === undefined || /^demo(\/|$)/.test(id)) return [];
  if (contextWindow === undefined) {
    return [`Nobody knows the context window of ${id}, so ${name} goes by its own guess; ${cure}.`];
  }
  // As much again for files, results and replies is little, and works.
  const least = 2 * firstRequest;
  if (contextWindow >= least) return [];
  const tokens = (count: number) => `${count.toLocaleString('en')} tokens`;
  return [
    `${id} has a context window of ${tokens(contextWindow)}. The first request of ${name} alone takes about ${tokens(firstRequest)}: give the model ${tokens(least)} or more, or choose another model.`,
  ];
}

function listClients({ stdout }: Terminal, isJson: boolean): number {
  const rows = [...clients.values()].map(({ id, name, ways }) => ({ id, name, apis: ways.map(({ api }) => api) }));
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, name, apis }) => `${id.padEnd(width)}  ${name} (${apis.join(', ')})\n`);
  stdout.write(isJson ? `${JSON.stringify(rows, undefined, 2)}\n` : lines.join(''));
  return 0;
}

/** By its id or its command. Throws CommandError, with the nearest name. */
export function clientNamed(name: string, command: 'connect' | 'launch'): Client {
  const client = clients.get(name) ?? [...clients.values()].find(({ launch }) => launch?.program === name);
  if (client !== undefined) return client;
  const known = [...clients.values()].flatMap(({ id, launch }) => (launch === undefined ? [id] : [id, launch.program]));
  const guess = didYouMean(name, known);
  const other =
    guess === '' && command === 'connect'
      ? `. If it takes the address of an OpenAI-compatible API, ${ownCommand} connect openai-sdk shows the address and a model.`
      : guess || '.';
  throw new UsageError(`There is no client "${name}"${other} See: ${ownCommand} ${command}`);
}

function wayOf({ name, ways }: Client, api: string | undefined): Way {
  const way = api === undefined ? ways[0] : ways.find((each) => each.api === api);
  if (way !== undefined) return way;
  throw new UsageError(`${name} speaks ${ways.map((each) => each.api).join(', ')}, and not "${api}".`);
}

interface Writing extends Pick<WritingAll, 'client' | 'isAgreed'> {
  readonly file: SettingsFile;
}

/** Shows what would change, asks, and writes it. Returns whether the file says now what it should. */
async function writeSettings(terminal: Terminal, { client, file, isAgreed }: Writing): Promise<boolean> {
  const path = resolve(terminal.cwd, findFile(file.place, terminal));
  const before = readSettings(path);
  const { found, changes, after } = told(path, () => {
    const found = parseSettings(file.format, before ?? '');
    const changes = changesFor(file, found);
    return { found, changes, after: withChanges(file.format, before ?? '', changes) };
  });
  if (before === after) {
    terminal.stdout.write(`${path} says so already.\n`);
    return true;
  }
  if (!(await mayChange(terminal, { path, before, after, isAgreed }))) return false;
  const newFolder = missingFolder(path);
  const backup = written(path, after);
  terminal.stdout.write(`Written.${backupNote(backup)}\n`);
  keepRecord(terminal, (record) => {
    const earlier = before === undefined ? undefined : record[path];
    const { original, copies, folder } = earlier ?? { original: backup, copies: [], folder: newFolder };
    const isAllOurs = earlier === undefined || (before !== undefined && earlier.hash === hashOf(before));
    const writtenFile: WrittenFile = {
      client: client.id,
      format: file.format,
      places: placesOf(changes, { found, backup, earlier: earlier?.places ?? [] }),
      original,
      hash: isAllOurs ? hashOf(after) : undefined,
      copies: [...(copies ?? []), ...(backup === undefined ? [] : [backup])],
      folder,
    };
    return { ...record, [path]: writtenFile };
  });
  return true;
}

/** Takes back what was written for a client, where it still stands. Returns the exit code. */
async function undoConnection(terminal: Terminal, { id }: Client, isAgreed: boolean): Promise<number> {
  const file = recordFile(terminal);
  const files = Object.entries(readRecord(file)).filter(([, { client }]) => client === id);
  if (files.length === 0) {
    throw new CommandError(`Nothing that "connect ${id} --write" has written is left to take back, by ${file}.`);
  }
  // The folder of several files goes with the first of them, so that comes last.
  for (const [path, writtenFile] of files.reverse()) {
    if (!(await undoFile(terminal, { path, writtenFile, isAgreed }))) return 1;
    keepRecord(terminal, ({ [path]: _, ...others }) => others);
  }
  return 0;
}

interface FileUndoing {
  readonly path: string;
  readonly writtenFile: WrittenFile;
  readonly isAgreed: boolean;
}

/** Returns whether nothing of ours is left in the file but what it has told of. */
async function undoFile(terminal: Terminal, { path, writtenFile, isAgreed }: FileUndoing): Promise<boolean> {
  const { format, places, original, copies = [], folder } = writtenFile;
  const before = readSettings(path);
  if (before === undefined) {
    terminal.stdout.write(`${path} is gone already.\n`);
    return true;
  }
  const isUntouched = writtenFile.hash === hashOf(before);
  const { after, kept } = told(path, () => {
    const earlierIn = (backup: string) => parseSettings(format, readSettings(backup) ?? '');
    const { changes, isAllOurs, kept } = undoing(parseSettings(format, before), { places, earlierIn });
    if (isAllOurs) return { kept, after: undefined };
    const asItWas = isUntouched && original !== undefined ? readSettings(original) : undefined;
    return { kept, after: asItWas ?? withChanges(format, before, changes) };
  });
  for (const each of kept) terminal.stdout.write(`${path}: ${each}, and stays as it is.\n`);
  if (before !== after) {
    if (!(await mayChange(terminal, { path, before, after, isAgreed }))) return false;
    if (after === undefined) {
      removed(path);
      terminal.stdout.write('Deleted.\n');
    } else terminal.stdout.write(`Written.${backupNote(written(path, after, !isUntouched))}\n`);
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
    writeRecord(file, change(readRecord(file)));
  } catch (thrown) {
    const why = thrown instanceof CommandError ? thrown.message : `${file} cannot be written: ${codeOf(thrown)}.`;
    terminal.stderr.write(`${why} --undo will know nothing of this.\n`);
  }
}

function readSettings(path: string): string | undefined {
  try {
    return textOf(path);
  } catch (thrown) {
    throw new CommandError(`${path} cannot be read: ${codeOf(thrown)}.`);
  }
}

/** Does something with the text of a file, and names the file in what is wrong with it. */
function told<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof CommandError) throw new CommandError(`${path}: ${thrown.message} Nothing was written.`);
    throw thrown;
  }
}

function removed(path: string): void {
  try {
    rmSync(path);
  } catch (thrown) {
    throw new CommandError(`${path} cannot be deleted: ${codeOf(thrown)}. It is as it was.`);
  }
}

function written(path: string, text: string, keepsOld = true): string | undefined {
  try {
    return replaceFile(path, text, keepsOld);
  } catch (thrown) {
    throw new CommandError(`${path} cannot be written: ${codeOf(thrown)}. It is as it was.`);
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown) return String(thrown.code);
  throw thrown;
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
