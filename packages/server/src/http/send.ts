import type { ServerResponse } from 'node:http';
import { DragomanError, errorKindOf, toDragomanError } from '@dragoman/core';
import { warningsOf } from '../log/request-note.ts';
import type { Exchange, HttpExchange } from './exchange.ts';

/** Seconds after which a client may try again when nobody said otherwise: what is full needs longer than what broke. */
const defaultRetryAfter = (status: number): number => (status === 429 || status === 503 ? 5 : 1);

/** Sends a whole JSON answer. A string is JSON text already, and so are bytes. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body instanceof Uint8Array ? body : jsonText(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

export const warningsHeader = 'x-dragoman-warnings';

/** Tells with an answer what was left out or repaired, as far as it is known when the headers leave. */
export function setWarnings({ response, note }: HttpExchange): void {
  const warnings = warningsOf(note);
  if (warnings !== undefined) response.setHeader(warningsHeader, warnings);
}

/** Tells after a stream all that was left out or repaired, in a trailer: what came up in the reply is known only now. */
export function addWarnings({ response, note }: HttpExchange): void {
  const warnings = warningsOf(note);
  if (warnings !== undefined) response.addTrailers({ [warningsHeader]: warnings });
}

/** A body as JSON text; a string is that already. */
export function jsonText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/**
 * Sends an error with its real status and an id that the log line holds too. Nothing of our insides is told: what is
 * not a DragomanError becomes `internal`, and configured secrets are taken out of the message.
 */
export function sendError(exchange: HttpExchange, thrown: unknown): void {
  const { response, wire } = exchange;
  const error = noteError(exchange, thrown);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error.code === 'key-missing') response.setHeader('www-authenticate', 'Bearer');
  // OpenAI's and Anthropic's SDKs, and the agents that are built on them, go by it whatever the status says.
  response.setHeader('x-should-retry', String(errorKindOf(error).retryable));
  const wait = retryAfter(error);
  if (wait !== undefined) response.setHeader('retry-after', wait);
  const text = jsonText(wire.writeError(error));
  exchange.recorder?.wrote([text]);
  sendJson(response, errorKindOf(error).status, text);
}

/** Seconds after which to try again, for errors that pass by themselves. */
export function retryAfter(error: DragomanError): string | undefined {
  const { retryable, status } = errorKindOf(error);
  return retryable ? String(Math.ceil(error.retryAfter ?? defaultRetryAfter(status))) : undefined;
}

/**
 * Notes an error for the log, under an id of its own. Returns it as the client may be told: with that id, and without
 * configured secrets in its message, since an upstream's own words may quote the key that it was sent.
 */
export function noteError({ note, gateway }: Exchange, thrown: unknown): DragomanError {
  const error = toDragomanError(thrown);
  const { code, message, param, upstreamStatus, cause } = error;
  const errorId = `err_${gateway.setup.randomHex(16)}`;
  note.errorId = errorId;
  note.errorCode = code;
  note.error = message;
  if (upstreamStatus !== undefined) note.upstreamStatus = upstreamStatus;
  const { blame } = errorKindOf(error);
  if (blame === 'gateway' && cause instanceof Error) note.cause = cause.stack ?? cause.message;
  else if (blame === 'upstream' && cause instanceof Error) note.cause = cause.message;
  return new DragomanError(code, gateway.redact(message), {
    errorId,
    ...(param === undefined ? {} : { param }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
}
