import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { DragomanError } from '@dragoman/core';
import type { WebSocket } from 'ws';
import { RequestNote } from '../log/request-note.ts';
import { allowOrigin, answerOptions } from './cors.ts';
import type { Gateway, HttpExchange } from './exchange.ts';
import { refuseStrangers } from './refuse-strangers.ts';
import { findRoute, type Match, type Route, wireAt } from './routes.ts';
import { sendError } from './send.ts';
import { whyUnserved } from './unserved.ts';

/** Takes one request from its headers to its log line. Never throws. */
export function serveRequest(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  upgrade?: (exchange: HttpExchange, opened: (socket: WebSocket) => void, largest?: number) => void,
): void {
  const startedAt = performance.now();
  const note = new RequestNote({
    requestId: requestIdOf(request, gateway),
    method: request.method ?? '',
    route: 'unknown',
  });
  const exchange: HttpExchange = {
    gateway,
    request,
    response,
    headers: request.headers,
    note,
    wire: wireAt(request.url ?? '/', request.headers),
    elapsed: () => performance.now() - startedAt,
    refuse: (thrown) => sendError(exchange, thrown),
    breakOff: (error) => sendError(exchange, error),
    upgrade: upgrade && ((opened, largest) => upgrade(exchange, opened, largest)),
    plan: undefined,
    identifyFirst: undefined,
    recorder: undefined,
    trace: undefined,
  };
  gateway.running.begin(exchange);
  response.on('close', () => finish(exchange));
  // Without a listener, one reply that can no longer be written would end the process and all other replies with it.
  response.on('error', () => response.destroy());
  response.setHeader('x-request-id', note.requestId);
  answerRequest(exchange).catch((thrown: unknown) => exchange.refuse(thrown));
}

async function answerRequest(exchange: HttpExchange): Promise<void> {
  const { gateway, request, response } = exchange;
  allowOrigin(request, response, gateway.config);
  if (gateway.surplus.has(request.socket)) {
    response.setHeader('connection', 'close');
    throw new DragomanError('too-many-connections', 'Too many connections are open. Try again in a moment.', {
      retryAfter: 1,
    });
  }
  const match = findRoute(request.url ?? '/');
  if (match === undefined) throw new DragomanError('route-unknown', whyNoRoute(request.url ?? '/'));
  exchange.note.route = match.path;
  if (match.route.wire !== undefined) exchange.wire = match.route.wire;
  const { requestIdHeader } = exchange.wire;
  if (requestIdHeader !== undefined) response.setHeader(requestIdHeader, exchange.note.requestId);
  const methods = methodsOf(match.route);
  if (request.method === 'OPTIONS') {
    answerOptions(request, response, methods);
    return;
  }
  if (exchange.upgrade !== undefined && (match.route.openSocket === undefined || request.method !== 'GET')) {
    throw new DragomanError('method-not-allowed', `${match.path} is not a WebSocket; GET /v1/responses is.`);
  }
  if (exchange.upgrade === undefined && !methods.includes(request.method ?? '')) {
    response.setHeader('allow', methods.join(', '));
    throw new DragomanError('method-not-allowed', `${match.path} takes ${match.route.method}, not ${request.method}.`);
  }
  if (gateway.counts.draining && match.route.whileDraining !== true) {
    throw new DragomanError('draining', 'The gateway is shutting down and takes no new requests.');
  }
  authenticate(exchange, match);
  if (exchange.upgrade !== undefined) match.route.openSocket?.(exchange, match.parameter);
  else if (request.method === 'DELETE') await match.route.delete?.(exchange, match.parameter);
  else await match.route.answer(exchange, match.parameter);
}

function methodsOf(route: Route): readonly string[] {
  const methods = route.method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
  return [...methods, ...(route.delete === undefined ? [] : ['DELETE']), 'OPTIONS'];
}

function authenticate({ gateway, request, note, upgrade }: HttpExchange, match: Match): void {
  if (match.route.asksItself === true) return;
  const { auth, keys } = gateway.config;
  if (auth.mode === 'off' || keys.length === 0) {
    refuseStrangers(request.headers, gateway.config);
    return;
  }
  if (auth.publicRoutes.includes(match.path)) {
    // Browsers keep answers from pages that may not read them, but not what comes through a WebSocket.
    if (upgrade !== undefined) refuseStrangers(request.headers, gateway.config);
    return;
  }
  note.key = gateway.authenticate(request.headers.authorization, first(request.headers['x-api-key']));
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

function finish(exchange: HttpExchange): void {
  const { gateway, response, note } = exchange;
  // A stream that the client left has sent its headers, but nobody got the end.
  const gone = !response.writableFinished && note.errorCode === undefined;
  gateway.running.end(exchange, gone ? 'client-gone' : response.statusCode);
}

/** The client's own id if it is harmless in a header and in a log, else a new one. */
function requestIdOf(request: IncomingMessage, gateway: Gateway): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given;
  return `req_${gateway.setup.randomHex(16)}`;
}

function whyNoRoute(url: string): string {
  const path = url.split('?')[0] ?? '';
  const reason = whyUnserved(path);
  if (reason !== undefined) return `${shown(path)} is not served here: ${reason}`;
  const hint = isPrefixed(path)
    ? ' Leave /v1 out of the base URL of this client: what it asks for has its own prefix.'
    : ' The APIs are at /v1/chat/completions, /v1/responses, /v1/messages and /api/chat, and /v1/models lists the models.';
  return `There is no route ${shown(path)}.${hint}`;
}

/** A client that adds `/v1` or `/api` itself was given a base URL that ends in `/v1`. */
function isPrefixed(path: string): boolean {
  return (
    (path.startsWith('/v1/v1/') || path.startsWith('/v1/api/')) && findRoute(path.slice('/v1'.length)) !== undefined
  );
}

function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path);
}
