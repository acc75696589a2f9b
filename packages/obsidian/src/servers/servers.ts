import { errorText } from '@dragoman/agent';
import {
  createDirectClient,
  type DirectClient,
  type DirectClientOptions,
  type FactStore,
  type FoundServer,
  findServers,
  type OpenServer,
  openServer,
} from '@dragoman/core';
import type { ServerSettings, Settings } from '../settings.ts';
import type { Connection, ModelChoice, ModelList } from '../view/host.ts';

/** Milliseconds that a server may take to list its models; a gateway may wait for its upstreams. */
const patience = 15_000;
/** Below this many tokens neither tools nor notes have room. */
const leastWindow = 4_096;

export interface ServersOptions {
  readonly fetch: typeof fetch;
  /** A request that is no page's, so that no answer is forbidden; it asks servers what they are. */
  readonly fetchWhole: typeof fetch;
  readonly settings: () => Settings;
  /** The key of that name; empty where there is none. */
  readonly secret: (name: string) => string;
  /** What answers have shown of models. */
  readonly facts?: FactStore;
}

/** The model servers of the settings, and those that are simply there. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #open = new Map<string, OpenServer>();
  readonly #directs = new Map<string, DirectClient>();
  #choices: readonly ModelChoice[] = [];
  /** What stood on this device when it was last looked at. */
  #found: readonly FoundServer[] = [];

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /** What was found last. */
  get choices(): readonly ModelChoice[] {
    return this.#choices;
  }

  /** The models of all servers. What goes wrong with one hides no other. */
  async list(): Promise<ModelList> {
    const { servers, looksAround } = this.#options.settings();
    const own = servers.filter(({ url }) => url.trim() !== '');
    const named = own.map((server) => this.#list(server, true));
    if (looksAround) this.#found = await findServers({ fetch: this.#options.fetchWhole, before: this.#found });
    const around = (looksAround ? this.#found : [])
      .filter((found) => found.wantsKey !== true && !own.some((server) => sameOrigin(server.url, found.url)))
      .map(({ url }) => this.#list(unnamed(url), false));
    const asked = await Promise.all([...named, ...around]);
    this.#choices = asked.flatMap(({ choices }) => choices);
    const problems = asked.flatMap((each) => each.problems);
    if (this.#choices.length === 0 && problems.length === 0) {
      const locked = (looksAround ? this.#found : []).filter(({ wantsKey }) => wantsKey === true).map(wantsKeyText);
      problems.push(...(locked.length === 0 ? [nothingHere] : locked));
    }
    return { choices: this.#choices, problems };
  }

  /** Looks for servers on this device: sentences that say what is there. */
  async lookAround(): Promise<string> {
    this.#found = await findServers({ fetch: this.#options.fetchWhole });
    const told = this.#found.map(async (server) =>
      server.wantsKey === true ? wantsKeyText(server) : this.test(unnamed(server.url)),
    );
    return told.length === 0 ? nothingHere : (await Promise.all(told)).join(' ');
  }

  /** Asks one server for its models: a sentence that says how that went. */
  async test(server: ServerSettings): Promise<string> {
    const { choices, problems } = await this.#list(server, true);
    return problems[0] ?? `${server.url} is connected. Models: ${choices.map(({ name }) => name).join(', ')}.`;
  }

  connect({ key, name, server }: ModelChoice): Connection {
    const { servers } = this.#options.settings();
    const own = servers.find(({ url }) => keyOf(url, name) === key) ?? unnamed(server);
    const opened = (signal: AbortSignal) => this.#open.get(this.#idOf(own)) ?? this.#ask(own, signal);
    return {
      settings: { model: name },
      model: {
        // Perhaps its server has not been asked for its models yet.
        ask: async function* ask(request, options) {
          yield* (await opened(options.signal)).direct.ask(request, options);
        },
      },
    };
  }

  async #list(
    server: ServerSettings,
    isOwn: boolean,
  ): Promise<{ choices: readonly ModelChoice[]; problems: string[] }> {
    const { url } = server;
    try {
      const { models } = await this.#ask(server, AbortSignal.timeout(patience));
      if (models.length === 0) {
        return { choices: [], problems: [`${url} has no models yet. Load one there (Ollama: ollama pull qwen3).`] };
      }
      const choices = models.map(({ id, contextWindow }) => ({
        key: keyOf(url, id),
        name: id,
        server: url,
        ...(contextWindow !== undefined && { window: contextWindow }),
      }));
      return { choices, problems: choices.filter(isSmall).map(tooSmall) };
    } catch (error) {
      // Nobody asked for a server that is perhaps not there.
      if (!isOwn) return { choices: [], problems: [] };
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        return {
          choices: [],
          problems: [`${url} did not answer in ${patience / 1000} seconds. Is it busy, or the address wrong?`],
        };
      }
      return { choices: [], problems: [errorText(error, { server: url, model: '' })] };
    }
  }

  async #ask(server: ServerSettings, signal: AbortSignal): Promise<OpenServer> {
    const { fetchWhole } = this.#options;
    const { url, taught } = server;
    const id = this.#idOf(server);
    const found = this.#found.find((each) => each.url === url);
    const key = this.#keyOf(server);
    const access = {
      ...(found === undefined ? {} : { kind: found.kind, api: found.api }),
      ...(found?.listPath === undefined ? {} : { listPath: found.listPath }),
      ...(key === '' ? {} : { key }),
      ...(taught ? { rule: { toolCalling: 'text' as const } } : {}),
    };
    const opened = await openServer(
      { url, ...access },
      { signal, fetch: fetchWhole, create: (options) => this.#direct(options) },
    );
    this.#open.set(id, opened);
    return opened;
  }

  /** Kept, since it knows the ids of calls that a model gave. */
  #direct(options: DirectClientOptions): DirectClient {
    const id = JSON.stringify(options);
    const known = this.#directs.get(id);
    if (known !== undefined) return known;
    const { fetch, facts } = this.#options;
    const direct = createDirectClient({ ...options, fetch, ...(facts !== undefined && { facts }) });
    this.#directs.set(id, direct);
    return direct;
  }

  #keyOf({ secret }: ServerSettings): string {
    return secret === '' ? '' : this.#options.secret(secret);
  }

  /** What is asked otherwise is another server. */
  #idOf(server: ServerSettings): string {
    return JSON.stringify([server.url, this.#keyOf(server), server.taught]);
  }
}

const nothingHere =
  'No model server is running on this device. Start Ollama, LM Studio, llama.cpp or a Dragoman gateway, or add one of another computer by its address.';

function wantsKeyText({ name, url }: FoundServer): string {
  return `${name} at ${url} wants a key. Add it as a server in the settings, with its key.`;
}

/** A server of which nothing but its address is known. */
export function unnamed(url: string): ServerSettings {
  return { url, secret: '', taught: false };
}

/** What a key says, for as long as its server has not answered. */
export function choiceOf(key: string): ModelChoice | undefined {
  const space = key.indexOf(' ');
  return space === -1 ? undefined : { key, server: key.slice(0, space), name: key.slice(space + 1) };
}

export function keyOf(url: string, model: string): string {
  return `${url} ${model}`;
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function isSmall({ window = leastWindow }: ModelChoice): boolean {
  return window < leastWindow;
}

function tooSmall({ name, window }: ModelChoice): string {
  return `${name} reads only ${window} tokens, too few for tools and notes. Give it a larger window at its server (Ollama: num_ctx), or take another model.`;
}
