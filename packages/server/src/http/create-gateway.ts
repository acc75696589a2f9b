import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type ClientWire, createOpenaiChatClient, GatewayError, MemoryResponseStore } from '@dragoman/core';
import { resolveSecret } from '../config/check-references.ts';
import type { GatewaySetup } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Counts, Gateway } from './exchange.ts';
import { sendError } from './send.ts';
import { serveRequest } from './serve-request.ts';
import { Silence } from './silence.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly setup: GatewaySetup;
  readonly log: Log;
  readonly redact: Redact;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RunningGateway {
  /** Such as `http://127.0.0.1:11434`. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new requests with 503, waits for the running ones for at most `timeouts.drain`, then closes. Calling it again
   * changes nothing.
   */
  drain(): Promise<void>;
  /** Ends running replies with the error `draining`, each in the terms of its wire, and closes. */
  close(): Promise<void>;
}

/** Opens the port and serves. Rejects with Node's own error when it cannot listen, such as `EADDRINUSE`. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, env } = options;
  const counts: Counts = { startedAt: Date.now(), active: 0, requests: 0, errors: 0, draining: false };
  const keys = config.keys.map(({ name, key }) => ({ name, key: resolveSecret(key, env) }));
  const gateway: Gateway = {
    config,
    setup: options.setup.setup,
    chat: chatWire(config),
    responses: new MemoryResponseStore({ maxSize: config.limits.responseBytes }),
    log: options.log,
    redact: options.redact,
    silence: new Silence({ after: config.timeouts.keepAlive, now: () => performance.now() }),
    authenticate: createAuthenticate(keys),
    counts,
    exchanges: new Set(),
  };
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
    serveRequest(gateway, request, response);
    // After the exchange's own listener, which counts it as over.
    response.once('close', () => idle(server, counts));
  });
  await listen(server, config);
  const { port } = addressOf(server);
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    counts.draining = true;
    await breakOffAll(server, gateway);
    await options.setup.close();
  };
  return {
    url: `http://${hostInUrl(config.listen.host)}:${port}`,
    port,
    drain() {
      counts.draining = true;
      draining ??= untilIdle(server, gateway).then(() => options.setup.close());
      return draining;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function chatWire(config: Config): ClientWire {
  const { beginToolCalls, emptyStringContent, errorPosition } = config.clientWires['openai-chat'];
  return createOpenaiChatClient({
    emitBeginToolCalls: beginToolCalls,
    emptyContent: emptyStringContent ? '' : null,
    errorPosition,
  });
}

function listen(server: Server, { listen: { host, port } }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * The port stays open until the last reply is over, so that late clients read 503 instead of a refused connection.
 * Replies that take longer than `timeouts.drain` are broken off.
 */
async function untilIdle(server: Server, gateway: Gateway): Promise<void> {
  const { counts, config, log } = gateway;
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const { drain } = config.timeouts;
  const expire = () => {
    const running = `${counts.active} running ${counts.active === 1 ? 'request' : 'requests'}`;
    log.warn(`${running} broken off after ${drain} ms, see "timeouts.drain"`);
    void breakOffAll(server, gateway);
  };
  const timer = drain === 0 ? undefined : setTimeout(expire, drain);
  idle(server, counts);
  await closed;
  clearTimeout(timer);
}

/** Milliseconds that clients have to take the error that ends their replies. */
const lastWords = 1_000;

async function breakOffAll(server: Server, { exchanges }: Gateway): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const exchange of exchanges) {
    const error = new GatewayError('draining', 'The gateway is shutting down and breaks this reply off.');
    if (exchange.breakOff === undefined) sendError(exchange, error, exchange.wire);
    else exchange.breakOff(error);
  }
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), lastWords);
  await closed;
  clearTimeout(timer);
}

function idle(server: Server, counts: Counts): void {
  if (!counts.draining || counts.active > 0) return;
  if (server.listening) server.close();
  server.closeIdleConnections();
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
