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
import { type Exchange, type Gateway, ownerOf } from './exchange.ts';
import type { Recipient } from './recipient.ts';
import { StreamAnswer } from './stream-answer.ts';

export interface RunOptions {
  readonly exchange: Exchange;
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
  const { background, running } = options.exchange.gateway;
  background.checkRoom(ownerOf(options.exchange));
  const run = new BackgroundRun(options);
  const id = `resp_${context.replyId}`;
  background.begin(id, run);
  running.begin(run);
  try {
    beginReply(run, { context, reply: new StreamAnswer({ exchange: run, wire, context, recipient: run }) });
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
class BackgroundRun implements Exchange, Recipient, BackgroundResponse {
  readonly gateway: Gateway;
  readonly headers: IncomingHttpHeaders;
  readonly note: RequestNote;
  readonly owner: string;
  readonly recorder: Exchange['recorder'];
  readonly trace: Exchange['trace'];
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
    const { exchange } = options;
    this.#options = options;
    this.gateway = exchange.gateway;
    this.headers = exchange.headers;
    this.note = { ...exchange.note, method: 'BACKGROUND' };
    this.owner = ownerOf(exchange);
    // The reply is this run's, and the record, too.
    this.recorder = exchange.recorder;
    this.trace = exchange.trace;
    exchange.recorder = undefined;
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

interface BackgroundLimits {
  /** The most that run at once. */
  readonly most: number;
  /** Callers are told apart by their keys, and none may take what all others need. */
  readonly isShared: boolean;
  /** The most characters of events that wait to be read, of all runs together. */
  readonly maxSize: number;
}

/** A response that runs whether anybody reads it or not. */
export interface BackgroundResponse extends EventLog {
  readonly id: string;
  readonly owner: string;
  /** As it stands, in the form in which it would be stored. */
  readonly stored: StoredResponse;
  /** Characters of its events. */
  readonly size: number;
  /** Lets the older half of its events go. */
  shrink(): void;
  /** Its status has changed. */
  report(response: WireResponse): void;
  /** Ends the reply with an error. */
  breakOff: (error: DragomanError) => void;
  /** Stops the upstream; the response is `cancelled` when this returns, unless it had ended. */
  cancel(): void;
  /** Stops the upstream and keeps nothing. */
  discard(): void;
}

/** Every response that runs in the background. */
export class BackgroundRuns {
  readonly #most: number;
  readonly #isShared: boolean;
  readonly #maxSize: number;
  readonly #runs = new Map<string, BackgroundResponse>();

  constructor({ most, isShared, maxSize }: BackgroundLimits) {
    this.#most = most;
    this.#isShared = isShared;
    this.#maxSize = maxSize;
  }

  /** Whether there is a background at all. Without room to store it, a response that nobody waits for would be lost. */
  get isThere(): boolean {
    return this.#most > 0 && this.#maxSize > 0;
  }

  find(id: string, owner: string): BackgroundResponse | undefined {
    const run = this.#runs.get(id);
    return run?.owner === owner ? run : undefined;
  }

  begin(id: string, run: BackgroundResponse): void {
    this.#runs.set(id, run);
  }

  /** The status of a response has changed. */
  report(response: WireResponse): void {
    this.#runs.get(response.id)?.report(response);
  }

  /** A run has more events. Where all together are too many, the run that has most loses its oldest: no other pays for it. */
  grown(): void {
    while (this.#size() > this.#maxSize) this.#largest()?.shrink();
  }

  ended(id: string): void {
    this.#runs.delete(id);
  }

  /**
   * Throws `too-many-responses` where there is no room for one more. A key that runs as many as places are free has to wait:
   * however many it asks for, another one finds a place.
   */
  checkRoom(owner: string): void {
    const free = this.#most - this.#runs.size;
    if (free <= 0) {
      throw new DragomanError(
        'too-many-responses',
        `${this.#runs.size} responses run in the background already. Wait until one has ended.`,
      );
    }
    if (!this.#isShared) return;
    let own = 0;
    for (const run of this.#runs.values()) if (run.owner === owner) own += 1;
    if (own < free) return;
    throw new DragomanError(
      'too-many-responses',
      `${own} responses of this key run in the background already, and what is free is kept for other keys.`,
    );
  }

  #largest(): BackgroundResponse | undefined {
    let largest: BackgroundResponse | undefined;
    for (const run of this.#runs.values()) if (run.size > (largest?.size ?? 0)) largest = run;
    return largest;
  }

  #size(): number {
    let size = 0;
    for (const run of this.#runs.values()) size += run.size;
    return size;
  }
}

/** The events of a response as frames, each known by its sequence number. */
export interface EventLog {
  /** The number of the oldest event that is still there. */
  readonly first: number;
  /** No more will come. */
  readonly over: boolean;
  /** At most so many frames, from the event of that number on. */
  slice(from: number, most: number): readonly string[];
  /** Calls `read` when there is more, or when it is over. Returns what ends that. */
  follow(read: () => void): () => void;
}

/** The events of a response that has ended. */
export function storedLog({ frames }: StoredResponse): EventLog | undefined {
  if (frames === undefined) return undefined;
  return {
    first: 0,
    over: true,
    slice: (from, count) => frames.slice(from, from + count),
    follow: () => () => {},
  };
}
