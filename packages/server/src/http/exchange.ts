import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type ClientWire, type EngineSetup, type ExchangeWatch, type Plan, watchBoth } from '@dragoman/core';
import type { WebSocket } from 'ws';
import type { Credentials } from '../config/credentials.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import type { ReplyTrace } from '../log/trace-exchange.ts';
import type { Stores } from '../open-stores.ts';
import type { Siblings } from '../processes/siblings.ts';
import type { Recorder } from '../records/recorder.ts';
import { KeptResponses } from '../stores/kept-responses.ts';
import type { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import type { Authenticate } from './authenticate.ts';
import type { BackgroundRuns } from './background-run.ts';
import type { Counts, Running, RunningRequest } from './running.ts';
import type { Silence } from './silence.ts';

/** What all requests share. */
export interface Gateway {
  readonly config: Config;
  readonly setup: EngineSetup;
  /** The same for one caller, with what is kept for that caller alone. */
  readonly setupOf: (owner: string) => EngineSetup;
  /**
   * For the routes that tell of models: asks for what is too old to be told, and waits for it a short while. Resolves with
   * the gateway as it is then.
   */
  readonly freshen: () => Promise<Gateway>;
  /** For a request that depends on what its server is: asks that if nobody has, and waits for it a short while. */
  readonly identify: (upstream: string) => Promise<void>;
  readonly credentials: Credentials;
  /** The upstreams whose workers connect, by name. */
  readonly workers: ReadonlyMap<string, WorkerUpstream>;
  /** Chat Completions as the configuration wants them written. */
  readonly chat: ClientWire;
  /** Responses that nobody has to wait for. */
  readonly background: BackgroundRuns;
  /** What is kept beyond a request. */
  readonly stores: Stores;
  readonly log: Log;
  readonly redact: Redact;
  readonly silence: Silence;
  readonly authenticate: Authenticate;
  readonly counts: Counts;
  /** Everything that is not over yet. */
  readonly running: Running;
  /** Every open WebSocket. */
  readonly sockets: Set<OpenSocket>;
  /** Connections beyond what the process has room for: what they ask is refused. */
  readonly surplus: WeakSet<object>;
  /** The other processes that serve the same port; absent where this one serves alone. */
  readonly siblings: Siblings | undefined;
}

/** A connection that outlives its requests. */
export interface OpenSocket {
  /** Closes it as soon as nothing runs on it. */
  goAway(): void;
  /** Ends it at once. */
  terminate(): void;
}

/** One request for a reply, however it came, while it lasts. */
export interface Exchange extends RunningRequest {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  /** Tells an error in place of a reply, in the terms of the caller's wire. */
  refuse(thrown: unknown): void;
  /** Where it goes; absent where that depends on `identifyFirst`. */
  plan?: Plan | undefined;
  /** The upstream whose server is asked what it is before the request is planned. */
  identifyFirst?: string | undefined;
  /** Records it; absent where nothing is recorded. */
  recorder?: Recorder | undefined;
  /** Logs it in detail; absent where the log takes no details. */
  trace?: ReplyTrace | undefined;
}

/** A request by HTTP and its answer. */
export interface HttpExchange extends Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** In whose terms errors are told: as its address looks, until the route is known. */
  wire: ClientWire;
  /**
   * Opens the WebSocket that the request asks for, or refuses it; absent where it asks for none. `largest`: the most bytes
   * of a message, `limits.bodyBytes` if nothing else is said.
   */
  readonly upgrade?: ((opened: (socket: WebSocket) => void, largest?: number) => void) | undefined;
}

/** What sees the exchange with the upstream, if anything does. */
export function watchOf({ recorder, trace }: Exchange): ExchangeWatch | undefined {
  return recorder !== undefined && trace !== undefined ? watchBoth(recorder, trace.watch) : (recorder ?? trace?.watch);
}

/** Whose things a request may see: keys do not see each other's, and without keys all callers are one. */
export function ownerOf({ note }: Exchange): string {
  return note.key ?? '';
}

/** The responses that whoever asked may read and continue; `connection` is the name of a WebSocket that keeps what is not stored. */
export function keptFor(exchange: Exchange, connection?: string): KeptResponses {
  const { responses: store, held } = exchange.gateway.stores;
  return new KeptResponses({
    store,
    held,
    owner: ownerOf(exchange),
    ...(connection === undefined ? {} : { connection }),
  });
}
