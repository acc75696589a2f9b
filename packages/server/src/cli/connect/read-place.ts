import {
  DragomanError,
  defaultModelRule,
  describeModel,
  type EngineSetup,
  findModel,
  listModels,
  type ModelEntry,
} from '@dragoman/core';
import { z } from 'zod';
import { listenUrl } from '../../config/listen-url.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import type { Config } from '../../config/schema.ts';
import type { FoundUpstreams } from '../../discovery/find-upstreams.ts';
import { ownCommand } from '../how-started.ts';
import { keyHint } from '../key-hint.ts';
import { readConfig } from '../read-setup.ts';
import { ServedConfig } from '../served-config.ts';
import { usualPorts } from '../take-port.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import type { OfferedModel, Place } from './connection.ts';

/** What the command line says of the gateway. */
export interface PlaceFlags {
  readonly url?: string;
  readonly config?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  /** Tokens: the window of the model to begin with, and of those whose window nobody knows. */
  readonly contextWindow?: number;
}

/**
 * The gateway that clients are pointed at. One that is named by its address is asked itself, and so is the usual address
 * where there is no configuration; else the configuration tells, whose upstreams are asked for their models. What does
 * not answer is a line on standard error. Rejects with ConfigError, CommandError or, for an unknown model, DragomanError.
 */
export async function readPlace(terminal: Terminal, flags: PlaceFlags): Promise<Place> {
  const { config, file } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config }, {
    // Clients are told the names of variables, and never what they hold.
    mayLackSecrets: true,
  });
  const keyVariable = keyVariableOf(terminal, { config, flags });
  const served = new ServedConfig(config, terminal);
  const found = flags.url === undefined ? await served.find() : undefined;
  served.use({ found });
  const url = flags.url === undefined ? placeOf(config, found) : originOf(flags.url);
  const { redact } = served;
  const warn = (message: string) => void terminal.stderr.write(`${redact(message)}\n`);
  const place = (models: Place['models']): Place => {
    const [first, ...rest] = models;
    const others = rest.map((model) => sized(model, model.contextWindow ?? flags.contextWindow));
    return {
      url,
      models: [sized(first, flags.contextWindow), ...others],
      ...(keyVariable === undefined ? {} : { keyVariable }),
    };
  };
  if (flags.url !== undefined || file === undefined || found !== undefined) {
    const key = keyVariable === undefined ? undefined : terminal.env[keyVariable];
    const asked = await askedModels({ url, ...(key === undefined ? {} : { key }) }, { flags, warn });
    if (asked !== undefined) return place(asked);
  }
  return served.offered(({ setup: { setup } }) => place(offeredModels(setup, flags)), warn);
}

const seeDoctor = `See what is wrong: ${ownCommand} doctor`;

/** Undefined where the gateway has not answered, and need not. */
async function askedModels(
  gateway: AskedGateway,
  { flags: { url, model }, warn }: { readonly flags: PlaceFlags; readonly warn: (message: string) => void },
): Promise<Place['models'] | undefined> {
  let told: ToldList;
  try {
    told = await askGateway(gateway);
  } catch (thrown) {
    if (!(thrown instanceof CommandError) || url === undefined) return undefined;
    if (model === undefined) throw new CommandError(`${thrown.message} Without a gateway, name a model with --model.`);
    warn(thrown.message);
    return undefined;
  }
  if (url === undefined && !told.isOurs) return undefined;
  const { models, ids } = told;
  const id = model ?? models[0]?.id;
  if (id === undefined) throw new CommandError(`The gateway at ${gateway.url} lists no model. ${seeDoctor}`);
  const first = models.find((each) => each.id === id) ?? (await askForModel(gateway, id, ids));
  return [first, ...models.filter((each) => each.id !== id)];
}

function sized(model: OfferedModel, contextWindow: number | undefined): OfferedModel {
  return withinWindow(contextWindow === undefined ? model : { ...model, contextWindow });
}

/** Where a gateway runs that has perhaps stepped aside, or would listen: at the first usual port that nobody else has. */
function placeOf(config: Config, found: FoundUpstreams | undefined): string {
  const url = urlOf(config);
  if (found === undefined || config.listen.port !== usualPorts[0]) return url;
  const running = found.servers.find(({ kind }) => kind === 'dragoman');
  const held = found.servers.map((server) => server.url);
  const free = usualPorts.map((port) => `http://127.0.0.1:${port}`).find((each) => !held.includes(each));
  return running?.url ?? free ?? url;
}

/** Where the gateway of a configuration listens. Throws CommandError where that is not known before it starts. */
export function urlOf({ listen }: Config): string {
  if (listen.port === 0)
    throw new CommandError('The gateway picks a port when it starts; tell its address with --url.');
  return listenUrl(listen);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && ['', '/', '/v1', '/v1/'].includes(url.pathname) && url.search === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url.origin;
  throw new UsageError(`--url ${text} is not the address of a gateway, such as http://127.0.0.1:11434.`);
}

/** Used where there is a key and nothing tells a variable that holds it. */
const usualVariable = 'OAI_API_KEY';

function keyVariableOf(
  { env }: Terminal,
  { config, flags: { keyEnv } }: { readonly config: Config; readonly flags: PlaceFlags },
): string | undefined {
  if (keyEnv !== undefined && !/^[A-Za-z_]\w*$/.test(keyEnv)) {
    throw new UsageError('--key-env wants the name of an environment variable, and never the key itself.');
  }
  const hint = keyHint(config, env);
  return keyEnv ?? (hint === undefined ? undefined : (hint.variable ?? usualVariable));
}

/** Own models, the wanted one first; the demo where there is no other. */
function offeredModels(setup: EngineSetup, { model, url }: PlaceFlags): Place['models'] {
  const listed = listModels(setup);
  const own = listed.filter(({ upstream }) => upstream !== 'demo');
  const offered = own.length > 0 ? own : listed.filter(({ id }) => id === 'demo');
  const first = model ?? setup.defaultModel ?? offered[0]?.id;
  if (first === undefined)
    throw new CommandError(`The configuration lists no model; name one with --model. ${seeDoctor}`);
  const rest = offered.filter(({ id }) => id !== first).map((entry) => offer(entry, setup));
  return [offer({ ...entryOf(first, { setup, isElsewhere: url !== undefined }), id: first }, setup), ...rest];
}

/** Another gateway may have models that this configuration does not know. */
function entryOf(
  id: string,
  { setup, isElsewhere }: { readonly setup: EngineSetup; readonly isElsewhere: boolean },
): ModelEntry {
  try {
    return findModel(id, setup);
  } catch (thrown) {
    if (!isElsewhere || !(thrown instanceof DragomanError) || thrown.code !== 'model-unknown') throw thrown;
    return { id, upstream: '', model: id, rule: defaultModelRule };
  }
}

function offer(entry: ModelEntry, setup: EngineSetup): OfferedModel {
  const { id, contextWindow, maxOutput, images, reasoning = false } = describeModel(entry, { setup, startedAt: 0 });
  return {
    ...{ id, images, reasoning },
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
  };
}

/** No client compacts for replies longer than this, in tokens. */
const longestReply = 32_000;

/**
 * A reply may fill half of the window. Where nobody knows how long one may be it gets an eighth, since clients keep as
 * much of the window free as they are told.
 */
function withinWindow(model: OfferedModel): OfferedModel {
  const { contextWindow, maxOutput } = model;
  if (contextWindow === undefined) return model;
  const most = maxOutput ?? Math.min(longestReply, Math.floor(contextWindow / 8));
  return { ...model, maxOutput: Math.min(most, Math.floor(contextWindow / 2)) };
}

/** Milliseconds until a gateway has told its models. */
const patience = 5_000;

interface AskedGateway {
  /** Its address without a path. */
  readonly url: string;
  /** Its key, where it needs one and it is at hand. */
  readonly key?: string;
}

const entry = z.object({
  id: z.string().min(1),
  owned_by: z.string().optional(),
  context_window: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  images: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  /** Which no other server says. */
  tool_calling: z.boolean().optional(),
});
const list = z.object({ data: z.array(entry) });

type Entry = z.output<typeof entry>;

/** What a running gateway tells of its models: own ones, or the demo where it has no other. */
interface ToldList {
  readonly models: readonly OfferedModel[];
  /** Every id, for whoever names one. */
  readonly ids: readonly string[];
  /** It is one of ours, and not another server at that address. */
  readonly isOurs: boolean;
}

/** Asks a gateway for its models. Rejects with CommandError, whose message says why there is no list. */
async function askGateway(gateway: AskedGateway): Promise<ToldList> {
  const { data } = await read(gateway, '/v1/models', list);
  const own = data.filter(({ owned_by }) => owned_by !== 'demo');
  const offered = own.length > 0 ? own : data.filter(({ id }) => id === 'demo');
  return {
    models: offered.map(offerTold),
    ids: data.map(({ id }) => id),
    isOurs: data.some(({ tool_calling }) => tool_calling !== undefined),
  };
}

/** So many models are named where none is like the wanted one. */
const mostTold = 5;

/** Asks for one model, which need not be in the list. Rejects with CommandError, with the nearest name of `ids`. */
async function askForModel(gateway: AskedGateway, id: string, ids: readonly string[]): Promise<OfferedModel> {
  try {
    return offerTold(await read(gateway, `/v1/models/${encodeURIComponent(id)}`, entry));
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const has = ids.length > mostTold ? [...ids.slice(0, mostTold), `${ids.length - mostTold} more`] : ids;
    const cure = didYouMean(id, ids) || `. It has: ${has.join(', ')}.`;
    throw new CommandError(`The gateway at ${gateway.url} has no model ${JSON.stringify(id)}${cure}`);
  }
}

function offerTold({ id, context_window, max_output_tokens, images = false, reasoning = false }: Entry): OfferedModel {
  return {
    ...{ id, images, reasoning },
    ...(context_window === undefined ? {} : { contextWindow: context_window }),
    ...(max_output_tokens === undefined ? {} : { maxOutput: max_output_tokens }),
  };
}

async function read<Shape extends z.ZodType>(
  { url, key }: AskedGateway,
  path: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(patience) }).catch(
    () => undefined,
  );
  if (answer === undefined)
    throw new CommandError(`No gateway answers at ${url}. Start one (${ownCommand} serve), or correct the address.`);
  if (answer.status === 401) {
    const cure = 'name the variable that holds it with --key-env, and set it';
    throw new CommandError(`The gateway at ${url} ${key === undefined ? 'wants a key' : 'refuses the key'}; ${cure}.`);
  }
  const parsed = shape.safeParse(await answer.json().catch(() => undefined));
  if (answer.ok && parsed.success) return parsed.data;
  throw new CommandError(
    `${url}${path} answers with status ${answer.status} and no list of models. Check the address.`,
  );
}
