import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import {
  type ClientWire,
  DragomanError,
  type ReplyContext,
  type StoredResponse,
  type WireResponse,
} from '@dragoman/core';
import type { RequestNote } from '../log/request-note.ts';
import { type KeptResponses, type Past, storedResponse } from '../stores/kept-responses.ts';
import { beginReply } from './answer-chat.ts';
import type { BackgroundResponse } from './background-runs.ts';
import { type Asked, type Gateway, ownerOf } from './exchange.ts';
import type { Recipient } from './recipient.ts';
import { StreamAnswer } from './stream-answer.ts';

export interface RunOptions {
  readonly asked: Asked;
  /** Where it goes when it has ended. */
  readonly kept: KeptResponses;
  readonly body: unknown;
  readonly past: Past;
}

/** Starts a response, which is queued when this returns. Throws `too-many-responses`, or what is wrong with the request. */
export function startInBackground(
  options: RunOptions,
  { wire, context }: { readonly wire: ClientWire; readonly context: ReplyContext },
): BackgroundResponse {
  const { background, running } = options.asked.gateway;
  background.checkRoom(ownerOf(options.asked));
  const run = new BackgroundRun(options);
  const id = `resp_${context.replyId}`;
  background.begin(id, run);
  running.begin(run);
  try {
    beginReply(run, { context, reply: new StreamAnswer({ asked: run, wire, context, recipient: run }) });
  } catch (thrown) {
    background.ended(id);
    running.forget(run);
    throw thrown;
  }
  return run;
}

/**
 * One response that runs whether anybody reads it or not. Its events wait here for those who follow, and are stored with
 * the response at its end; the oldest are let go where there is no room.
 */
class BackgroundRun implements Asked, Recipient, BackgroundResponse {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly note: RequestNote;
  readonly owner: string;
  readonly recorder: Asked['recorder'];
  readonly trace: Asked['trace'];
  readonly gone = false;
  readonly begun = true;
  readonly #options: RunOptions;
  readonly #startedAt = performance.now();
  readonly #readers = new Set<() => void>();
  #frames: string[] = [];
  #size = 0;
  #response: WireResponse | undefined;
  #isUnwanted = false;
  first = 0;
  over = false;
  breakOff: (error: DragomanError) => void = () => {};

  constructor(options: RunOptions) {
    const { asked } = options;
    this.#options = options;
    this.gateway = asked.gateway;
    this.headers = asked.headers;
    this.note = { ...asked.note, method: 'BACKGROUND' };
    this.owner = ownerOf(asked);
    // The reply is this run's, and the record, too.
    this.recorder = asked.recorder;
    this.trace = asked.trace;
    asked.recorder = undefined;
  }

  get stored(): StoredResponse {
    const { body, past } = this.#options;
    if (this.#response === undefined)
      throw new Error('a response in the background is queued before anybody can see it');
    return storedResponse(this.#response, { owner: this.owner, body, past });
  }

  elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  report(response: WireResponse): void {
    this.#response = response;
  }

  cancel(): void {
    this.breakOff(new DragomanError('response-cancelled', 'The response was cancelled.'));
  }

  discard(): void {
    this.#isUnwanted = true;
    this.cancel();
  }

  /** Nobody has to be waited for, and nobody goes away. */
  listen(): void {}

  /** Whatever goes wrong is told in the response, which there has been since it was queued. */
  refuse(): void {}

  write(frames: readonly string[]): boolean {
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#size += frame.length;
    }
    // Whoever keeps pace reads first and loses nothing.
    for (const read of this.#readers) read();
    this.gateway.background.grown();
    return true;
  }

  end(): void {
    this.over = true;
    this.gateway.background.ended(this.id);
    this.#keep();
    for (const read of this.#readers) read();
    this.gateway.running.end(this, this.#response?.status === 'cancelled' ? 499 : 200);
  }

  get size(): number {
    return this.#size;
  }

  get id(): string {
    return this.#response?.id ?? '';
  }

  shrink(): void {
    const gone = this.#frames.splice(0, Math.ceil(this.#frames.length / 2));
    this.first += gone.length;
    for (const frame of gone) this.#size -= frame.length;
  }

  slice(from: number, most: number): readonly string[] {
    return this.#frames.slice(from - this.first, from - this.first + most);
  }

  follow(read: () => void): () => void {
    this.#readers.add(read);
    return () => this.#readers.delete(read);
  }

  /** Without its events, where there is no room for both. */
  #keep(): void {
    const { kept, body, past } = this.#options;
    if (this.#isUnwanted || this.#response === undefined) return;
    const isWhole = this.first === 0;
    if (isWhole && kept.put(this.#response, { body, past, frames: this.#frames })) return;
    kept.put(this.#response, { body, past });
  }
}
