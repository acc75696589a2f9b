import { type ClientWire, DragomanError, type ReplyContext, type WireResponse } from '@dragoman/core';
import { beginReply } from './answer-chat.ts';
import { BackgroundRun, type RunOptions } from './background-run.ts';
import { ownerOf } from './exchange.ts';
import { StreamAnswer } from './stream-answer.ts';

export interface BackgroundLimits {
  /** The most that run at once. */
  readonly most: number;
  /** Callers are told apart by their keys, and none may take what all others need. */
  readonly isShared: boolean;
  /** The most characters of events that wait to be read, of all runs together. */
  readonly maxSize: number;
}

/** Every response that runs in the background. */
export class BackgroundRuns {
  readonly #most: number;
  readonly #isShared: boolean;
  readonly #maxSize: number;
  readonly #runs = new Map<string, BackgroundRun>();

  constructor({ most, isShared, maxSize }: BackgroundLimits) {
    this.#most = most;
    this.#isShared = isShared;
    this.#maxSize = maxSize;
  }

  /** Whether there is a background at all. Without room to store it, a response that nobody waits for would be lost. */
  get isThere(): boolean {
    return this.#most > 0 && this.#maxSize > 0;
  }

  find(id: string, owner: string): BackgroundRun | undefined {
    const run = this.#runs.get(id);
    return run?.owner === owner ? run : undefined;
  }

  /** Starts a response, which is queued when this returns. Throws `too-many-responses`, or what is wrong with the request. */
  start(
    options: Omit<RunOptions, 'runs'>,
    { wire, context }: { readonly wire: ClientWire; readonly context: ReplyContext },
  ): BackgroundRun {
    this.#checkRoom(ownerOf(options.asked));
    const run = new BackgroundRun({ ...options, runs: this });
    const { running } = run.gateway;
    const id = `resp_${context.replyId}`;
    this.#runs.set(id, run);
    running.begin(run);
    try {
      const reply = new StreamAnswer({ asked: run, wire, context, recipient: run });
      beginReply(run, { context, reply });
    } catch (thrown) {
      this.#runs.delete(id);
      running.forget(run);
      throw thrown;
    }
    return run;
  }

  /** The status of a response has changed. */
  tell(response: WireResponse): void {
    this.#runs.get(response.id)?.tell(response);
  }

  /** A run has more events. Where all together are too many, the run that has most loses its oldest: no other pays for it. */
  grown(): void {
    while (this.#size() > this.#maxSize) this.#largest()?.shrink();
  }

  ended(run: BackgroundRun): void {
    this.#runs.delete(run.id);
  }

  /** A key that runs as many as places are free has to wait: however many it asks for, another one finds a place. */
  #checkRoom(owner: string): void {
    const free = this.#most - this.#runs.size;
    if (free <= 0) {
      throw new DragomanError('too-many-responses', `${this.#runs.size} responses run in the background already.`);
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

  #largest(): BackgroundRun | undefined {
    let largest: BackgroundRun | undefined;
    for (const run of this.#runs.values()) if (run.size > (largest?.size ?? 0)) largest = run;
    return largest;
  }

  #size(): number {
    let size = 0;
    for (const run of this.#runs.values()) size += run.size;
    return size;
  }
}
