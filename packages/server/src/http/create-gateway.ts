import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { type ClientWire, createOpenaiChatClient, type KeptFacts } from '@dragoman/core';
import { resolveSecret } from '../config/check-references.ts';
import { type GatewaySetup, randomHex } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import { openStores, type Stores } from '../open-stores.ts';
import type { Siblings } from '../processes/siblings.ts';
import { createAuthenticate } from './authenticate.ts';
import { BackgroundRuns } from './background-run.ts';
import { createCallerSetups } from './caller-setups.ts';
import type { Gateway } from './exchange.ts';
import { ownHealth } from './health.ts';
import { listen } from './listen.ts';
import { type Counts, Running } from './running.ts';
import { serveRequest } from './serve-request.ts';
import { boundConnections, Shutdown } from './shutdown.ts';
import { Silence } from './silence.ts';
import { serveUpgrades, upgradeOptions } from './upgrade.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly setup: GatewaySetup;
  readonly log: Log;
  readonly redact: Redact;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: those that the configuration names. */
  readonly stores?: Stores;
  /** Looks for upstreams that nobody configured, and reloads where they have changed. Default: nobody looks. */
  readonly look?: () => Promise<void>;
  /** The other processes that serve the same port. Default: there are none. */
  readonly siblings?: Siblings | undefined;
}

export interface RunningGateway {
  /** Such as `http://127.0.0.1:11434`. */
  readonly url: string;
  readonly port: number;
  /** Whether anything that was asked is not over yet. */
  readonly isBusy: () => boolean;
  /**
   * Refuses new requests with 503, waits for the running ones for at most `timeouts.drain`, then closes. Calling it again
   * changes nothing.
   */
  drain(): Promise<void>;
  /** Ends running replies with the error `draining`, each in the terms of its wire, and closes. */
  close(): Promise<void>;
  /**
   * Serves new requests by another configuration. What runs goes on by the one before; WebSockets close as soon as nothing
   * runs on them, and workers connect again. What is opened at the start stays: a change of it is a line in the log.
   */
  reload(by: Pick<GatewayOptions, 'config' | 'setup'>): void;
}

/** What is opened at the start and read again only by a new process. */
const openedOnce = ['listen', 'store', 'retention', 'records', 'log'] as const;

/**
 * Opens the stores and the port, and serves. Rejects with a StoreError when the stores cannot be used, with Node's own
 * error when it cannot listen, such as `EADDRINUSE`.
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, log } = options;
  const counts: Counts = { startedAt: Date.now(), active: 0, requests: 0, errors: 0, draining: false };
  const stores = options.stores ?? (await openStoresFor(options));
  const shared: Shared = {
    stores,
    background: new BackgroundRuns({
      most: config.limits.backgroundResponses,
      isShared: config.keys.length > 1,
      maxSize: config.limits.responseBytes,
    }),
    log,
    redact: options.redact,
    counts,
    running: new Running({ counts, log }),
    sockets: new Set(),
    surplus: new WeakSet(),
    siblings: options.siblings,
  };
  const freshen = async () => {
    await options.look?.();
    await setup.discovery.freshen();
    return gateway;
  };
  let gateway = createGateway(options, { ...shared, freshen });
  let { setup } = options;
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000, ...upgradeOptions }, (request, response) =>
    serveRequest(gateway, request, response),
  );
  serveUpgrades(server, () => gateway);
  boundConnections(server, shared.surplus);
  const shutdown = new Shutdown(server, () => gateway);
  const { siblings } = options;
  const place = siblings === undefined ? config.listen : { host: '127.0.0.1', port: 0 };
  await listen(server, place).catch(async (thrown: unknown) => {
    await stores.close();
    throw thrown;
  });
  if (siblings !== undefined) joinSiblings(siblings, { server, gateway: () => gateway });
  begin(setup, log);
  // Without a listener, one connection that cannot be accepted would end the process and all replies with it.
  server.on('error', ({ message }) => log.error(`a connection was not accepted: ${message}`));
  const port = siblings?.port ?? addressOf(server).port;
  // What was stored while the last replies ended is written before the process may end.
  let rest: Promise<void> | undefined;
  const closeRest = () => {
    rest ??= stores.close().then(() => setup.close());
    return rest;
  };
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${hostInUrl(config.listen.host)}:${port}`,
    port,
    isBusy: () => counts.active > 0,
    drain() {
      draining ??= shutdown.drain().then(closeRest);
      return draining;
    },
    close() {
      closing ??= shutdown.breakOff().then(closeRest);
      return closing;
    },
    reload(by) {
      if (counts.draining) return;
      const [before, setupBefore] = [gateway, setup];
      gateway = createGateway({ ...options, ...by }, { ...shared, freshen });
      setup = by.setup;
      begin(setup, log);
      shared.running.retire(before, () => void setupBefore.close());
      for (const socket of shared.sockets) socket.goAway();
      const waiting = openedOnce.filter((name) => !isDeepStrictEqual(by.config[name], config[name]));
      if (waiting.length > 0) log.warn(`what has changed in ${waiting.join(', ')} waits for the next start`);
    },
  };
}

function openStoresFor(options: GatewayOptions): Promise<Stores> {
  const { siblings } = options;
  const learnt = (kept: KeptFacts) => siblings?.reportLearnt(kept);
  return openStores({ ...options, randomHex, shared: siblings !== undefined, learnt });
}

/** What stays when the configuration is read anew. */
type Shared = Pick<
  Gateway,
  'stores' | 'background' | 'log' | 'redact' | 'counts' | 'running' | 'sockets' | 'surplus' | 'siblings'
>;

function createGateway({ config, setup, env }: GatewayOptions, shared: Shared & Pick<Gateway, 'freshen'>): Gateway {
  const own = { ...setup.setup, facts: shared.stores.facts };
  const keys = config.keys.map(({ name, key }) => ({ name, key: resolveSecret(key, env) }));
  return {
    ...shared,
    config,
    setup: own,
    identify: (upstream) => setup.discovery.identify(upstream),
    setupOf: createCallerSetups({ setup: own, stores: shared.stores, keys: config.keys }),
    credentials: setup.credentials,
    workers: setup.workers,
    chat: chatWire(config),
    silence: createSilence(config),
    authenticate: createAuthenticate(keys),
  };
}

/** Takes the connections that come to the port which all processes serve, and answers what the others ask. */
function joinSiblings(
  siblings: Siblings,
  { server, gateway }: { readonly server: Server; readonly gateway: () => Gateway },
) {
  const { port } = addressOf(server);
  let open = 0;
  siblings.onConnection((socket) => {
    if (open >= (server.maxConnections ?? Number.POSITIVE_INFINITY)) {
      socket.destroy();
      return;
    }
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
    // As the server sets up those that it accepts itself.
    socket.setNoDelay(true);
    socket.allowHalfOpen = true;
    server.emit('connection', socket);
  });
  siblings.onLearnt((kept) => gateway().stores.facts.restore(kept));
  siblings.answer((question) => {
    if (question.about === 'health') return { health: ownHealth(gateway()) };
    return gateway().background.find(question.id, question.owner) === undefined ? {} : { port };
  });
}

function begin({ credentials, discovery, setup }: GatewaySetup, log: Log): void {
  // Tells the log at once of what will end soon.
  credentials.status();
  discovery.start({ now: setup.now, log });
}

function chatWire(config: Config): ClientWire {
  const { beginToolCalls, emptyStringContent, conversationField } = config.clientWires['openai-chat'];
  return createOpenaiChatClient({
    emitBeginToolCalls: beginToolCalls,
    emptyContent: emptyStringContent ? '' : null,
    conversationField,
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Unless it is configured, a reply that has not begun may be silent for as long as its client waits. */
function createSilence({ timeouts: { keepAlive } }: Config): Silence {
  return new Silence({ after: keepAlive ?? 15_000, first: keepAlive, now: () => performance.now() });
}
