import { createHmac, randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import {
  defaultCallPolicy,
  defaultModelRule,
  type EngineSetup,
  type GivenRule,
  isVendorOfApi,
  type ListedModel,
  type Prompts,
  type Quirks,
  quirksOfHost,
  quirksOfModel,
  shortSystemText,
  type Transport,
  type TurnRules,
  type Upstream,
  type UpstreamWire,
  upstreamWires,
} from '@dragoman/core';
import { Discovery } from '../discovery/discovery.ts';
import { UpstreamModels } from '../discovery/upstream-models.ts';
import { promptsOfModels } from '../prompts/prompts-of-models.ts';
import { countTextTokens } from '../tokens/count-text-tokens.ts';
import type { HttpTransport } from '../transports/http.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import type { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import { resolveSecret } from './check-references.ts';
import { createOwnWire } from './create-own-wire.ts';
import { createHeaders, createTransport, createWorkerUpstream } from './create-transport.ts';
import { Credentials } from './credentials.ts';
import { allowWhole, deadlinesOf } from './deadlines.ts';
import { createOwnDialects } from './own-dialects.ts';
import { formatPath } from './problem.ts';
import type { Config, UpstreamConfig } from './schema.ts';
import type { SecretFiles } from './secret-files.ts';

export interface SetupOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the secrets that are in files; whoever shares it knows what is in use. */
  readonly secretFiles?: SecretFiles;
  /** In the place of the built-in demo, where its turns are watched. */
  readonly demo?: Upstream;
  /** Upstreams that nobody configured: their models have short names. */
  readonly found?: ReadonlySet<string>;
  /** Upstreams that nobody configured either, and that take nothing but what they list. */
  readonly listedOnly?: ReadonlySet<string>;
  /** Names that models had whose server has ended, each with what that was. */
  readonly ended?: ReadonlyMap<string, string>;
  /** What an upstream was last heard to list, by a setup before this one. */
  readonly listedBefore?: (upstream: string) => ReadonlyMap<string, ListedModel> | undefined;
  /** The folder from which relative paths count. Default: the current one. */
  readonly cwd?: string;
  /** Hears what whoever runs the gateway should know. Default: nobody. */
  readonly report?: (message: string) => void;
  /** Milliseconds that tests don't wait. */
  readonly waits?: Waits;
}

export interface Waits {
  /** Before a request is sent again. */
  readonly firstRetry?: number;
  /** Between two pings of a worker. */
  readonly heartbeat?: number;
}

/** A setup with what has to be closed when the gateway stops. */
type OfCaller = 'callIds' | 'conversations' | 'guards' | 'turns';

/** What the engine needs for all callers. What each has for himself is never in it: nobody would get another's. */
export type SharedSetup = Omit<EngineSetup, OfCaller> & { readonly [name in OfCaller]?: never };

export interface GatewaySetup {
  readonly setup: SharedSetup;
  /** Asks the upstreams for their models, once it is started. */
  readonly discovery: Discovery;
  readonly credentials: Credentials;
  /** The upstreams whose workers connect, by name. */
  readonly workers: ReadonlyMap<string, WorkerUpstream>;
  /** Makes what sends to the upstreams, so that no request has to. It opens no connection. */
  makeReady(): void;
  /** Closes the connections to all upstreams once their answers are over. */
  close(): Promise<void>;
}

/**
 * Turns a checked configuration into what the engine needs. Opens no connection yet. Throws ConfigError for prompts
 * and files of dialects that cannot be used.
 */
export function createSetup(config: Config, options: SetupOptions): GatewaySetup {
  const transports: HttpTransport[] = [];
  const workers = new Map<string, WorkerUpstream>();
  const asked: UpstreamModels[] = [];
  const upstreams = new Map<string, Upstream>();
  const wires = new Map<string, UpstreamWire>();
  const headers = new Map<string, () => Record<string, string>>();
  const aliases = new Map(Object.entries(config.models));
  const { cwd = process.cwd(), report = () => {}, waits = {} } = options;
  const dialects = createOwnDialects(config.dialects, { cwd, report });
  const promptsOf = promptsOfModels(config.prompts, { cwd, report, now: () => performance.now() });
  for (const [name, entry] of Object.entries(config.upstreams)) {
    const headersNow = createHeaders(entry, options);
    headers.set(name, headersNow);
    const awaited = createWorkerUpstream(name, {
      entry,
      config,
      headersNow,
      places: options,
      heartbeat: waits.heartbeat,
    });
    if (awaited !== undefined) workers.set(name, awaited);
    const transport = createTransport(entry, {
      headersNow,
      deadlines: deadlinesOf(entry, config),
      report,
      firstRetry: waits.firstRetry,
      workers: awaited,
    });
    transports.push(transport);
    const isFound = options.found?.has(name) === true;
    const models = createUpstreamModels(name, { entry, transport, isFound, before: options.listedBefore?.(name) });
    if (models !== undefined) asked.push(models);
    const ownWire = createOwnWire(entry);
    const wire = ownWire === undefined ? entry.wire : `${entry.wire}:${name}`;
    if (ownWire !== undefined) wires.set(wire, ownWire);
    const { conversation, textOnly = false } = ownWire ?? upstreamWires.get(entry.wire) ?? {};
    const prompts = ({ prompts: own, toolCalling }: RuleConfig, at: string) => {
      const isNative = toolCalling === 'native' && !textOnly;
      return promptsOf({ own, at, isNative, keepsConversation: conversation !== undefined });
    };
    const upstream = createUpstream(name, { entry, wire, config, transport, models, prompts, isFound });
    upstreams.set(name, options.listedOnly?.has(name) === true ? { ...upstream, listedOnly: true } : upstream);
  }
  // Last, so that programs that take the first model of a list take one of the configuration.
  if (config.demo) {
    // It shows what there is to see where there is nothing else; beside other models it would only be in the way.
    const { demo = createDemoUpstream({ own: dialects }) } = options;
    upstreams.set(demo.name, { ...demo, unlisted: upstreams.size > 0 });
    const model = demo.models.keys().next().value;
    if (model !== undefined && !aliases.has('demo')) aliases.set('demo', `${demo.name}/${model}`);
  }
  const setup: SharedSetup = {
    upstreams,
    wires,
    dialects,
    aliases,
    ended: options.ended ?? new Map(),
    defaultModel: config.defaultModel,
    maxTools: config.limits.tools,
    maxReplyBytes: config.limits.replyBytes,
    toolCalling: config.toolCalling,
    countTokens: countTextTokens,
    now: () => performance.now(),
    randomHex,
    conversationDigest: createConversationDigest(config, options),
  };
  const discovery = new Discovery(asked);
  const close = async () => {
    discovery.close();
    await Promise.all(transports.map((transport) => transport.close()));
  };
  const makeReady = () => {
    for (const transport of transports) transport.makeReady?.();
  };
  return { setup, discovery, credentials: new Credentials({ headers, report }), workers, makeReady, close };
}

/** Drawn once for the process: a configuration that is read anew keeps the words of running conversations. */
const drawnSecret = randomBytes(32).toString('hex');

function createConversationDigest(
  { nonceSecret }: Config,
  { env, secretFiles }: SetupOptions,
): NonNullable<EngineSetup['conversationDigest']> {
  const key = nonceSecret === undefined ? drawnSecret : resolveSecret(nonceSecret, env, secretFiles);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

type RuleConfig = UpstreamConfig['models'][string];

interface UpstreamParts {
  readonly entry: UpstreamConfig;
  /** The id of its wire, which may be its own. */
  readonly wire: string;
  readonly config: Config;
  readonly transport: Transport;
  readonly models: UpstreamModels | undefined;
  readonly isFound: boolean;
  /** The prompts of a model, by what its rule says and where it stands. */
  readonly prompts: (rule: RuleConfig, at: string) => Prompts | undefined;
}

/** Milliseconds from which on a list is asked for anew: of a server that came by itself, and may load and unload models; and of others. */
const listAges = { found: 10_000, configured: 300_000 };

type ModelsParts = Pick<UpstreamParts, 'entry' | 'transport' | 'isFound'> & {
  readonly before: ReadonlyMap<string, ListedModel> | undefined;
};

/** Undefined for an upstream that is not asked what it has. */
function createUpstreamModels(
  name: string,
  { entry, transport, isFound, before }: ModelsParts,
): UpstreamModels | undefined {
  const wire = upstreamWires.get(entry.wire);
  const { enabled = entry.anyModel !== undefined ? true : undefined } = entry.discovery;
  if (enabled === false || wire === undefined) return undefined;
  // What a vendor takes is known.
  if (enabled === undefined && (wire.models === undefined || isVendorOfApi(entry))) return undefined;
  return new UpstreamModels({
    name,
    transport,
    wire,
    rules: entry.discovery,
    ttl: isFound ? listAges.found : listAges.configured,
    onDemand: enabled === undefined,
    ...(before === undefined ? {} : { before }),
  });
}

/**
 * Tokens that Ollama is asked for where nobody has decided: the first request of Claude Code takes 20,000, and by its own
 * default Ollama has room for 4,096. Other servers made their room when they were started.
 */
const roomForAgents = 32_768;

function createUpstream(name: string, parts: UpstreamParts): Upstream {
  const { entry, wire, config, transport, models, isFound } = parts;
  const rule = (given: RuleConfig, key: readonly string[]): GivenRule => {
    const { prompts: _own, redundantSystem, policy, finalAnswer, ...each } = given;
    const prompts = parts.prompts(given, formatPath(['upstreams', name, ...key]));
    const short = redundantSystem === true ? shortSystemText : redundantSystem;
    return {
      ...each,
      limits: {},
      policy: { ...defaultCallPolicy, ...policy },
      finalAnswer: { ...defaultModelRule.finalAnswer, ...finalAnswer },
      ...(isFound && entry.wire === 'ollama-chat' ? { leastWindow: roomForAgents } : {}),
      ...(short === false ? {} : { redundantSystem: short }),
      ...(config.systemInjection ? {} : { systemText: 'system' }),
      ...(prompts === undefined ? {} : { prompts }),
    };
  };
  const deadlines = deadlinesOf(entry, config);
  return {
    name,
    wire,
    transport,
    ...(entry.baseUrl === undefined ? {} : { address: placeOf(entry.baseUrl) }),
    quirks: { ...knownQuirks(entry), ...entry.quirks },
    ...(entry.wire === 'openai-chat' || entry.wire === 'openai-responses' ? { modelQuirks: quirksOfModel } : {}),
    vendor: isVendorOfApi(entry),
    // Until something of an answer counts, each attempt has its own.
    deadlines: { ...deadlines, ...(entry.retry.attempts > 1 ? { connect: 0, firstToken: 0 } : {}) },
    answersWhole: allowWhole(deadlines),
    models: new Map(Object.entries(entry.models).map(([model, each]) => [model, rule(each, ['models', model])])),
    ...(entry.anyModel === undefined ? {} : { anyModel: rule(entry.anyModel, ['anyModel']) }),
    ...(isFound ? { shortNames: true } : {}),
    waits: turnsOf(config),
    ...(entry.parallel === 'queue' ? { turns: turnsOf(config) } : {}),
    ...(models === undefined ? {} : { listed: models.listed }),
  };
}

/** Without what a query or a user's name may hold of secrets. */
function placeOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}

/** What is known of a host, where the configuration does not say otherwise. */
function knownQuirks({ wire, baseUrl }: UpstreamConfig): Quirks {
  return wire === 'openai-chat' && baseUrl !== undefined ? quirksOfHost(new URL(baseUrl).hostname) : {};
}

/** The most requests that wait for the same turn. */
const mostWaiting = 16;

/** A timer counts no longer than 31 bits of milliseconds: 24 days are as good as for ever. */
function turnsOf({ timeouts }: Config): TurnRules {
  return { wait: timeouts.turn === 0 ? 2 ** 31 - 1 : timeouts.turn, most: mostWaiting };
}

const poolSize = 4096;
let pool = '';

/** Random digits out of a pool: one system call serves a hundred ids. */
export function randomHex(length: number): string {
  if (length > poolSize)
    return randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length);
  if (pool.length < length) pool = randomBytes(poolSize / 2).toString('hex');
  const digits = pool.slice(0, length);
  pool = pool.slice(length);
  return digits;
}
