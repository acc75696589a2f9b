import { createInterface } from 'node:readline';
import { didYouMean } from '../../config/nearest-name.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { clients } from './clients.ts';
import type { Client, Place, SettingsFile, Way } from './connection.ts';
import { findFile } from './find-file.ts';
import { type PlaceFlags, readPlace } from './read-place.ts';
import { keyNotes, renderConnection } from './render-connection.ts';
import { replaceFile, textOf } from './replace-file.ts';
import { withSettings } from './settings-text.ts';
import { showDifference } from './show-difference.ts';

export interface ConnectFlags extends PlaceFlags {
  readonly api?: string;
  readonly write?: boolean;
  readonly yes?: boolean;
}

/**
 * Prints how a client is pointed at the gateway or, with `write`, changes its files. Without a name it lists the
 * clients. Returns the exit code; throws CommandError, and ConfigError for a broken configuration of ours.
 */
export async function connect(terminal: Terminal, name: string | undefined, flags: ConnectFlags): Promise<number> {
  if (name === undefined) return listClients(terminal);
  const client = clientNamed(name);
  const way = wayOf(client, flags.api);
  const place = placeFor(client, await readPlace(terminal, flags));
  for (const warning of windowWarnings(client, place)) terminal.stderr.write(`${warning}\n`);
  if (flags.write !== true) {
    terminal.stdout.write(renderConnection(client, { way, place }));
    return 0;
  }
  const files = way.steps(place).flatMap((step) => (step.kind === 'file' ? [step.file] : []));
  if (files.length === 0) {
    throw new CommandError(`${client.name} has no file to write; without --write you see what it needs.`);
  }
  for (const file of files) if (!(await writeSettings(terminal, { file, isAgreed: flags.yes === true }))) return 1;
  for (const note of keyNotes(way, place)) terminal.stdout.write(note);
  return 0;
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
function windowWarnings({ name, firstRequest }: Client, { models: [{ id, contextWindow }] }: Place): readonly string[] {
  if (firstRequest === undefined) return [];
  if (contextWindow === undefined) {
    return [`Nobody knows the context window of ${id}, so ${name} goes by its own guess; ${cure}.`];
  }
  // As much again for files, results and replies is little, and works.
  const least = 2 * firstRequest;
  if (contextWindow >= least) return [];
  const tokens = (count: number) => `${count.toLocaleString('en')} tokens`;
  return [
    `${id} has a context window of ${tokens(contextWindow)}. The first request of ${name} alone takes about ${tokens(firstRequest)}: give the model ${tokens(least)} or more, or choose another with --model.`,
  ];
}

function listClients({ stdout }: Terminal): number {
  const width = Math.max(...[...clients.keys()].map((id) => id.length));
  for (const { id, name, ways } of clients.values()) {
    stdout.write(`${id.padEnd(width)}  ${name} (${ways.map(({ api }) => api).join(', ')})\n`);
  }
  return 0;
}

function clientNamed(name: string): Client {
  const client = clients.get(name);
  if (client !== undefined) return client;
  throw new CommandError(
    `There is no client "${name}"${didYouMean(name, [...clients.keys()]) || '.'} See: dragoman connect`,
  );
}

function wayOf({ name, ways }: Client, api: string | undefined): Way {
  const way = api === undefined ? ways[0] : ways.find((each) => each.api === api);
  if (way !== undefined) return way;
  throw new CommandError(`${name} speaks ${ways.map((each) => each.api).join(', ')}, and not "${api}".`);
}

interface Writing {
  readonly file: SettingsFile;
  /** Nobody has to be asked. */
  readonly isAgreed: boolean;
}

/** Shows what would change, asks, and writes it. Returns whether the file says now what it should. */
async function writeSettings(terminal: Terminal, { file, isAgreed }: Writing): Promise<boolean> {
  const path = findFile(file.place, terminal);
  const before = readSettings(path);
  const after = changed(file, { path, before });
  if (before === after) {
    terminal.stdout.write(`${path} says so already.\n`);
    return true;
  }
  terminal.stdout.write(`${path}${before === undefined ? ' is new' : ''}\n${showDifference(before ?? '', after)}\n`);
  if (!isAgreed && !(await isYes(terminal, 'Write it? [y/N] '))) {
    terminal.stdout.write('Nothing was written.\n');
    return false;
  }
  const backup = written(path, after);
  terminal.stdout.write(`Written.${backup === undefined ? '' : ` The file as it was: ${backup}`}\n`);
  return true;
}

function readSettings(path: string): string | undefined {
  try {
    return textOf(path);
  } catch (thrown) {
    throw new CommandError(`${path} cannot be read: ${codeOf(thrown)}.`);
  }
}

function changed(file: SettingsFile, { path, before }: { readonly path: string; readonly before: string | undefined }) {
  try {
    return withSettings(file, before);
  } catch (thrown) {
    if (thrown instanceof CommandError) throw new CommandError(`${path}: ${thrown.message} Nothing was written.`);
    throw thrown;
  }
}

function written(path: string, text: string): string | undefined {
  try {
    return replaceFile(path, text);
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
