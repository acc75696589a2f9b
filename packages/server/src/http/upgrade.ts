import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DragomanError } from '@dragoman/core';
import type { WebSocket } from 'ws';
import type { Gateway } from './exchange.ts';
import { serveRequest } from './serve-request.ts';

type WebSockets = typeof import('ws');

/** The library is loaded for the first WebSocket: most gateways have none. */
const load = createRequire(import.meta.url);

/**
 * What `createServer` is to be told. Node 24.9 and later leave all other requests as they are; Node 26 gives them, with a body that is still
 * on its way, no connection that could be given back.
 */
export const upgradeOptions: object = { shouldUpgradeCallback: wantsWebSocket };

/**
 * Serves requests that want to become WebSockets: up to the answer they are requests like all others, with the same
 * routes, keys, refusals and log lines. Requests for any other protocol are served as if they had not asked, as HTTP
 * allows: Java's client offers HTTP/2 in every first request.
 */
export function serveUpgrades(server: Server, gateway: () => Gateway): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, a connection that breaks would end the process.
    socket.on('error', () => socket.destroy());
    if (!(socket instanceof Socket)) socket.destroy();
    else if (!wantsWebSocket(request)) serveAnyway(server, { request, socket, head });
    else serveSocket(gateway(), { request, socket, head });
  });
}

function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
}

function serveSocket(gateway: Gateway, { request, socket, head }: Upgrade): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  serveRequest(gateway, request, response, (exchange, open, largest = gateway.config.limits.bodyBytes) => {
    // One for each handshake: it is no more than its options, and how large messages may be depends on the route.
    const { WebSocketServer }: WebSockets = load('ws');
    const sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: largest,
    });
    const refuse = ({ message }: Error) =>
      exchange.refuse(new DragomanError('bad-request', `The handshake of the WebSocket is wrong: ${message}.`));
    // Both are called, if at all, before the next line returns.
    sockets.once('wsClientError', refuse);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      response.detachSocket(socket);
      gateway.running.end(exchange, 101);
      pauseWhileUnread(opened, socket);
      open(opened);
    });
  });
}

/** Gives the connection back, with the request as it would have come without the wish. */
function serveAnyway(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase()))
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** Bytes. More than a large request to a worker: one that is still reading it goes on being heard. */
const usualMost = 32 * 1024 * 1024;

/**
 * Stops reading from whoever does not read what it is told, while more than `most` bytes wait for it: most messages, and all
 * pings, have an answer. Nothing is lost.
 */
export function pauseWhileUnread(opened: WebSocket, socket: Socket, most = usualMost): void {
  const look = () => {
    if (opened.bufferedAmount > most) opened.pause();
  };
  opened.on('message', look);
  opened.on('ping', look);
  socket.on('drain', () => opened.resume());
}
