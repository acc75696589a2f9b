import type { ServerResponse } from 'node:http';
import { type ClientWire, type GatewayError, toGatewayError } from '@dragoman/core';
import type { Exchange } from './exchange.ts';

/** Seconds after which a client may try again when nobody said otherwise. */
const retryAfter = 5;

/** Sends a whole JSON answer. A string is JSON text already. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/**
 * Sends an error with its real status and an id that the log line holds too. Nothing of our insides is told: what is
 * not a GatewayError becomes `internal`, and configured secrets are taken out of the message.
 */
export function sendError(exchange: Exchange, thrown: unknown, wire: ClientWire): void {
  const { response } = exchange;
  const error = noteError(exchange, thrown);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error.code === 'key-missing') response.setHeader('www-authenticate', 'Bearer');
  if (error.status === 429 || error.status === 503) {
    response.setHeader('retry-after', String(Math.ceil(error.retryAfter ?? retryAfter)));
  }
  const body: unknown = JSON.parse(exchange.gateway.redact(JSON.stringify(wire.writeError(error))));
  sendJson(response, error.status, withErrorId(body, exchange.note.errorId ?? ''));
}

/** Notes an error for the log, under an id of its own. */
export function noteError(exchange: Exchange, thrown: unknown): GatewayError {
  const { note, gateway } = exchange;
  const error = toGatewayError(thrown);
  note.errorId = `err_${gateway.setup.randomHex(16)}`;
  note.errorCode = error.code;
  note.error = error.message;
  if (error.upstreamStatus !== undefined) note.upstreamStatus = error.upstreamStatus;
  const { cause } = error;
  if (error.blame === 'gateway' && cause instanceof Error) note.cause = cause.stack ?? cause.message;
  else if (error.blame === 'upstream' && cause instanceof Error) note.cause = cause.message;
  return error;
}

/** The wire decides the form; the id goes into its `error` object, where SDKs show it. */
function withErrorId(body: unknown, id: string): unknown {
  if (typeof body !== 'object' || body === null || !('error' in body)) return body;
  const { error } = body;
  if (typeof error !== 'object' || error === null) return body;
  return { ...body, error: { ...error, error_id: id } };
}
