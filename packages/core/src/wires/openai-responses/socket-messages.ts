import { quoteName } from '../../chat/warning.ts';
import { errorKindOf } from '../../error-kinds.ts';
import type { DragomanError } from '../../errors.ts';
import { badRequest, isAbsent, isObject, type JsonObject, kindOf, RequestFields, unsupported } from '../read-values.ts';
import type { OpenaiError } from '../write-openai-error.ts';
import { writeError } from './errors.ts';

/** What a client says in a WebSocket. */
export type SocketMessage =
  | {
      readonly kind: 'create';
      /** As it would be posted, and streamed. */
      readonly body: JsonObject;
      /** False: nothing is to be answered yet; the response is there to be continued. */
      readonly generate: boolean;
    }
  /** It tells something that needs no answer. */
  | { readonly kind: 'note' };

/**
 * A message of WebSocket mode, parsed as JSON. Throws `bad-request` or `unsupported-field`. `stream` is implied: `true`
 * says nothing new, as Codex does. Of lanes (`stream_id`) there is one, so a client that wants several has to be told.
 */
export function readSocketMessage(message: unknown): SocketMessage {
  if (!isObject(message)) throw badRequest('type', `a message must be a JSON object, not ${kindOf(message)}.`);
  const { type, generate: _, stream: __, ...body } = message;
  // Codex says which responses it has taken, where it is told to.
  if (type === 'response.processed') return { kind: 'note' };
  if (type !== 'response.create') {
    throw badRequest('type', `must be "response.create"${typeof type === 'string' ? `, not ${quoteName(type)}` : ''}.`);
  }
  const fields = new RequestFields(message);
  if (!fields.flag('stream', true)) throw badRequest('stream', 'is always true in a WebSocket; leave it out.');
  if (fields.flag('background', false)) {
    throw unsupported('background', 'is not possible in a WebSocket; use POST.');
  }
  if (!isAbsent(body.stream_id)) {
    throw unsupported('stream_id', 'is not known here: one response runs at a time; open another WebSocket.');
  }
  return { kind: 'create', body: { ...body, stream: true }, generate: fields.flag('generate', true) };
}

/** How an error is told in a WebSocket outside of a response. */
export interface SocketError extends OpenaiError {
  readonly type: 'error';
  readonly status: number;
  /** What would be headers of an HTTP answer. */
  readonly headers?: { readonly [name: string]: string };
}

/** An error in place of a response. `retryAfter`: seconds after which it makes sense to try again. */
export function writeSocketError(error: DragomanError, retryAfter?: string): SocketError {
  const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } };
  return { type: 'error', status: errorKindOf(error).status, ...writeError(error), ...headers };
}
