import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type DragomanError, writeSocketError } from '@dragoman/core';
import type { WebSocket } from 'ws';
import type { RequestNote } from '../log/request-note.ts';
import { patienceOf } from './client-patience.ts';
import type { Asked, Gateway } from './exchange.ts';
import type { Recipient, RecipientListener } from './recipient.ts';
import { noteError, retryAfter } from './send.ts';
import type { Quiet } from './silence.ts';

/** Bytes that may wait for a client that reads slowly before its reply pauses. */
const mark = 64 * 1024;

/** Bytes of refusals that may wait. Who asks on and reads nothing is let go. */
const mostRefusals = 1024 * 1024;

export interface TurnOptions {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly socket: WebSocket;
  readonly note: RequestNote;
  /** Called once, when the turn has left its log line. */
  readonly onOver: () => void;
}

/** One message of a client in a WebSocket and what it is answered: each frame of the reply is a message of its own. */
export class SocketTurn implements Asked, Recipient, Quiet {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly note: RequestNote;
  recorder: Asked['recorder'];
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
    this.#over(error.status);
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
