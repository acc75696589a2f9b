import { answer } from '../answer.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import { isVendorOfApi, pathOfHost, quirksOfHost, quirksOfModel, wireOfAddress } from '../discovery/known-hosts.ts';
import { readList } from '../discovery/read-list.ts';
import { type Silences, usualTimeouts } from '../discovery/silences.ts';
import { DragomanError } from '../errors.ts';
import { describeModel } from '../plan/model-description.ts';
import { listModels } from '../plan/model-entries.ts';
import { defaultModelRule, type GivenRule } from '../plan/rules.ts';
import type { EngineSetup, Upstream } from '../plan/setup.ts';
import { randomHex } from '../random-hex.ts';
import type { FactStore } from '../stores/fact-store.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import { MemoryConversationStore } from '../stores/memory-conversation-store.ts';
import { MemoryFactStore } from '../stores/memory-fact-store.ts';
import { TurnQueue } from '../stores/turn-queue.ts';
import type { Answer } from '../upstream/answer-sink.ts';
import type { ExchangeWatch } from '../upstream/watch-exchange.ts';
import { upstreamWires } from '../wires/registry.ts';
import type { ListedModel, Quirks, UpstreamWire } from '../wires/wire.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { inOwnWords, upstreamName } from './own-words.ts';
import { type DirectAskOptions, type ModelServer, serveDirect } from './serve-direct.ts';

/** The one server that a host without a gateway speaks to. */
export interface DirectClientOptions {
  /** Its address, such as `http://127.0.0.1:11434` or `https://api.mistral.ai/v1`. */
  readonly url: string;
  /** What errors call it, such as `My server`. Default: `The server`. */
  readonly name?: string;
  /** The API that it speaks: the id of an upstream wire. Default: what the address tells, else `openai-chat`. */
  readonly api?: string;
  /** Sent as that API wants it. */
  readonly key?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is known of its models beyond what it lists; without a name, of all of them. */
  readonly rule?: Partial<GivenRule>;
  readonly models?: Readonly<Record<string, Partial<GivenRule>>>;
  readonly quirks?: Quirks;
  /** Where its list of models is, from the root of the server. Default: where its API has it. */
  readonly listPath?: string;
  /** Where is kept what answers show of its models; one for all servers of a host. Default: in memory, for as long as this lives. */
  readonly facts?: FactStore;
  /** Milliseconds that it may be silent, before its answer and within it. Default: what suits where it stands. */
  readonly idleTimeout?: number;
  /** Default: the host's own. */
  readonly fetch?: typeof fetch;
}

/** A gateway to one server in the same process: no port, no configuration, web standards only. */
export interface DirectClient extends ModelServer {
  /**
   * Answers `POST …/responses` and `GET …/models` as a gateway does, so that a client of OpenResponses that takes a `fetch`
   * works without one. Rejects only when its signal aborts.
   */
  readonly fetch: (
    input: string | URL | Request,
    init?: RequestInit,
    options?: Pick<DirectAskOptions, 'hear'>,
  ) => Promise<Response>;
}

/** UTF-16 units that ids and conversations may take. */
const storeSize = 4 * 1024 * 1024;

/** Throws DragomanError `config-invalid` for an API that does not exist, and TypeError for what is no address. */
export function createDirectClient(options: DirectClientOptions): DirectClient {
  const { name: subject = 'The server' } = options;
  const name = upstreamName;
  const wire = wireOf(options);
  const baseUrl = completeAddress(new URL(options.url), wire);
  const headers = { ...(wire.writeHeaders?.(options.key) ?? bearer(options.key)), ...lowered(options.headers) };
  const transport = createFetchTransport({ baseUrl, headers, ...(options.fetch && { fetch: options.fetch }) });
  let listed: ReadonlyMap<string, ListedModel> = new Map();
  const upstream: Upstream = {
    name,
    wire: wire.id,
    transport,
    address: baseUrl,
    quirks: { ...hostQuirks(wire, baseUrl), ...options.quirks },
    ...(wire.id === 'openai-chat' || wire.id === 'openai-responses' ? { modelQuirks: quirksOfModel } : {}),
    vendor: isVendorOfApi({ wire: wire.id, baseUrl }),
    deadlines: { ...silences(options, baseUrl), total: 0 },
    models: new Map(Object.entries(options.models ?? {}).map(([model, rule]) => [model, completeRule(options, rule)])),
    anyModel: completeRule(options, {}),
    listed: () => listed,
  };
  const setup: EngineSetup = {
    upstreams: new Map([[name, upstream]]),
    aliases: new Map(),
    maxTools: 1024,
    maxReplyBytes: 64 * 1024 * 1024,
    toolCalling: true,
    // An estimate, and only where the server does not count: tables of tokens weigh megabytes.
    countTokens: async (texts) => Math.ceil(texts.join('').length / 3.5),
    facts: options.facts ?? new MemoryFactStore(),
    callIds: new MemoryCallIdStore({ maxSize: storeSize }).of(''),
    conversations: new MemoryConversationStore({ maxSize: storeSize }).of(''),
    turns: new TurnQueue(),
    now: () => performance.now(),
    randomHex,
  };
  const startedAt = Date.now();

  const direct: DirectClient = {
    fetch: (input, init, { hear } = {}) => serveDirect(direct, { request: new Request(input, init), hear }),
    ask: (request, { signal, hear } = {}) =>
      ask({ ...request, model: `${name}/${request.model}` }, { setup, signal, hear, subject }),
    models: async ({ signal = new AbortController().signal } = {}) => {
      if (wire.models === undefined) throw new DragomanError('config-invalid', `${wire.id} has no list of models.`);
      try {
        const { listPath: path } = options;
        const listing = { listing: wire.models, ...(path === undefined ? {} : { path }) };
        listed = await readList({ upstream: name, transport, wire, ...listing, signal, before: listed });
      } catch (thrown) {
        throw thrown instanceof DragomanError ? inOwnWords(thrown, subject) : thrown;
      }
      return listModels(setup).map((entry) => {
        const told = describeModel(entry, { setup, startedAt });
        // Nobody has given it the engine's name of the server.
        return { ...told, id: entry.model, displayName: told.displayName === told.id ? entry.model : told.displayName };
      });
    },
  };
  return direct;
}

function silences({ idleTimeout, quirks }: DirectClientOptions, baseUrl: string): Silences {
  if (idleTimeout === undefined) return usualTimeouts({ baseUrl, noStream: quirks?.noStream === true });
  return { connect: idleTimeout, firstToken: idleTimeout, idle: idleTimeout };
}

function wireOf({ url, api }: DirectClientOptions): UpstreamWire {
  const id = api ?? wireOfAddress(new URL(url));
  const wire = upstreamWires.get(id);
  if (wire !== undefined) return wire;
  throw new DragomanError(
    'config-invalid',
    `There is no API "${id}". There are ${[...upstreamWires.keys()].join(', ')}.`,
  );
}

/** An address without a path means the place where servers have their API. */
function completeAddress(url: URL, { id }: UpstreamWire): string {
  if (url.pathname !== '/' || !(id.startsWith('openai-') || id === 'anthropic-messages')) return url.href;
  url.pathname = pathOfHost(url, id) ?? '/v1';
  return url.href;
}

function hostQuirks({ id }: UpstreamWire, baseUrl: string): Quirks {
  return id === 'openai-chat' ? quirksOfHost(new URL(baseUrl).hostname) : {};
}

function completeRule({ rule }: DirectClientOptions, own: Partial<GivenRule>): GivenRule {
  // What the server lists says whether a model sees images.
  const { images: _unknown, ...rest } = defaultModelRule;
  return { ...rest, ...rule, ...own };
}

function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

function lowered(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

interface Asking {
  readonly setup: EngineSetup;
  readonly signal: AbortSignal | undefined;
  readonly hear: DirectAskOptions['hear'];
  readonly subject: string;
}

/** Sees the bytes of each answer and nothing else. */
function watchOf(hear: NonNullable<DirectAskOptions['hear']>): ExchangeWatch {
  const nothing = () => {};
  return { prepared: nothing, sent: () => ({ start: nothing, data: hear, end: nothing, fail: nothing }) };
}

/** So many events wait for a reader before the upstream is paused. */
const mostWaiting = 512;

async function* ask(
  request: ChatRequest,
  { setup, signal, hear, subject }: Asking,
): AsyncGenerator<ChatEvent, void, undefined> {
  signal?.throwIfAborted();
  const waiting: ChatEvent[] = [];
  let wake = () => {};
  let reply: Answer | undefined;
  reply = answer(request, setup, {
    ...(hear === undefined ? {} : { watch: watchOf(hear) }),
    event: (event) => void waiting.push(event),
    flush: () => {
      if (waiting.length > mostWaiting) reply?.pause();
      wake();
    },
  });
  // At once, and not when somebody next reads: perhaps nobody does.
  const stop = () => {
    reply?.abort();
    wake();
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
        yield event.type === 'error' ? { ...event, error: inOwnWords(event.error, subject) } : event;
        if (event.type === 'message-end' || event.type === 'error') return;
      }
      reply.resume();
      if (waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (signal?.aborted === true) resolve();
      });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    // Of a reply that is over this stops nothing.
    reply.abort();
  }
}
