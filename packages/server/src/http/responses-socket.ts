import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import {
  DragomanError,
  errorKindOf,
  lookUpsOf,
  readSocketMessage,
  type SocketMessage,
  writeSocketError,
} from '@dragoman/core';
import type { RawData, WebSocket } from 'ws';
import { RequestNote } from '../log/request-note.ts';
import type { KeptResponses } from '../stores/kept-responses.ts';
import { beginReply, fetchNeeded, readChatRequest } from './answer-chat.ts';
import { patienceOf } from './client-patience.ts';
import { type Exchange, type Gateway, type HttpExchange, keptFor } from './exchange.ts';
import { readJsonText } from './read-body.ts';
import type { Recipient, RecipientListener } from './recipient.ts';
import { responsesWire } from './responses-wire.ts';
import { noteError, retryAfter } from './send.ts';
import type { Quiet } from './silence.ts';
import { StreamAnswer } from './stream-answer.ts';

/** Milliseconds after which the system asks whether a silent peer is still there. */
const probeAfter = 60_000;

/** Milliseconds after which a connection closes on which nothing runs: people come back to a conversation after a pause. */
const longestIdle = 30 * 60_000;

/** `GET /v1/responses` that becomes a WebSocket. */
export function openResponsesSocket(exchange: HttpExchange): void {
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
  readonly #about: Pick<RequestNote, 'route' | 'key'>;
  readonly #kept: KeptResponses;
  #running: SocketTurn | undefined;
  #isLeaving = false;
  #idle: NodeJS.Timeout;

  constructor(exchange: HttpExchange, socket: WebSocket) {
    const { gateway, headers, note, request } = exchange;
    this.#gateway = gateway;
    this.#headers = headers;
    this.#socket = socket;
    this.#about = { route: note.route, key: note.key };
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
    const context = readChatRequest(turn, { wire, body });
    turn.recorder?.continues(past);
    await fetchNeeded(turn, context);
    if (turn.gone) return;
    const reply = new StreamAnswer({ exchange: turn, wire, context, recipient: turn });
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
      note: new RequestNote({
        requestId: `req_${this.#gateway.setup.randomHex(16)}`,
        method: 'WEBSOCKET',
        ...this.#about,
      }),
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

/** Bytes that may wait for a client that reads slowly before its reply pauses. */
const mark = 64 * 1024;

/** Bytes of refusals that may wait. Who asks on and reads nothing is let go. */
const mostRefusals = 1024 * 1024;

interface TurnOptions {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly socket: WebSocket;
  readonly note: RequestNote;
  /** Called once, when the turn has left its log line. */
  readonly onOver: () => void;
}

/** One message of a client in a WebSocket and what it is answered: each frame of the reply is a message of its own. */
class SocketTurn implements Exchange, Recipient, Quiet {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly note: RequestNote;
  recorder: Exchange['recorder'];
  readonly #socket: WebSocket;
  readonly #onOver: () => void;
  readonly #startedAt = performance.now();
  #listener: RecipientListener | undefined;
  #full = false;
  begun = false;
  /** When a message of the reply left last. */
  #lastFrames: number;
  lastWrite: number;
  breakOff: (error: DragomanError) => void = (error) => this.refuse(error);

  constructor({ gateway, headers, socket, note, onOver }: TurnOptions) {
    this.gateway = gateway;
    this.headers = headers;
    this.note = note;
    this.#socket = socket;
    this.#onOver = onOver;
    this.lastWrite = gateway.silence.now();
    this.#lastFrames = this.lastWrite;
    gateway.running.begin(this);
  }

  get gone(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  listen(listener: RecipientListener): void {
    this.#listener = listener;
    this.gateway.silence.watch(this);
  }

  write(frames: readonly string[]): boolean {
    this.begun = true;
    this.lastWrite = this.gateway.silence.now();
    this.#lastFrames = this.lastWrite;
    for (const frame of frames) {
      this.note.chunks = (this.note.chunks ?? 0) + 1;
      this.#socket.send(frame.trimEnd(), () => this.#sent());
    }
    this.#full = this.#socket.bufferedAmount > mark;
    return !this.#full;
  }

  end(): void {
    this.#over(200);
  }

  refuse(thrown: unknown): void {
    const error = noteError(this, thrown);
    if (this.#socket.bufferedAmount > mostRefusals) this.#socket.terminate();
    else this.#refuse(JSON.stringify(writeSocketError(error, retryAfter(error))));
    this.#over(errorKindOf(error).status);
  }

  /** The client has closed the connection. */
  closed(): void {
    this.#listener?.onClose();
    this.#over('client-gone');
  }

  onSilence(): void {
    this.lastWrite = this.gateway.silence.now();
    if (this.#full || this.gone) return;
    this.#socket.ping();
    if (this.lastWrite - this.#lastFrames >= patienceOf(this.headers)) this.#listener?.onWait?.();
  }

  #refuse(message: string): void {
    this.recorder?.wrote([message]);
    this.#socket.send(message);
  }

  #sent(): void {
    if (!this.#full || this.#socket.bufferedAmount > mark) return;
    this.#full = false;
    this.#listener?.onDrain();
  }

  #over(outcome: number | 'client-gone'): void {
    this.gateway.silence.forget(this);
    this.gateway.running.end(this, outcome);
    this.#onOver();
  }
}
