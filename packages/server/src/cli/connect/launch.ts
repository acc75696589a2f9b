import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants as system, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isNearby } from '@dragoman/core';
import spawn from 'cross-spawn';
import type { Config } from '../../config/schema.ts';
import { columns } from '../columns.ts';
import { ownCommand } from '../how-started.ts';
import { knock } from '../knock.ts';
import { startOwnGateway } from '../own-gateway.ts';
import { readConfig } from '../read-setup.ts';
import { stateFolder } from '../state-folder.ts';
import { gatewayAt, usualPorts } from '../take-port.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import { clients } from './clients.ts';
import { clientNamed, windowWarnings } from './connect.ts';
import type { Client, Launch, Place, Pointed } from './connection.ts';
import { findProgram } from './find-program.ts';
import { type PlaceFlags, readPlace, urlOf } from './read-place.ts';

export interface LaunchFlags extends PlaceFlags {
  /** What the program gets besides, from its user. */
  readonly args: readonly string[];
  /** Lists the programs for programs. */
  readonly json?: boolean;
}

/**
 * Starts a program so that it asks the gateway for this run, and a gateway where none runs. Nothing of the user's settings
 * is changed, and what was started ends with the program. Without a name it lists the programs. Returns the program's exit
 * code; rejects with CommandError, and with ConfigError for a broken configuration of ours.
 */
export async function launch(terminal: Terminal, name: string | undefined, flags: LaunchFlags): Promise<number> {
  if (name === undefined) return listPrograms(terminal, flags.json === true);
  if (flags.json === true) throw new UsageError(`--json is for the list of all agents: ${ownCommand} launch --json`);
  const client = clientNamed(name, 'launch');
  const { launch: way, file } = programOf(terminal, client);
  const gateway = await openGateway(terminal, flags);
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-run-'));
  try {
    const place = await readPlace(terminal, { ...flags, url: gateway.url });
    const { keyVariable } = place;
    const key = keyVariable === undefined ? undefined : terminal.env[keyVariable];
    if (keyVariable !== undefined && key === undefined) {
      throw new CommandError(
        `The gateway asks for a key. Set the variable ${keyVariable} to it, or name another variable with --key-env.`,
      );
    }
    for (const line of [...windowWarnings(client, place), ...(gateway.problems ?? [])])
      terminal.stderr.write(`${line}\n`);
    for (const line of runLines(client, { way, place, gateway, model: flags.model }))
      terminal.stderr.write(`${line}\n`);
    const pointed = way.point({
      place,
      folder,
      write: (path, content) => writeInto(join(folder, path), content),
      ...(key === undefined ? {} : { key }),
    });
    return await runProgram(terminal, { file, pointed, args: flags.args });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    await gateway.close();
  }
}

/** A program that is here, or what to do about it. */
function programOf(
  terminal: Terminal,
  { id, name, launch }: Client,
): { readonly launch: Launch; readonly file: string } {
  if (launch === undefined) {
    throw new UsageError(`${name} cannot be started for one run. See: ${ownCommand} connect ${id}`);
  }
  const file = findProgram(terminal, launch);
  if (file !== undefined) return { launch, file };
  throw new CommandError(
    `${name} is not installed: there is no ${launch.program} here. Install it with: ${installing(launch)}`,
  );
}

function installing(launch: Launch): string {
  return `npm install -g ${launch.package}`;
}

function listPrograms(terminal: Terminal, isJson: boolean): number {
  const rows = [...clients.values()].flatMap(({ id, name, launch }) => {
    if (launch === undefined) return [];
    const file = findProgram(terminal, launch);
    return { id, name, ...(file === undefined ? {} : { file }), install: installing(launch) };
  });
  const lines = columns(rows.map(({ id, name, file, install }) => [id, name, file ?? `not installed: ${install}`]));
  terminal.stdout.write(`${isJson ? JSON.stringify(rows, undefined, 2) : lines.join('\n')}\n`);
  return 0;
}

interface OpenGateway {
  readonly url: string;
  close(): Promise<void>;
  /** Of one that is there for this run. */
  readonly logFile?: string;
  /** What its log alone would say, and an agent that asks again and again would not. */
  readonly problems?: readonly string[];
}

/** The gateway that is named or runs where the configuration says, else one of our own. */
async function openGateway(terminal: Terminal, { url, config: named }: PlaceFlags): Promise<OpenGateway> {
  const close = async () => {};
  if (url !== undefined) return { url, close };
  const { config } = readConfig(terminal, named === undefined ? {} : { config: named });
  // One that nobody has configured may have stepped aside.
  const aside = config.findUpstreams === true ? usualPorts.map((port) => `http://127.0.0.1:${port}`) : [];
  const places = config.listen.port === 0 ? aside : [urlOf(config), ...aside];
  const running = (await Promise.all(places.map(gatewayAt))).find((gateway) => gateway !== undefined);
  if (running !== undefined) return { url: running.url, close };
  const logFile = join(stateFolder(terminal), 'launch.log');
  const [own, problems] = await Promise.all([
    startOwnGateway(terminal, { config, logFile }),
    serversThatAreOff(config),
  ]);
  return { ...own, logFile, problems };
}

/** The upstreams nearby at whose address nothing listens, as lines for people. */
async function serversThatAreOff({ upstreams }: Config): Promise<readonly string[]> {
  const lines = Object.entries(upstreams).map(async ([name, { baseUrl }]) => {
    if (baseUrl === undefined || !isNearby(new URL(baseUrl).hostname)) return [];
    if ((await knock(new URL(baseUrl), patience)) !== 'ECONNREFUSED') return [];
    return [
      `Nothing listens at ${baseUrl}, the address of "${name}": start the server. More says: ${ownCommand} doctor`,
    ];
  });
  return (await Promise.all(lines)).flat();
}

/** Milliseconds until a server nearby has taken a connection, or is perhaps only busy. */
const patience = 1_000;

interface RunFacts {
  readonly way: Launch;
  readonly place: Place;
  readonly gateway: OpenGateway;
  /** As it was named. */
  readonly model: string | undefined;
}

const onlyDemo =
  'Only the demo model is there, which follows a small script. For a real one start Ollama, LM Studio, llama.cpp or another server, or set a key such as OPENROUTER_API_KEY.';

/** What a person wants to know before the screen is the program's. */
function runLines({ name }: Client, { way, place: { models, url }, gateway, model }: RunFacts): readonly string[] {
  const [{ id, contextWindow }] = models;
  const window = contextWindow === undefined ? '' : ` (${contextWindow.toLocaleString('en')} tokens)`;
  const { logFile } = gateway;
  const where = logFile === undefined ? `the gateway at ${url}` : `a gateway for this run; its log: ${logFile}`;
  const lines = [`${name} with ${id}${window}, through ${where}`];
  if (way.note !== undefined) lines.push(way.note);
  // It is the first only where no other is there, or somebody has named it.
  if (id === 'demo' && model === undefined) lines.push(onlyDemo);
  return lines;
}

function writeInto(file: string, content: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2), { mode: 0o600 });
  return file;
}

interface ProgramRun {
  readonly file: string;
  readonly pointed: Pointed;
  readonly args: readonly string[];
}

/** The program has the terminal until it ends. Returns its exit code, as a shell would tell it. */
function runProgram(terminal: Terminal, { file, pointed, args }: ProgramRun): Promise<number> {
  const { env, cwd } = terminal;
  const variables = Object.entries(pointed.variables ?? {}).map(([name, word]) => [
    name,
    typeof word === 'string' ? word : (env[word.variable] ?? ''),
  ]);
  return new Promise((resolve, reject) => {
    const program = spawn(file, [...(pointed.args ?? []), ...args], {
      cwd,
      env: { ...env, ...Object.fromEntries(variables) },
      stdio: 'inherit',
    });
    // Ctrl-C reaches the program by itself, which decides what it means.
    terminal.onStop((signal) => {
      if (signal === 'SIGTERM') program.kill(signal);
    });
    terminal.onHangUp(() => void program.kill('SIGHUP'));
    program.once('error', (error) => reject(new CommandError(`${file} cannot be started: ${error.message}.`)));
    program.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + system.signals[signal]));
  });
}
