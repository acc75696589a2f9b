import { DragomanError, type StoredResponse, type WireResponse } from '@dragoman/core';
import type { EventLog } from './event-log.ts';

export interface BackgroundLimits {
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
