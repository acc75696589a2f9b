import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { identifyServer } from '@dragoman/core';
import { codeOf } from '../../code-of.ts';
import { configWarnings } from '../../config/config-warnings.ts';
import { ConfigError } from '../../config/problem.ts';
import type { Config } from '../../config/schema.ts';
import { openExisting } from '../../stores/open-existing.ts';
import { StoreError } from '../../stores/sql-client.ts';
import { version } from '../../version.ts';
import { urlOf } from '../connect/read-place.ts';
import { docPage, ownCommand } from '../how-started.ts';
import { type ReadConfig, readConfig } from '../read-setup.ts';
import { ServedConfig } from '../served-config.ts';
import { stateFolder } from '../state-folder.ts';
import { gatewayAt, mayStepAside, usualPorts, whyNotListening } from '../take-port.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { type Diagnosis, renderDiagnoses } from './diagnosis.ts';
import { lookAtClients } from './look-at-clients.ts';
import { lookAtUpstreams } from './look-at-upstreams.ts';

export interface DoctorFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/** `dragoman doctor`: looks at all that a first request needs, changes nothing, and says what to do. 1 where something is broken. */
export async function doctor(terminal: Terminal, { config, json }: DoctorFlags): Promise<number> {
  const diagnoses = await examine(terminal, config === undefined ? {} : { config });
  terminal.stdout.write(
    json === true ? `${JSON.stringify(diagnoses, undefined, 2)}\n` : renderDiagnoses(diagnoses, terminal),
  );
  return diagnoses.some(({ is }) => is === 'broken') ? 1 : 0;
}

async function examine(terminal: Terminal, flags: { readonly config?: string }): Promise<readonly Diagnosis[]> {
  const machine = lookAtMachine(terminal);
  const { read, diagnoses } = lookAtConfig(terminal, flags);
  if (read === undefined) return [...machine, ...diagnoses];
  const { config } = read;
  const served = new ServedConfig(config, terminal);
  served.use({ found: await served.find() });
  const { url, diagnosis } = await lookAtGateway(terminal, { config, flags });
  const rest = await Promise.all([
    lookAtStore(terminal, config),
    // Without its secrets no upstream can be asked.
    diagnoses.some(({ is }) => is === 'broken') ? [] : lookAtUpstreams(terminal, served),
    lookAtClients(terminal, url),
  ]);
  const leftOut = (served.found?.leftOut ?? []).map(
    (sentence): Diagnosis => ({ about: 'found', is: 'doubtful', ...partedSentence(sentence) }),
  );
  const isEmpty = served.found?.titles.size === 0 && Object.keys(config.upstreams).length + leftOut.length === 0;
  const onlyDemo = isEmpty ? [nothingFound(config)] : [];
  return [...machine, ...diagnoses, diagnosis, ...onlyDemo, ...leftOut, ...rest.flat()];
}

const nothingFound = ({ demo }: Config): Diagnosis => ({
  about: 'found',
  is: 'doubtful',
  says: `no model server runs on this machine and no key of a vendor is set, so there is ${demo ? 'only the demo' : 'no'} model`,
  cure: `Start Ollama, LM Studio or another server, set a key such as OPENROUTER_API_KEY, or make a configuration: ${ownCommand} init`,
});

/** What is left out says what to do in a sentence of its own, or why nothing is to be done. */
function partedSentence(sentence: string): { readonly says: string; readonly cure: string } {
  const cut = sentence.indexOf('. ');
  if (cut === -1) return { says: sentence, cure: `See ${docPage('discovery')}` };
  return { says: sentence.slice(0, cut + 1), cure: sentence.slice(cut + 2) };
}

function lookAtConfig(
  terminal: Terminal,
  flags: { readonly config?: string },
): { readonly read?: ReadConfig; readonly diagnoses: readonly Diagnosis[] } {
  const about = 'config';
  try {
    const read = readConfig(terminal, flags);
    const says =
      read.file === undefined
        ? 'no configuration file; what is found on this machine is served'
        : `${read.file} is valid`;
    const warnings = configWarnings(read.config).map(
      (warning): Diagnosis => ({
        about,
        is: 'doubtful',
        says: warning,
        cure: `Change it in ${read.file ?? 'the configuration'}.`,
      }),
    );
    return { read, diagnoses: [{ about, is: 'good', says }, ...warnings] };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError || thrown instanceof CommandError)) throw thrown;
    const cure =
      thrown instanceof ConfigError
        ? `Repair it; every setting is in ${docPage('configuration')}`
        : `Name another file with --config or DRAGOMAN_CONFIG, or make one: ${ownCommand} init`;
    const diagnoses = thrown.message.split('\n').map((says): Diagnosis => ({ about, is: 'broken', says, cure }));
    return { ...withoutSecrets(terminal, flags), diagnoses };
  }
}

/** The configuration, where nothing is wrong with it but variables that are not set. */
function withoutSecrets(terminal: Terminal, flags: { readonly config?: string }): { readonly read?: ReadConfig } {
  try {
    return { read: readConfig(terminal, flags, { mayLackSecrets: true }) };
  } catch {
    return {};
  }
}

interface GatewayLook {
  /** Where it is, or would be. */
  readonly url: string;
  readonly diagnosis: Diagnosis;
}

/** Whether a gateway runs, or could. */
async function lookAtGateway(
  terminal: Terminal,
  { config, flags }: { readonly config: Config; readonly flags: { readonly config?: string } },
): Promise<GatewayLook> {
  const about = 'gateway';
  const { host, port } = config.listen;
  if (port === 0) {
    const says = 'picks a free port at each start';
    const cure = 'Clients that keep an address need one that stays: give "listen" a "port".';
    return { url: 'http://127.0.0.1:0', diagnosis: { about, is: 'doubtful', says, cure } };
  }
  const isOpen = mayStepAside(terminal, { config, flags });
  const usual = isOpen ? usualPorts.map((each) => `http://127.0.0.1:${each}`) : [];
  const wanted = urlOf(config);
  const running = (await Promise.all([...new Set([wanted, ...usual])].map(gatewayAt))).find(
    (each) => each !== undefined,
  );
  if (running !== undefined) {
    const { url, process: id } = running;
    const who = `Dragoman ${running.version}${id === undefined ? '' : ` (process ${id})`}`;
    if (running.version === version) return { url, diagnosis: { about, is: 'good', says: `${who} runs at ${url}` } };
    const cure = `Stop it${id === undefined ? '' : ` (kill ${id})`} and start it again: ${ownCommand} serve`;
    return { url, diagnosis: { about, is: 'doubtful', says: `${who} runs at ${url}, and this is ${version}`, cure } };
  }
  for (const each of isOpen ? usualPorts : [port]) {
    const thrown = await failureToListen(host, each);
    const url = each === port ? wanted : `http://127.0.0.1:${each}`;
    if (thrown === undefined) {
      const says = `does not run; ${ownCommand} would listen at ${url}`;
      return { url, diagnosis: { about, is: 'good', says } };
    }
    if (isOpen && each !== usualPorts.at(-1)) continue;
    const holder = await identifyServer(url).catch(() => undefined);
    const [says = '', ...cure] = whyNotListening(thrown, { host, port: each, holder: holder?.name }).split('. ');
    return { url, diagnosis: { about, is: 'broken', says, cure: cure.join('. ') } };
  }
  throw new Error('There is no port to listen at.');
}

/** Listens for a moment. */
function failureToListen(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

/** Node and the folder of our state. Older Nodes than the oldest that will do come no further than `bin/dragoman.js`. */
function lookAtMachine(terminal: Terminal): readonly Diagnosis[] {
  const folder = stateFolder(terminal);
  const problem = whyNotWritable(folder);
  return [
    { about: 'node', is: 'good', says: `Node ${process.versions.node}` },
    problem === undefined
      ? { about: 'state', is: 'good', says: `${folder} can be written` }
      : {
          about: 'state',
          is: 'broken',
          says: `${folder} cannot be written: ${problem}. Chats and what "connect" has written are not kept.`,
          cure: 'Make it a folder that you may write, or name another with XDG_STATE_HOME.',
        },
  ];
}

/** The database that the configuration names; nothing where it names none. */
async function lookAtStore({ env, cwd }: Terminal, { store }: Pick<Config, 'store'>): Promise<readonly Diagnosis[]> {
  const about = 'store';
  if (store === 'memory') return [];
  try {
    const client = await openExisting({ store, env, cwd });
    if ('missing' in client) {
      const problem = whyNotWritable(dirname(client.missing));
      if (problem === undefined) return [{ about, is: 'good', says: `${client.missing} is made at the first start` }];
      return [
        {
          about,
          is: 'broken',
          says: `${client.missing} cannot be made: ${problem}.`,
          cure: 'Give "store" a file in a folder that you may write.',
        },
      ];
    }
    try {
      await client.run([{ sql: 'SELECT 1' }]);
    } finally {
      await client.close();
    }
    if (typeof store === 'string') {
      const problem = whyNotWritable(resolve(cwd, store.slice('sqlite:'.length)));
      if (problem !== undefined) {
        const says = `${client.place} cannot be written: ${problem}.`;
        return [{ about, is: 'broken', says, cure: 'Give yourself the right to write it, or name another "store".' }];
      }
    }
    return [{ about, is: 'good', says: `${client.place} answers` }];
  } catch (thrown) {
    if (!(thrown instanceof StoreError)) throw thrown;
    const cure =
      thrown.kind === 'unreachable' && typeof store !== 'string'
        ? 'Start PostgreSQL there, or correct the address in "store".'
        : 'Name another file or database in "store", or move this one away.';
    return [{ about, is: 'broken', says: thrown.message, cure }];
  }
}

/** Why nothing can be written at a path, or, where it is not there yet, in the nearest folder above it that is; undefined where it can. */
function whyNotWritable(path: string): string | undefined {
  if (!existsSync(path) && dirname(path) !== path) {
    const above = dirname(path);
    if (statSync(above, { throwIfNoEntry: false })?.isFile() === true) return `${above} is a file`;
    return whyNotWritable(above);
  }
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) === '' ? String(thrown) : `${codeOf(thrown)} at ${path}`;
  }
}
