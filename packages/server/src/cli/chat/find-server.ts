import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepFacts } from '@dragoman/agent';
import {
  createDirectClient,
  type DirectClient,
  type DirectClientOptions,
  DragomanError,
  dialects,
  type FactStore,
  type GivenRule,
  type ModelDescription,
  openServer,
  type ServerAccess,
} from '@dragoman/core';
import { resolveSecret } from '../../config/check-references.ts';
import { randomHex } from '../../config/create-setup.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import type { Config } from '../../config/schema.ts';
import { type FoundUpstreams, findUpstreams, withFound } from '../../discovery/find-upstreams.ts';
import { columns } from '../columns.ts';
import { urlOf } from '../connect/read-place.ts';
import { replaceFile } from '../connect/replace-file.ts';
import { ownCommand } from '../how-started.ts';
import { readSecret } from '../read-secret.ts';
import { readConfig } from '../read-setup.ts';
import { stateFolder } from '../state-folder.ts';
import { gatewayAt } from '../take-port.ts';
import { CommandError, type Terminal } from '../terminal.ts';

/** What the command line says of the model. */
export interface ServerFlags {
  readonly url?: string;
  /** The key itself, or `env:NAME`. */
  readonly key?: string;
  readonly config?: string;
  readonly dialect?: string;
  /** Tokens. */
  readonly contextWindow?: number;
}

/** The server that is asked. */
export interface ModelPlace {
  readonly direct: DirectClient;
  /** Its address, or the file that names its upstreams: for people. */
  readonly url: string;
  /** The first one is asked where nobody names another. */
  readonly models: readonly ModelDescription[];
  /** Where a model of these is asked: `url`, unless several servers answer. */
  urlOf(model: string): string;
  /** Ends what was started for it. */
  close(): Promise<void>;
}

/** Models that a complaint names. */
const mostTold = 20;
/** A list of models may wait for upstreams. Milliseconds. */
const listPatience = 20_000;

/**
 * Finds the server that answers: the one that is named, else a gateway that runs here, else the model servers of this machine,
 * else the upstreams of the configuration and of the environment, through a gateway in this process. Rejects with CommandError
 * or ConfigError.
 */
export async function findServer(terminal: Terminal, flags: ServerFlags): Promise<ModelPlace> {
  const key = flags.key === undefined ? undefined : readSecret(flags.key, terminal);
  const { dialect } = flags;
  if (dialect !== undefined && dialect !== 'any' && !dialects.has(dialect)) {
    throw new CommandError(`There is no dialect "${dialect}"${didYouMean(dialect, [...dialects.keys()]) || '.'}`);
  }
  const facts = factsOf(terminal);
  if (flags.url !== undefined) return openPlace({ url: addressOf(flags.url, '--url') }, { key, flags, facts });
  const { config, file } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config });
  const own = config.keys[0]?.key;
  const ownKey = key ?? (own === undefined ? undefined : resolveSecret(own, terminal.env));
  const configured = config.listen.port === 0 ? undefined : urlOf(config);
  const running = configured === undefined ? undefined : await gatewayAt(configured);
  if (running !== undefined) return openPlace({ url: running.url, kind: 'dragoman' }, { key: ownKey, flags, facts });
  const found = config.findUpstreams === true ? await lookAround(config, terminal) : undefined;
  const servers = found?.servers.filter(({ wantsKey }) => wantsKey !== true) ?? [];
  const gateway = servers.find(({ kind }) => kind === 'dragoman');
  if (gateway !== undefined) return openPlace(gateway, { key: ownKey, flags, facts });
  const places = await Promise.allSettled(servers.map((server) => openPlace(server, { key, flags, facts })));
  const open = places.flatMap((place) =>
    place.status === 'fulfilled' && place.value.models.length > 0 ? [place.value] : [],
  );
  const [first, ...others] = open;
  if (first !== undefined) return others.length === 0 ? first : joined([first, ...others]);
  const all = withFound(config, found);
  if (Object.keys(all.upstreams).length > 0) {
    return startOwn(terminal, { config: all, file: file ?? 'the vendors of the environment', flags });
  }
  throw new CommandError(nobodyAnswers(configured, found));
}

function lookAround(config: Config, { env }: Terminal): Promise<FoundUpstreams> {
  return findUpstreams({ config, env });
}

/** Several servers as one place: each model is asked where it was listed first. */
export function joined(places: readonly [ModelPlace, ...ModelPlace[]]): ModelPlace {
  const models = new Map<string, { readonly model: ModelDescription; readonly place: ModelPlace }>();
  for (const place of places) {
    for (const model of place.models) if (!models.has(model.id)) models.set(model.id, { model, place });
  }
  const [first] = places;
  const placeOf = (model: string) => models.get(model)?.place ?? first;
  return {
    url: first.url,
    urlOf: (model) => placeOf(model).url,
    direct: { ...first.direct, ask: (request, options) => placeOf(request.model).direct.ask(request, options) },
    models: [...models.values()].map(({ model }) => model),
    close: async () => {},
  };
}

/** The id of the model that is meant. Throws CommandError, with the nearest name. */
export function modelNamed({ models, url }: ModelPlace, wanted: string | undefined): string {
  const first = models[0]?.id;
  if (wanted === undefined) {
    if (first !== undefined) return first;
    throw new CommandError(`${url} lists no model. Name one with --model, or load one there (Ollama: ollama pull).`);
  }
  const ids = models.map(({ id }) => id);
  // Names of Ollama are listed without the tag that they mean by themselves.
  const found = ids.find((id) => id === wanted) ?? ids.find((id) => `${id}:latest` === wanted);
  // A gateway takes names that it does not list, such as aliases of other upstreams.
  if (found !== undefined || models.length === 0 || wanted.includes('/')) return found ?? wanted;
  const told = ids.length > mostTold ? [...ids.slice(0, mostTold), `and ${ids.length - mostTold} more`] : ids;
  throw new CommandError(
    `${url} has no model ${JSON.stringify(wanted)}${didYouMean(wanted, ids) || '.'} It has: ${told.join(', ')}.`,
  );
}

function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/$/, '');
  throw new CommandError(`${name} ${text} is not the address of a server, such as http://127.0.0.1:8080.`);
}

interface OpenOptions {
  readonly key: string | undefined;
  readonly flags: ServerFlags;
  readonly facts: FactStore;
}

/** What answers have shown of models, which the next chat knows, too. */
function factsOf(terminal: Terminal): FactStore {
  const file = join(stateFolder(terminal), 'models.json');
  const save = (text: string) => {
    try {
      replaceFile(file, text, { keepsOld: false, mode: 0o600 });
    } catch {
      // Where it cannot be kept it is learnt anew.
    }
  };
  let kept: string | undefined;
  try {
    kept = readFileSync(file, 'utf8');
  } catch {
    // Nothing has been learnt yet.
  }
  return keepFacts(kept, save);
}

async function openPlace(
  server: Pick<ServerAccess, 'url' | 'kind' | 'api' | 'listPath'>,
  { key, flags: { dialect, contextWindow }, facts }: OpenOptions,
): Promise<ModelPlace> {
  const { url } = server;
  const rule: Partial<GivenRule> = {
    ...(dialect === undefined ? {} : { toolCalling: dialect === 'any' ? 'text' : { dialect } }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
  try {
    const access = { ...server, rule, ...(key === undefined ? {} : { key }) };
    const signal = AbortSignal.timeout(listPatience);
    const create = (options: DirectClientOptions) => createDirectClient({ ...options, facts });
    const { direct, models } = await openServer(access, { signal, create });
    return { url, direct, models, urlOf: () => url, close: async () => {} };
  } catch (thrown) {
    throw new CommandError(whyNoList(thrown, { url, hasKey: key !== undefined }));
  }
}

function whyNoList(thrown: unknown, { url, hasKey }: { readonly url: string; readonly hasKey: boolean }): string {
  const code = thrown instanceof DragomanError ? thrown.code : undefined;
  if (code === 'upstream-unauthorized') {
    return `${url} ${hasKey ? 'refuses the key' : 'wants a key'}. Give it with --key env:NAME, where NAME is the variable that holds it.`;
  }
  if (code === 'upstream-unreachable') return unreachable(url);
  return `${url} does not list its models: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

/** What a person reads of a server that is not there. */
function unreachable(url: string): string {
  return `${url} cannot be reached. Is the server running, and is the address right?`;
}

/** A gateway with the models of the configuration, which nobody else can ask. */
async function startOwn(
  terminal: Terminal,
  { config, file, flags }: { readonly config: Config; readonly file: string; readonly flags: ServerFlags },
): Promise<ModelPlace> {
  const key = randomHex(48);
  const { startOwnGateway } = await import('../own-gateway.ts');
  const gateway = await startOwnGateway(terminal, { config: { ...config, findUpstreams: false }, key });
  try {
    const place = await openPlace({ url: gateway.url, kind: 'dragoman' }, { key, flags, facts: factsOf(terminal) });
    return { ...place, url: file, urlOf: () => file, close: () => gateway.close() };
  } catch (thrown) {
    await gateway.close();
    throw thrown;
  }
}

function nobodyAnswers(gateway: string | undefined, found: FoundUpstreams | undefined): string {
  const here = found === undefined ? [] : ['no model server runs on this machine'];
  const nobody = [...(gateway === undefined ? [] : [`no gateway answers at ${gateway}`]), ...here].join(' and ');
  const ways = [
    ['ollama serve', 'Ollama, LM Studio and others are found by themselves'],
    [`${ownCommand} serve --demo`, 'a gateway with the built-in demo model'],
    [
      `${ownCommand} chat --url http://192.168.1.5:8080`,
      'llama.cpp, or any other server with an API like that of OpenAI',
    ],
    [`${ownCommand} chat --config dragoman.jsonc`, 'the models that a configuration names'],
  ] as const;
  return [
    ...(nobody === '' ? [] : [`${nobody.charAt(0).toUpperCase()}${nobody.slice(1)}.`]),
    ...(found?.leftOut ?? []),
    'Start one, or say where it is:',
    ...columns(ways.map(([command, what]) => [`  ${command}`, what])),
  ].join('\n');
}
