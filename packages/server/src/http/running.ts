import { ActiveSet, type DragomanError } from '@dragoman/core';
import { type After, afterUnrefTimeout } from '../after.ts';
import type { Log } from '../log/create-log.ts';
import type { RequestNote } from '../log/request-note.ts';
import type { Stores } from '../open-stores.ts';
import type { Recorder } from '../records/recorder.ts';
import { collectGarbage, collectInSteps, growCarefully, letGrow } from './garbage.ts';

/** Since the start. */
export interface Counts {
  readonly startedAt: number;
  active: number;
  requests: number;
  errors: number;
  draining: boolean;
}

/** What has been asked and is not over. */
export interface RunningRequest {
  /** The settings that it runs with. */
  readonly gateway: Settings;
  readonly note: RequestNote;
  readonly recorder?: Recorder | undefined;
  /** Milliseconds since it came. */
  elapsed(): number;
  /** Ends the reply under way with an error. While there is none, the request is refused. */
  breakOff: (error: DragomanError) => void;
}

interface Settings {
  readonly stores: Pick<Stores, 'records'>;
}

interface RunningOptions {
  readonly counts: Counts;
  readonly log: Log;
  readonly peak?: Peak;
}

/** Everything that was asked and is not over: it is counted, it can be broken off, and it leaves a log line at its end. */
export class Running {
  readonly #counts: Counts;
  readonly #log: Log;
  readonly #asked = new ActiveSet<RunningRequest>();
  /** What is closed when nothing runs with these settings any more. */
  readonly #retired = new Map<Settings, () => void>();
  readonly #peak: Peak;
  /** Called after each end, when it no longer counts. */
  onEnd: () => void = () => {};

  constructor({ counts, log, peak = new Peak() }: RunningOptions) {
    this.#counts = counts;
    this.#log = log;
    this.#peak = peak;
  }

  begin(asked: RunningRequest): void {
    this.#asked.add(asked);
    this.#counts.active += 1;
    this.#counts.requests += 1;
    this.#peak.rose(this.#counts.active);
  }

  /** It came to nothing: whoever asked for it was refused in another's name. */
  forget(asked: RunningRequest): void {
    if (this.#asked.delete(asked)) this.#counts.active -= 1;
    this.#counts.requests -= 1;
    this.#closeUnused(asked.gateway);
  }

  /** With the status that left, or that nobody was there any more to take the end. Once is enough: what is over stays over. */
  end(asked: RunningRequest, outcome: number | 'client-gone'): void {
    if (!this.#asked.delete(asked)) return;
    const { note } = asked;
    const status = outcome === 'client-gone' ? 499 : outcome;
    if (outcome === 'client-gone') note.errorCode = 'client-gone';
    this.#counts.active -= 1;
    if (status >= 500) this.#counts.errors += 1;
    const ms = asked.elapsed();
    this.#log.request(note, { status, ms });
    if (asked.recorder !== undefined) asked.gateway.stores.records?.end(asked.recorder, { note, status, ms });
    this.#closeUnused(asked.gateway);
    this.#peak.fell(this.#counts.active);
    this.onEnd();
  }

  /** No further request comes with these settings: `close` is called when the last one is over. */
  retire(gateway: Settings, close: () => void): void {
    this.#retired.set(gateway, close);
    this.#closeUnused(gateway);
  }

  #closeUnused(gateway: Settings): void {
    const close = this.#retired.get(gateway);
    if (close === undefined) return;
    for (const asked of this.#asked) if (asked.gateway === gateway) return;
    this.#retired.delete(gateway);
    close();
  }

  /** Ends all that runs with this error, each in its own terms. */
  breakOff(error: DragomanError): void {
    for (const asked of this.#asked) asked.breakOff(error);
  }
}

/** So many requests at once make a peak; below it, what they leave is little. */
const leastPeak = 64;

/** Of so many at once most wait for their upstreams: memory counts for more than what it costs to collect garbage. */
const leastCrowd = 256;

/** While a peak lasts, memory is looked at once in so many requests. */
const betweenLooks = 32;

/** A peak is over when so many times fewer run. */
const fewer = 8;

/** Milliseconds for which it has to stay over: peaks may follow each other. */
const calm = 2000;

/**
 * Keeps memory small while many requests run at once, and gives it back afterwards. Node collects garbage when something is made, so
 * what a peak has left would stay until the next one.
 */
export class Peak {
  readonly #collect: () => void;
  readonly #after: After;
  #begun = 0;
  #most = 0;
  #stopWaiting: (() => void) | undefined;

  constructor({ collect = collectGarbage, after = afterUnrefTimeout }: { collect?: () => void; after?: After } = {}) {
    this.#collect = collect;
    this.#after = after;
  }

  /** So many requests run, one more than before. */
  rose(active: number): void {
    if (active > 1) collectInSteps();
    this.#begun += 1;
    if (active === leastPeak || (active > leastPeak && this.#begun % betweenLooks === 0))
      growCarefully({ isCrowd: active >= leastCrowd });
    if (active > this.#most) this.#most = active;
    if (active * fewer <= this.#most) return;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  /** So many still run. */
  fell(active: number): void {
    collectInSteps();
    if (active === leastPeak - 1) letGrow();
    if (this.#most < leastPeak || active * fewer > this.#most || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#after(calm, () => {
      this.#stopWaiting = undefined;
      this.#most = 0;
      this.#collect();
    });
  }
}
