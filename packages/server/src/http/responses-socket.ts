import type { IncomingHttpHeaders } from 'node:http';
import { DragomanError, lookUpsOf, readSocketMessage, type SocketMessage } from '@dragoman/core';
import type { RawData, WebSocket } from 'ws';
import type { KeptResponses } from '../stores/kept-responses.ts';
import { beginReply, fetchKnown, readBody } from './answer-chat.ts';
import { type Exchange, type Gateway, keptFor } from './exchange.ts';
import { readJsonText } from './read-body.ts';
import { responsesWire } from './responses-wire.ts';
import { SocketTurn } from './socket-turn.ts';
import { StreamAnswer } from './stream-answer.ts';

/** Milliseconds after which the system asks whether a silent peer is still there. */
const probeAfter = 60_000;

/** Milliseconds after which a connection closes on which nothing runs: people come back to a conversation after a pause. */
const longestIdle = 30 * 60_000;

/** `GET /v1/responses` that becomes a WebSocket. */
export function openResponsesSocket(exchange: Exchange): void {
  exchange.upgrade?.((socket) => {
    const opened = new ResponsesSocket(exchange, socket);
    exchange.gateway.sockets.add(opened);
  });
}

/**
 * WebSocket mode of the Responses API: each `response.create` is answered by the events of a stream, one message each, one
 * response at a time. What goes wrong outside of a response is an `error` message, after which the connection is as good
 * as before. What asks not to be stored can be continued for as long as the connection lasts.
 */
export class ResponsesSocket {
  readonly #gateway: Gateway;
  readonly #headers: IncomingHttpHeaders;
  readonly #socket: WebSocket;
  readonly #about: { readonly route: string; readonly key?: string };
  readonly #kept: KeptResponses;
  #running: SocketTurn | undefined;
  #isLeaving = false;
  #idle: NodeJS.Timeout;

  constructor(exchange: Exchange, socket: WebSocket) {
    const { gateway, headers, note, request } = exchange;
    this.#gateway = gateway;
    this.#headers = headers;
    this.#socket = socket;
    this.#about = { route: note.route, ...(note.key === undefined ? {} : { key: note.key }) };
    this.#kept = keptFor(exchange, `connection ${gateway.setup.randomHex(24)}`);
    this.#idle = this.#closeWhenIdle();
    request.socket.setKeepAlive(true, probeAfter);
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('error', (error) => this.#broken(error));
    socket.once('close', () => this.#closed());
  }

  /** Closes the connection unless a response runs on it, after which it is closed, too. */
  goAway(): void {
    this.#isLeaving = true;
    if (this.#running === undefined) this.#socket.close(1001, 'The gateway is shutting down or has new settings.');
  }

  /** Ends the connection without a word. */
  terminate(): void {
    this.#socket.terminate();
  }

  #message(data: RawData, isBinary: boolean): void {
    const turn = this.#turn();
    this.#answer(turn, { data, isBinary }).catch((thrown: unknown) => turn.refuse(thrown));
  }

  async #answer(turn: SocketTurn, { data, isBinary }: { data: RawData; isBinary: boolean }): Promise<void> {
    if (isBinary) throw new DragomanError('bad-request', 'A message must be text: the JSON of an event.');
    const message = readSocketMessage(readJsonText(String(data), 'message'));
    switch (message.kind) {
      case 'note':
        turn.end();
        return;
      case 'create':
        await this.#create(turn, message);
        return;
      default:
        message satisfies never;
    }
  }

  async #create(turn: SocketTurn, { body, generate }: SocketMessage & { readonly kind: 'create' }): Promise<void> {
    if (this.#running !== undefined) {
      throw new DragomanError(
        'response-running',
        'A response still runs on this connection. Wait for its end, or open another connection.',
      );
    }
    if (this.#gateway.counts.draining) {
      throw new DragomanError('draining', 'The gateway is shutting down and takes no new requests.');
    }
    this.#running = turn;
    clearTimeout(this.#idle);
    try {
      await this.#reply(turn, { body, generate });
    } catch (thrown) {
      // Whoever tries to continue it once more has to begin anew, as the API wants it.
      const { previousId } = lookUpsOf(body);
      if (previousId !== undefined) this.#kept.forget(previousId);
      throw thrown;
    }
  }

  async #reply(turn: SocketTurn, { body, generate }: { readonly body: unknown; readonly generate: boolean }) {
    const gateway = this.#gateway;
    const kept = this.#kept;
    const past = await kept.past(body);
    if (turn.gone) return;
    const wire = responsesWire(gateway, { body, past, kept, framing: 'ndjson', inputOptional: !generate });
    const context = readBody(turn, { wire, body });
    turn.recorder?.continues(past);
    await fetchKnown(turn, context);
    if (turn.gone) return;
    const reply = new StreamAnswer({ asked: turn, wire, context, recipient: turn });
    if (generate) {
      beginReply(turn, { context, reply });
      return;
    }
    reply.event({ type: 'message-start', id: context.replyId, model: context.request.model });
    reply.event({ type: 'message-end', finishReason: 'stop' });
  }

  #turn(): SocketTurn {
    const turn: SocketTurn = new SocketTurn({
      gateway: this.#gateway,
      headers: this.#headers,
      socket: this.#socket,
      note: { requestId: `req_${this.#gateway.setup.randomHex(16)}`, method: 'WEBSOCKET', ...this.#about },
      onOver: () => this.#over(turn),
    });
    return turn;
  }

  #over(turn: SocketTurn): void {
    if (this.#running !== turn) return;
    this.#running = undefined;
    this.#idle = this.#closeWhenIdle();
    if (this.#isLeaving) this.goAway();
  }

  /** What the client sent cannot be read at all; the connection closes with the code that says why. */
  #broken(error: Error): void {
    const isTooLong = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    this.#turn().refuse(
      isTooLong
        ? new DragomanError(
            'body-too-large',
            `The message is larger than ${this.#gateway.config.limits.bodyBytes} bytes. Send less, or raise limits.bodyBytes.`,
          )
        : new DragomanError('bad-request', `The message cannot be read: ${error.message}.`, { cause: error }),
    );
  }

  #closeWhenIdle(): NodeJS.Timeout {
    return setTimeout(() => this.#socket.close(1000, 'Nothing was asked for half an hour.'), longestIdle).unref();
  }

  #closed(): void {
    this.#running?.closed();
    clearTimeout(this.#idle);
    this.#kept.close();
    this.#gateway.sockets.delete(this);
  }
}
