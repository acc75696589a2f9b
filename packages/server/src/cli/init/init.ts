import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { identifyServer, vendors } from '@dragoman/core';
import { codeOf } from '../../code-of.ts';
import { loadConfig } from '../../config/load-config.ts';
import { ConfigError } from '../../config/problem.ts';
import type { UpstreamConfig } from '../../config/schema.ts';
import { type FoundUpstreams, findUpstreams } from '../../discovery/find-upstreams.ts';
import { harmless } from '../../log/harmless.ts';
import { checkConfig } from '../check-config.ts';
import { replaceFile } from '../connect/replace-file.ts';
import { docPage, ownCommand } from '../how-started.ts';
import { defaultFiles } from '../read-setup.ts';
import { ServedConfig } from '../served-config.ts';
import { usualPorts } from '../take-port.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { type ChosenUpstream, renderConfig } from './render-config.ts';

/** Asks a question, again for as long as `read` throws CommandError. Undefined when the person has gone. */
type Ask = <Answer>(
  question: string,
  read: (line: string) => Answer | Promise<Answer>,
) => Promise<{ readonly answer: Answer } | undefined>;

/** How a command ends that a person has left. */
const left = 130;

export interface InitOptions {
  /** What servers are looked for with. Default: the host's own. */
  readonly fetch?: typeof fetch;
}

/** Before what a person types. */
const mark = '› ';

/**
 * `dragoman init`: asks at most five questions, proposes what is found, and writes a configuration where `serve` looks for it.
 * Writes nothing before the last answer. 2 without a person to ask.
 */
export async function init(terminal: Terminal, options: InitOptions = {}): Promise<number> {
  const { stdin, stdout, stderr, cwd, isInteractive } = terminal;
  if (!isInteractive) {
    stderr.write(
      `dragoman init needs a terminal, for its questions. Without one write the file dragoman.jsonc yourself (${docPage('configuration')}), or start without a configuration: ${ownCommand}\n`,
    );
    return 2;
  }
  const isTerminal = 'isTTY' in stdin && stdin.isTTY === true;
  const lines = createInterface({ input: stdin, output: stdout, terminal: isTerminal, prompt: mark });
  const typed = lines[Symbol.asyncIterator]();
  let hasEnded = false;
  lines.once('close', () => {
    hasEnded = true;
  });
  const ask: Ask = async (question, read) => {
    for (;;) {
      stdout.write(`\n${question}\n`);
      // What was typed before the end is still read, but prompts no more.
      if (hasEnded) stdout.write(mark);
      else lines.prompt();
      const { value, done } = await typed.next();
      if (done === true) return undefined;
      try {
        return { answer: await read(value.trim()) };
      } catch (thrown) {
        if (!(thrown instanceof CommandError)) throw thrown;
        stdout.write(`${thrown.message}\n`);
      }
    }
  };
  try {
    const name = defaultFiles.find((each) => existsSync(resolve(cwd, each)));
    if (name !== undefined) {
      const may = await ask(`${name} is here already. Write a new one in its place? The old one is kept. [y/N]`, isYes);
      if (may?.answer !== true) return leave(terminal, may === undefined ? left : 1);
    }
    stdout.write('Looking for model servers …\n');
    const text = await askForConfig(terminal, { ...options, ask });
    if (text === undefined) return leave(terminal, left);
    const file = name ?? 'dragoman.jsonc';
    const backup = written(resolve(cwd, file), { text, isNew: name === undefined });
    stdout.write(`\nWrote ${file}.${backup === undefined ? '' : ` The file as it was: ${backup}`}\n`);
    return await checked(terminal, file);
  } finally {
    lines.close();
    stdin.pause();
  }
}

function leave({ stdout }: Terminal, code: number): number {
  stdout.write('\nNothing was written.\n');
  return code;
}

function written(
  path: string,
  { text, isNew }: { readonly text: string; readonly isNew: boolean },
): string | undefined {
  try {
    if (!isNew) return replaceFile(path, text);
    // Somebody else may have been quicker.
    writeFileSync(path, text, { flag: 'wx' });
    return undefined;
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    throw new CommandError(`${path} cannot be written: ${codeOf(thrown)}. Run it in a folder that you may write.`);
  }
}

/** Says whether it can be used as it is, and what is still to be done. */
async function checked(terminal: Terminal, file: string): Promise<number> {
  try {
    await checkConfig(terminal, file);
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    terminal.stdout.write(`Before you start it: ${thrown.problems.map(({ reason }) => reason).join('; ')}\n`);
    return 0;
  }
  terminal.stdout.write(`Start it: ${ownCommand}\n`);
  return 0;
}

/** The text of the configuration; undefined when the person has gone. */
async function askForConfig(
  terminal: Terminal,
  { ask, fetch }: InitOptions & { readonly ask: Ask },
): Promise<string | undefined> {
  const found = await foundOn(terminal, fetch === undefined ? {} : { fetch });
  const models = await modelsOf(terminal, found);
  for (const sentence of found.leftOut) terminal.stdout.write(`${harmless(sentence)}\n`);
  const offered = Object.entries(found.upstreams).flatMap(([name, entry]) =>
    chosenOf(name, { entry, title: found.titles.get(name) ?? name }),
  );
  const chosen = await ask(serversQuestion(offered, models), (line) => readServers(line, offered));
  if (chosen === undefined) return undefined;
  const { upstreams, address } = chosen.answer;
  if (address !== undefined) {
    const variable = await ask(
      `Which variable holds the key of ${address.origin}? Enter where it wants none.`,
      readVariable,
    );
    if (variable === undefined) return undefined;
    upstreams.push(await upstreamAt(address, { variable: variable.answer, taken: upstreams }));
  }
  const names = upstreams.flatMap(({ name }) => (models.get(name) ?? []).map((id) => `${name}/${id}`));
  const model =
    names.length === 0 ? { answer: undefined } : await ask(modelQuestion(names), (line) => readModel(line, names));
  if (model === undefined) return undefined;
  const held = heldPorts(found.servers, upstreams);
  const proposed = usualPorts.find((port) => !held.has(port)) ?? 11434;
  const port = await ask(`Which port should the gateway listen on? Enter for ${proposed}.`, (line) =>
    readPort(line, { proposed, held }),
  );
  if (port === undefined) return undefined;
  return renderConfig({
    upstreams,
    port: port.answer,
    ...(model.answer === undefined ? {} : { defaultModel: model.answer }),
  });
}

/** What there is to propose; nothing where the environment wants nobody looked for. */
async function foundOn({ env }: Terminal, options: InitOptions): Promise<FoundUpstreams> {
  const config = loadConfig({ env });
  if (config.findUpstreams === true) return findUpstreams({ ...options, config, env });
  return { upstreams: {}, titles: new Map(), local: new Set(), servers: [], leftOut: [] };
}

/** What each upstream lists, by its name. */
async function modelsOf(terminal: Terminal, found: FoundUpstreams): Promise<ReadonlyMap<string, readonly string[]>> {
  const config = loadConfig({ env: {}, flags: { findUpstreams: true } });
  const served = new ServedConfig(config, terminal);
  served.use({ found });
  const names = Object.keys(found.upstreams);
  return served.offered(
    ({ setup: { discovery } }) =>
      new Map(names.map((name) => [name, [...(discovery.of(name)?.listed().keys() ?? [])]])),
  );
}

function chosenOf(
  name: string,
  { entry, title }: { readonly entry: UpstreamConfig; readonly title: string },
): readonly ChosenUpstream[] {
  const { baseUrl, wire, apiKey, discovery } = entry;
  const { path } = discovery;
  // A worker is not found.
  if (baseUrl === undefined) return [];
  return [
    {
      ...{ name, title, baseUrl, wire },
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(path === undefined ? {} : { listPath: path }),
    },
  ];
}

function serversQuestion(offered: readonly ChosenUpstream[], models: ReadonlyMap<string, readonly string[]>): string {
  if (offered.length === 0) {
    return 'No model server runs here and no key of a vendor is set. Where is yours? An address such as http://192.168.1.5:8080/v1, or Enter for the demo model alone.';
  }
  const rows = offered.map(({ name, title }, at) => {
    const count = models.get(name)?.length ?? 0;
    return `  ${at + 1}  ${harmless(title)}${count === 0 ? '' : `, ${count} ${count === 1 ? 'model' : 'models'}`}`;
  });
  const how = 'Which of them should the gateway serve? Numbers, the address of another one, or both; Enter for all.';
  return [...rows, how].join('\n');
}

interface ChosenServers {
  readonly upstreams: ChosenUpstream[];
  /** Of one that was not found. */
  readonly address?: URL;
}

function readServers(line: string, offered: readonly ChosenUpstream[]): ChosenServers {
  const words = line.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return { upstreams: [...offered] };
  const addresses = words.filter((word) => /^https?:\/\//.test(word) && URL.canParse(word));
  const [address, second] = addresses;
  if (second !== undefined) throw new CommandError('One address will do; others can be added to the file.');
  const numbers = new Set(words.filter((word) => !addresses.includes(word)));
  const upstreams = offered.filter((_, at) => numbers.delete(String(at + 1)));
  const [unknown] = numbers;
  if (unknown !== undefined) {
    throw new CommandError(
      `${JSON.stringify(unknown)} is ${offered.length === 0 ? 'no' : 'neither one of the numbers nor an'} address such as http://192.168.1.5:8080/v1.`,
    );
  }
  if (address === undefined) return { upstreams };
  const url = new URL(address);
  if (url.username + url.password + url.search === '') return { upstreams, address: url };
  throw new CommandError(
    'An address with a password or a query may hold a secret, and is not written: add it to the file.',
  );
}

function readVariable(line: string): string | undefined {
  const name = line.replace(/^\$|^env:/, '');
  if (name === '') return undefined;
  if (/^[A-Z_][A-Z0-9_]*$/i.test(name) && name.length <= 64) return name;
  throw new CommandError('That is not the name of a variable, such as MY_SERVER_KEY; the key itself is not written.');
}

/** An upstream at an address that a person has typed. */
async function upstreamAt(
  address: URL,
  { variable, taken }: { readonly variable: string | undefined; readonly taken: readonly ChosenUpstream[] },
): Promise<ChosenUpstream> {
  const vendor = vendors.find(({ baseUrl }) => new URL(baseUrl).origin === address.origin);
  const isBare = address.pathname === '/' && address.search === '';
  const server = isBare && vendor === undefined ? await identifyServer(address.origin) : undefined;
  const kind = vendor?.id ?? (server === undefined || server.kind === 'other' ? 'server' : server.kind);
  const name = taken.some((each) => each.name === kind) ? `${kind}-2` : kind;
  const baseUrl = isBare ? (vendor?.baseUrl ?? server?.baseUrl ?? `${address.origin}/v1`) : address.href;
  const wire = vendor?.api ?? server?.api;
  return {
    ...{ name, title: `${vendor?.name ?? server?.name ?? 'A server'} at ${address.origin}`, baseUrl },
    ...(wire === undefined ? {} : { wire }),
    ...(variable === undefined ? {} : { apiKey: `env:${variable}` }),
    ...(server?.listPath === undefined ? {} : { listPath: server.listPath }),
  };
}

/** So many models are shown; any other can be named. */
const mostShown = 12;

function modelQuestion(names: readonly string[]): string {
  const rows = names.slice(0, mostShown).map((name, at) => `  ${at + 1}  ${harmless(name)}`);
  const more = names.length > mostShown ? [`  and ${names.length - mostShown} more`] : [];
  return [...rows, ...more, 'Which is asked where a request names none? A number or a name; Enter for the first.'].join(
    '\n',
  );
}

function readModel(line: string, names: readonly string[]): string | undefined {
  const name =
    line === ''
      ? names[0]
      : (names[Number(line) - 1] ?? names.find((each) => each === line || each.endsWith(`/${line}`)));
  if (name === undefined) throw new CommandError(`There is no model ${JSON.stringify(line)} among them.`);
  return name;
}

/**
 * The ports that model servers have, and those of this machine that the file will name: a gateway there would ask itself. One
 * of our own gateways ends before this configuration is served.
 */
function heldPorts(
  servers: FoundUpstreams['servers'],
  upstreams: readonly ChosenUpstream[],
): ReadonlyMap<number, string> {
  const others = servers
    .filter(({ kind }) => kind !== 'dragoman')
    .map(({ url, name }) => ({ url: new URL(url), name }));
  const chosen = upstreams
    .map(({ baseUrl, name }) => ({ url: new URL(baseUrl), name: `The upstream ${name}` }))
    .filter(({ url }) => loopback.has(url.hostname));
  return new Map([...chosen, ...others].map(({ url, name }) => [Number(url.port), name]));
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

function readPort(
  line: string,
  { proposed, held }: { readonly proposed: number; readonly held: ReadonlyMap<number, string> },
): number {
  const port = line === '' ? proposed : Number(line);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new CommandError('A port is a number from 1 to 65535.');
  const holder = held.get(port);
  if (holder !== undefined) throw new CommandError(`${holder} listens at ${port}. Name another port.`);
  return port;
}

function isYes(line: string): boolean {
  return ['y', 'yes'].includes(line.toLowerCase());
}
