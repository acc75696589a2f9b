import { didYouMean } from '../../config/nearest-name.ts';
import { columns } from '../columns.ts';
import { ownCommand } from '../how-started.ts';
import { gatewayAt } from '../take-port.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import { clients } from './clients.ts';
import type { Client, Place, Way } from './connection.ts';
import { type PlaceFlags, readPlace } from './read-place.ts';
import { keyNotes, renderConnection } from './render-connection.ts';
import { undoConnection, writeSettings } from './write-settings.ts';

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
  const isAgreed = flags.yes === true;
  if (flags.undo === true) return undoConnection(terminal, client, isAgreed);
  const way = wayOf(client, flags.api);
  const place = placeFor(client, await readPlace(terminal, flags));
  for (const warning of windowWarnings(client, place)) terminal.stderr.write(`${warning}\n`);
  if (flags.write === true) {
    const files = way.steps(place).flatMap((step) => (step.kind === 'file' ? [step.file] : []));
    if (files.length === 0) {
      throw new CommandError(`${client.name} has no file to write; without --write you see what it needs.`);
    }
    for (const file of files) if (!(await writeSettings(terminal, { client, file, isAgreed }))) return 1;
    for (const note of keyNotes(way, place)) terminal.stdout.write(note);
  } else terminal.stdout.write(renderConnection(client, { way, place }));
  if (flags.url === undefined && (await gatewayAt(place.url)) === undefined) {
    const config = flags.config === undefined ? '' : ` --config ${flags.config}`;
    terminal.stderr.write(`No gateway answers at ${place.url}. Start one: ${ownCommand} serve${config}\n`);
  }
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
  const lines = columns(rows.map(({ id, name, apis }) => [id, `${name} (${apis.join(', ')})`]));
  stdout.write(`${isJson ? JSON.stringify(rows, undefined, 2) : lines.join('\n')}\n`);
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
  throw new UsageError(`${name} does not speak "${api}" but ${ways.map((each) => each.api).join(', ')}.`);
}
