import type { ResponsesClient } from '@dragoman/openresponses-client';
import { roomForAgents } from '../models/model-information.ts';
import type { Fields } from '../read-fields.ts';
import { isObject } from '../read-fields.ts';
import type { EndpointDefinition, Settings } from '../read-settings.ts';
import type { Shape } from '../translate/to-request.ts';
import type { Connect, Connected, ConnectOptions, EngineOptions } from './connect.ts';
import { baseUrlOf, type Detected, detectApi } from './detect-api.ts';
import { keyOwner } from './read-sessions.ts';

/** An endpoint that is ready to be asked. */
export interface OpenEndpoint {
  readonly definition: EndpointDefinition;
  readonly detected: Detected;
  /** The one path of all kinds of endpoints. */
  readonly client: ResponsesClient;
  readonly hearing: Connected['hearing'];
  readonly shape: Shape;
  /** What its own routes answer with; nothing where a route is missing. */
  getJson(path: string, signal: AbortSignal): Promise<Fields | undefined>;
}

export interface EndpointsOptions {
  readonly settings: () => Settings;
  readonly credential: (owner: string) => Promise<string | undefined>;
  readonly connect: Connect;
  readonly fetch: typeof fetch;
}

/** What a connection is made of; without an engine the server speaks OpenResponses itself. */
interface Connection {
  readonly options: ConnectOptions;
  readonly engine?: Omit<EngineOptions, keyof ConnectOptions>;
}

/** So long a server may take to say what it is, in milliseconds: the picker waits for it. */
const patience = 5000;

/** Opens endpoints. What a server speaks is asked once, and asked again after `forget`; connections are kept as long. */
export class Endpoints {
  readonly #options: EndpointsOptions;
  readonly #detected = new Map<string, Promise<Detected>>();
  /** By all that they were made of. */
  readonly #clients = new Map<string, Connected>();
  /** Of "Add Models", as VS Code named them last. */
  readonly #groups = new Set<EndpointDefinition>();
  /** What is at the address that is looked at without asking. */
  #found = 'Dragoman';

  constructor(options: EndpointsOptions) {
    this.#options = options;
  }

  /** The gateway that is looked for, and what the settings name; each with an id of its own. */
  definitions(): readonly EndpointDefinition[] {
    const { gateway, endpoints } = this.#options.settings();
    const isKnown = endpoints.some(({ url }) => sameServer(url, gateway));
    return withOwnIds(gateway === '' || isKnown ? endpoints : [this.#foundAt(gateway), ...endpoints]);
  }

  /** Those, and the groups of "Add Models": everything that models come from. */
  all(): readonly EndpointDefinition[] {
    return [...this.definitions(), ...this.#groups];
  }

  /** VS Code names all groups anew. */
  forgetGroups(): void {
    this.#groups.clear();
  }

  addGroup(group: EndpointDefinition): void {
    this.#groups.add(group);
  }

  #foundAt(url: string): EndpointDefinition {
    const plain = { api: 'auto', toolCalling: 'auto', headers: {}, shape: {} } as const;
    return { id: 'local', name: this.#found, url, ...plain, from: 'found' };
  }

  /** `window`: the context window that a person wants a model to have. Throws where nothing answers at the address. */
  async open(definition: EndpointDefinition, window?: number): Promise<OpenEndpoint> {
    const { settings, credential, fetch } = this.#options;
    const key = definition.key ?? (await credential(keyOwner(definition)));
    const headers = { ...definition.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
    const detected = await this.#detect(definition, headers);
    const { api, listPath } = detected;
    if (definition.from === 'found') this.#found = api === 'ollama-chat' ? 'Ollama' : 'Dragoman';
    const { connectSeconds, idleSeconds } = settings();
    const options: ConnectOptions = {
      name: this.named(definition).name,
      baseUrl: detected.baseUrl,
      key,
      headers: definition.headers,
      connectTimeout: connectSeconds * 1000,
      ...(idleSeconds === undefined ? {} : { idleTimeout: idleSeconds * 1000 }),
    };
    const { toolCalling } = definition;
    // Only Ollama is told how much room to make; all other servers have it from their start.
    const room =
      api === 'ollama-chat' ? { leastWindow: roomForAgents, ...(window === undefined ? {} : { window }) } : {};
    const list = listPath === undefined ? {} : { listPath };
    return {
      definition: this.named(definition),
      detected,
      ...this.#connected(
        api === 'gateway' || api === 'responses'
          ? { options }
          : { options, engine: { api, toolCalling, ...room, ...list } },
      ),
      shape: shapeOf(definition, api),
      getJson: async (path, signal) => {
        const response = await fetch(detected.baseUrl + path, { headers, signal });
        const body: unknown = response.ok ? await response.json() : undefined;
        return isObject(body) ? body : undefined;
      },
    };
  }

  /** With the name of what was found. */
  named(definition: EndpointDefinition): EndpointDefinition {
    return definition.from === 'found' ? { ...definition, name: this.#found } : definition;
  }

  /** What servers speak is asked again. */
  forget(): void {
    this.#detected.clear();
    this.#clients.clear();
  }

  #connected(made: Connection): Connected {
    const { connect } = this.#options;
    const { options, engine } = made;
    const key = JSON.stringify(made);
    const known = this.#clients.get(key);
    const connected =
      known ?? (engine === undefined ? connect.responses(options) : connect.engine({ ...options, ...engine }));
    this.#clients.set(key, connected);
    return connected;
  }

  async #detect(definition: EndpointDefinition, headers: Readonly<Record<string, string>>): Promise<Detected> {
    const { api, url } = definition;
    if (api !== 'auto') return { api, baseUrl: baseUrlOf(url, api) };
    const known = this.#detected.get(url);
    if (known !== undefined) return known;
    const asked = detectApi(url, { fetch: this.#options.fetch, headers, patience });
    this.#detected.set(url, asked);
    // A server that is not there yet is asked again the next time.
    asked.catch(() => this.#detected.delete(url));
    return asked;
  }
}

/** Models are told apart by the ids of their endpoints, so of two with one name the second gets a number. */
function withOwnIds(definitions: readonly EndpointDefinition[]): readonly EndpointDefinition[] {
  const taken = new Set<string>();
  return definitions.map((definition) => {
    let { id } = definition;
    for (let count = 2; taken.has(id); count += 1) id = `${definition.id}-${count}`;
    taken.add(id);
    return { ...definition, id };
  });
}

/** Whether two addresses lead to the same server: `localhost` is this machine, too. */
function sameServer(one: string, other: string): boolean {
  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.replace('localhost', '127.0.0.1') : url);
  return hostOf(one) === hostOf(other);
}

/**
 * Where a server leaves room, what is known to work. Vercel's gateway passes `instructions` on to OpenAI's models only; our
 * own engine reads thoughts of earlier rounds, where others refuse those that they have not sealed.
 */
function shapeOf(definition: EndpointDefinition, api: Detected['api']): Shape {
  const usual: Shape = { thoughts: api === 'responses' ? 'sealed' : 'all' };
  return { ...usual, ...(isVercel(definition) ? { systemPrompt: 'both' } : {}), ...definition.shape };
}

export function isVercel({ url }: EndpointDefinition): boolean {
  return new URL(url).hostname === 'ai-gateway.vercel.sh';
}
