import {
  createDirect,
  type Direct,
  type DirectOptions,
  DragomanError,
  dialects,
  type GivenRule,
  type ToldModel,
} from '@dragoman/core';
import { z } from 'zod';
import { resolveSecret } from '../../config/check-references.ts';
import { randomHex } from '../../config/create-setup.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import type { Config } from '../../config/schema.ts';
import { urlOf } from '../connect/read-place.ts';
import { readSecret } from '../read-secret.ts';
import { readConfig } from '../read-setup.ts';
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
  readonly direct: Direct;
  /** Its address, or the file that names its upstreams: for people. */
  readonly url: string;
  /** The first one is asked where nobody names another. */
  readonly models: readonly ToldModel[];
  /** Ends what was started for it. */
  close(): Promise<void>;
}

/** Milliseconds until a server at a usual address has said what it is. */
const patience = 2_000;
/** A list of models may wait for upstreams. Milliseconds. */
const listPatience = 20_000;
/** Tokens that Ollama is asked for, where a model has less than the least that an agent can work in. */
const ollamaWindow = { least: 8_192, asked: 16_384 } as const;

/**
 * Finds the server that answers: the one that is named, else a gateway or Ollama that runs at a usual address, else the
 * upstreams of the configuration, through a gateway in this process. Rejects with CommandError or ConfigError.
 */
export async function findServer(terminal: Terminal, flags: ServerFlags): Promise<ModelPlace> {
  const key = flags.key === undefined ? undefined : readSecret(flags.key, terminal);
  const { dialect } = flags;
  if (dialect !== undefined && dialect !== 'auto' && !dialects.has(dialect)) {
    throw new CommandError(`There is no dialect "${dialect}"${didYouMean(dialect, [...dialects.keys()]) || '.'}`);
  }
  if (flags.url !== undefined) {
    const url = addressOf(flags.url, '--url');
    return connect(url, { kind: await knock(url, key), key, flags });
  }
  const { config, file = 'the configuration' } = readConfig(
    terminal,
    flags.config === undefined ? {} : { config: flags.config },
  );
  const places = usualPlaces(config, { terminal, key });
  for (const place of places) {
    const kind = await knock(place.url, place.key);
    if (kind === 'gateway' || kind === 'ollama') return connect(place.url, { kind, key: place.key, flags });
  }
  if (Object.keys(config.upstreams).length > 0) return startOwn(terminal, { config, file, flags });
  throw new CommandError(nobodyAnswers(places.map(({ url }) => url)));
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
  throw new CommandError(
    `${url} has no model ${JSON.stringify(wanted)}${didYouMean(wanted, ids)} It has: ${ids.slice(0, 20).join(', ')}.`,
  );
}

interface Place {
  readonly url: string;
  readonly key: string | undefined;
}

function usualPlaces(
  config: Config,
  { terminal: { env }, key }: { readonly terminal: Terminal; readonly key: string | undefined },
): readonly Place[] {
  const own = config.keys[0]?.key;
  const places: Place[] = [];
  if (config.listen.port !== 0) {
    places.push({ url: urlOf(config), key: key ?? (own === undefined ? undefined : resolveSecret(own, env)) });
  }
  const ollama = ollamaUrl(env.OLLAMA_HOST?.trim() ?? '');
  return places.some(({ url }) => url === ollama) ? places : [...places, { url: ollama, key }];
}

/** Where Ollama is by its own variable, which may leave out what is usual. */
function ollamaUrl(host: string): string {
  if (host === '') return 'http://127.0.0.1:11434';
  const url = new URL(addressOf(host.includes('://') ? host : `http://${host}`, 'OLLAMA_HOST'));
  if (url.port === '' && url.protocol === 'http:') url.port = '11434';
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  return url.origin;
}

function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/$/, '');
  throw new CommandError(`${name} ${text} is no address of a server; it is like http://127.0.0.1:8080.`);
}

type ServerKind = 'gateway' | 'ollama' | 'other';

const toldVersion = z.object({ version: z.string(), dragoman: z.string().optional() });

/** Dragoman and Ollama tell their version to everybody. Undefined: nothing answers. */
async function knock(url: string, key: string | undefined): Promise<ServerKind | undefined> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(patience);
  const answer = await fetch(`${new URL(url).origin}/api/version`, { headers, signal }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const told = toldVersion.safeParse(await answer.json().catch(() => undefined));
  if (!answer.ok || !told.success) return 'other';
  return told.data.dragoman === undefined ? 'ollama' : 'gateway';
}

async function connect(
  url: string,
  {
    kind,
    key,
    flags: { dialect, contextWindow },
  }: { readonly kind: ServerKind | undefined; readonly key: string | undefined; readonly flags: ServerFlags },
): Promise<ModelPlace> {
  const { origin } = new URL(url);
  const rule: Partial<GivenRule> = {
    // A gateway teaches its models itself.
    ...(kind === 'gateway' ? { toolCalling: 'native' } : dialect === undefined ? {} : { toolCalling: { dialect } }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
  const server: DirectOptions = {
    url: kind === 'gateway' ? `${origin}/v1` : kind === 'ollama' ? origin : url,
    ...(kind === 'ollama' ? { api: 'ollama-chat' } : {}),
    ...(key === undefined ? {} : { key }),
    rule,
  };
  const place = { url, close: async () => {} };
  try {
    const direct = createDirect(server);
    const models = await listOf(direct);
    if (kind !== 'ollama' || contextWindow !== undefined) return { ...place, direct, models };
    const small = models.filter((each) => (each.contextWindow ?? 0) < ollamaWindow.least);
    const rules = small.map(({ id }) => [id, { contextWindow: ollamaWindow.asked }] as const);
    const roomy = createDirect({ ...server, models: Object.fromEntries(rules) });
    return { ...place, direct: roomy, models: await listOf(roomy) };
  } catch (thrown) {
    throw new CommandError(whyNoList(thrown, { url, hasKey: key !== undefined }));
  }
}

function listOf(direct: Direct): Promise<readonly ToldModel[]> {
  return direct.models({ signal: AbortSignal.timeout(listPatience) });
}

function whyNoList(thrown: unknown, { url, hasKey }: { readonly url: string; readonly hasKey: boolean }): string {
  const code = thrown instanceof DragomanError ? thrown.code : undefined;
  if (code === 'upstream-unauthorized') {
    return `${url} ${hasKey ? 'refuses the key' : 'wants a key'}. Give it with --key env:NAME, where NAME is the variable that holds it.`;
  }
  if (code === 'upstream-unreachable') return unreachable(url);
  return `${url} tells no models: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

/** What a person reads of a server that is not there. */
export function unreachable(url: string): string {
  return `${url} cannot be reached. Is the server running, and is the address right?`;
}

/** A gateway with the models of the configuration, which nobody else can ask. */
async function startOwn(
  terminal: Terminal,
  { config, file, flags }: { readonly config: Config; readonly file: string; readonly flags: ServerFlags },
): Promise<ModelPlace> {
  const { startGateway } = await import('../../http/create-gateway.ts');
  const { createSetup } = await import('../../config/create-setup.ts');
  const { createDemoUpstream } = await import('../../transports/scripted/demo-upstream.ts');
  const { createLog } = await import('../../log/create-log.ts');
  const { createRedact } = await import('../../log/redact.ts');
  const { secretsOf } = await import('../secrets-of.ts');
  const { env, cwd } = terminal;
  const key = randomHex(48);
  const own: Config = {
    ...config,
    listen: { host: '127.0.0.1', port: 0 },
    keys: [{ name: 'chat', key, records: 'own' }],
  };
  const redact = createRedact([key, ...secretsOf(config, env)]);
  const log = createLog({ level: 'silent', format: 'json', target: { write: () => {} }, redact });
  const setup = createSetup(own, { env, cwd, demo: createDemoUpstream() });
  const gateway = await startGateway({ config: own, setup, log, redact, env });
  try {
    await setup.discovery.complete();
    const place = await connect(gateway.url, { kind: 'gateway', key, flags });
    return { ...place, url: file, close: () => gateway.close() };
  } catch (thrown) {
    await gateway.close();
    throw thrown;
  }
}

function nobodyAnswers(urls: readonly string[]): string {
  return [
    `No model answers at ${urls.join(' or ')}. Start one, or say where it is:`,
    '  ollama serve                                  Ollama',
    '  dragoman serve                                a gateway; without a configuration with the built-in demo model',
    '  dragoman chat --url http://127.0.0.1:8080     llama.cpp, or any other server with an API like that of OpenAI',
    '  dragoman chat --config dragoman.jsonc         the models that a configuration names',
  ].join('\n');
}
