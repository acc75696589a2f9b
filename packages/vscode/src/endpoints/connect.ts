import { createDirectClient, type DirectClient, type FactStore, isNearby } from '@dragoman/core';
import { createClient, type Log, type ResponsesClient } from '@dragoman/openresponses-client';
import type { Logger } from '../log/logger.ts';
import { patientFetch } from './patient-fetch.ts';

export {
  type FactStore,
  type FoundServer,
  findServers,
  identifyServer,
  isNearby,
  type KeptFacts,
  MemoryFactStore,
  type ModelFacts,
  type ModelKey,
} from '@dragoman/core';

/** What a connection is made of. */
export interface ConnectOptions {
  /** What the log and errors call it. */
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly connectTimeout: number;
  /** Absent: what suits where the server stands. */
  readonly idleTimeout?: number;
}

export interface EngineOptions extends ConnectOptions {
  /** The API that the server speaks: the id of a wire. */
  readonly api: string;
  /** `auto`, `native`, `text`, or the dialect that its models write calls in. */
  readonly toolCalling: string;
  /** The context window that the server is asked to give a model, in tokens. */
  readonly window?: number;
  /** The one it is asked for without that, where it would give less; Ollama's own is mostly 4096. */
  readonly leastWindow?: number;
  /** Where its list of models is, from the root of the server. Default: where its API has it. */
  readonly listPath?: string;
}

/** The longest silence that a client of OpenResponses waits for, in milliseconds. */
const longestSilence = 3_600_000;

/** Gets the bytes of an answer as they come, before calls are read in them. */
export type Hear = (chunk: Uint8Array) => void;

export interface Connected {
  readonly client: ResponsesClient;
  /** The same client for one turn, of which somebody wants to know what the model wrote. */
  hearing(hear: Hear): ResponsesClient;
}

/** Makes connections: to a server that speaks OpenResponses itself, or through the engine inside the extension. */
export interface Connect {
  responses(options: ConnectOptions): Connected;
  engine(options: EngineOptions): Connected;
}

/**
 * Connections of the client package, whose lines go into our log. The engine inside answers the same client in place of the
 * network, so that beyond this file every endpoint is a server of OpenResponses.
 */
export function connectWith({ log, facts }: { readonly log: Logger; readonly facts: FactStore }): Connect {
  return {
    responses: ({ baseUrl, ...options }) => {
      const client = createClient({ baseUrl, ...fetchFor(baseUrl), ...clientOptions(options, log) });
      // What a model behind another server wrote, only that knows.
      return { client, hearing: () => client };
    },
    engine: ({ baseUrl, api, toolCalling, window, leastWindow, listPath, key, headers, ...options }) => {
      const direct = createDirectClient({
        name: options.name,
        ...fetchFor(baseUrl),
        url: baseUrl,
        api,
        headers,
        facts,
        ...(options.idleTimeout === undefined ? {} : { idleTimeout: options.idleTimeout }),
        rule: {
          toolCalling: readToolCalling(toolCalling),
          ...(window === undefined ? {} : { contextWindow: window }),
          ...(leastWindow === undefined ? {} : { leastWindow }),
        },
        ...(listPath === undefined ? {} : { listPath }),
        ...(key === undefined ? {} : { key }),
      });
      // The engine has the key, and watches the silences; nothing of it leaves with requests that stay in here.
      const inside = clientOptions({ ...options, idleTimeout: longestSilence, key: undefined, headers: {} }, log);
      const ask = listedFirst(direct);
      const clientOf = (hear?: Hear) =>
        createClient({
          baseUrl: 'http://engine.invalid/v1',
          fetch: (input, init) => ask(input, init, hear),
          ...inside,
        });
      return { client: clientOf(), hearing: clientOf };
    },
  };
}

/** What is nearby needs no proxy, and may be silent for long. */
function fetchFor(baseUrl: string): { readonly fetch?: typeof patientFetch } {
  return isNearby(new URL(baseUrl).hostname) ? { fetch: patientFetch } : {};
}

/** How calls are read goes by what the server lists of a model, so its list is asked before the first turn. */
function listedFirst(direct: DirectClient) {
  let listed: Promise<unknown> | undefined;
  return async (input: string, init: RequestInit, hear: Hear | undefined): Promise<Response> => {
    if (init.method === 'GET') {
      const answer = await direct.fetch(input, init);
      if (answer.ok) listed ??= Promise.resolve();
      return answer;
    }
    // A server without a list is asked nevertheless.
    listed ??= direct.models({}).catch(() => undefined);
    await listed;
    return direct.fetch(input, init, hear === undefined ? {} : { hear });
  };
}

function readToolCalling(word: string): 'auto' | 'native' | 'text' | { readonly dialect: string } {
  return word === 'auto' || word === 'native' || word === 'text' ? word : { dialect: word };
}

function clientOptions({ name, key, headers, ...times }: Omit<ConnectOptions, 'baseUrl'>, log: Logger) {
  const heard: Log = ({ level, message, data }) => log[level](`${name}: ${message}`, data);
  return { apiKey: key, headers, ...times, log: heard };
}
