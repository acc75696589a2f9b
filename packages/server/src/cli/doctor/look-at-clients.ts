import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLoopback } from '../../config/load-config.ts';
import { isRecord } from '../../is-record.ts';
import { isList } from '../connect/change-settings.ts';
import { clients } from '../connect/clients.ts';
import type { Client, Place, Setting, Settings, SettingsFile } from '../connect/connection.ts';
import { findFile } from '../connect/find-file.ts';
import { parseSettings } from '../connect/settings-text.ts';
import { ownCommand } from '../how-started.ts';
import { gatewayAt } from '../take-port.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Stands for the gateway where we look what a client's settings have in its place. */
const mark = 'http://dragoman.invalid';
const marked: Place = {
  url: mark,
  models: [{ id: 'any', contextWindow: 100_000, maxOutput: 8_000, images: false, reasoning: false }],
};

/** An address in the settings of a client, where we would write that of the gateway. */
interface Pointer {
  /** The file, or the variable. */
  readonly where: string;
  readonly origin: string;
  /** The variable, and what it has to hold instead; absent for a file. */
  readonly variable?: { readonly name: string; readonly rest: string };
}

/** Where the clients that `connect` knows point. Reads their settings and changes nothing. */
export async function lookAtClients(terminal: Terminal, url: string): Promise<readonly Diagnosis[]> {
  const found = await Promise.all([...clients.values()].map((client) => lookAtClient(terminal, { client, url })));
  return found.flat();
}

async function lookAtClient(
  terminal: Terminal,
  { client, url }: { readonly client: Client; readonly url: string },
): Promise<readonly Diagnosis[]> {
  const about = client.id;
  let pointers: readonly Pointer[];
  try {
    pointers = pointersOf(client, terminal);
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    return [
      { about, is: 'broken', says: thrown.message, cure: `Repair the file; ${client.name} cannot read it either.` },
    ];
  }
  return Promise.all(
    pointers.map(async ({ where, origin, variable }): Promise<Diagnosis> => {
      const says = `${where} points at ${origin}`;
      if (plain(origin) === plain(url)) return { about, is: 'good', says };
      const isHere = isLoopback(new URL(origin).hostname);
      if (isHere && (await gatewayAt(origin)) !== undefined) return { about, is: 'good', says };
      const cure =
        variable === undefined
          ? `Point ${client.name} at it: ${ownCommand} connect ${client.id} --write`
          : `Set ${variable.name}=${url}${variable.rest}, or unset it.`;
      return isHere
        ? { about, is: 'broken', says: `${says}, where no gateway answers; this one is ${url}`, cure }
        : { about, is: 'doubtful', says: `${says}, and not at this gateway, which is ${url}`, cure };
    }),
  );
}

/** Every address where a client has one, once. */
function pointersOf({ ways }: Client, terminal: Terminal): readonly Pointer[] {
  const pointers = ways
    .flatMap(({ steps }) => steps(marked))
    .flatMap((step): readonly Pointer[] => {
      if (step.kind === 'file') return pointersInFile(step.file, terminal);
      if (step.kind !== 'variables') return [];
      return Object.entries(step.values).flatMap(([name, word]) => {
        if (typeof word !== 'string' || !word.startsWith(mark)) return [];
        const rest = word.slice(mark.length);
        return originsIn(terminal.env[name], word).map((origin) => ({
          where: `the variable ${name}`,
          origin,
          variable: { name, rest },
        }));
      });
    });
  const isFirst = (pointer: Pointer, at: number) =>
    pointers.findIndex(({ where, origin }) => where === pointer.where && origin === pointer.origin) === at;
  return pointers.filter(isFirst);
}

function pointersInFile(file: SettingsFile, terminal: Terminal): readonly Pointer[] {
  const path = resolve(terminal.cwd, findFile(file.place, terminal));
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // A client that is not here has no file.
    return [];
  }
  return originsIn(parsed(file, path, text), file.settings).map((origin) => ({ where: path, origin }));
}

function parsed({ format }: SettingsFile, path: string, text: string): unknown {
  try {
    return parseSettings(format, text);
  } catch (thrown) {
    if (thrown instanceof CommandError) throw new CommandError(`${path}: ${thrown.message}`);
    throw thrown;
  }
}

/** The origins that are in `found` where `wanted` has the mark. */
function originsIn(found: unknown, wanted: Setting | Settings): readonly string[] {
  if (typeof wanted === 'string') {
    const isAddress = wanted.startsWith(mark) && typeof found === 'string' && URL.canParse(found);
    return isAddress ? [new URL(found).origin] : [];
  }
  if (typeof wanted !== 'object' || wanted === null) return [];
  if (isList(wanted)) {
    if (!Array.isArray(found)) return [];
    return wanted.flatMap((each) =>
      found.filter((entry) => mayBeOurs(entry, each)).flatMap((one) => originsIn(one, each)),
    );
  }
  if (!isRecord(found)) return [];
  return Object.entries(wanted).flatMap(([name, each]) =>
    Object.hasOwn(found, name) ? originsIn(found[name], each) : [],
  );
}

/** Entries of lists that we write have our name, or are in one that has. */
function mayBeOurs(entry: unknown, wanted: Setting): boolean {
  const named = isRecord(wanted) && typeof wanted.name === 'string' && wanted.name.startsWith('Dragoman');
  if (!named) return true;
  return isRecord(entry) && typeof entry.name === 'string' && entry.name.startsWith('Dragoman');
}

function plain(url: string): string {
  return new URL(url).origin.replace('//localhost', '//127.0.0.1');
}
