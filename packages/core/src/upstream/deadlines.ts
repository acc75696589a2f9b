import { ActiveSet } from '../active-set.ts';
import { madeOnce } from '../chat/made-once.ts';
import { DragomanError } from '../errors.ts';
import type { Deadlines } from '../plan/rules.ts';
import type { EngineSetup } from '../plan/setup.ts';

/** How often deadlines are looked at, in milliseconds: one fires at most so much late. */
export const tickLength = 100;

/** How long an upstream may take to end its answer after its reply is complete, in milliseconds. */
const drainTime = 5000;

type Every = NonNullable<EngineSetup['every']>;

/**
 * The deadlines of all requests of an engine. One coarse timer, which runs only while requests are under way: a read
 * sets a flag and starts no timer, because a stream has thousands of them.
 */
export class DeadlineClock {
  readonly #now: () => number;
  readonly #every: Every;
  readonly #watches = new ActiveSet<DeadlineWatch>();
  #stop: (() => void) | undefined;

  constructor({ now, every = everyInterval }: Pick<EngineSetup, 'now' | 'every'>) {
    this.#now = now;
    this.#every = every;
  }

  /** Starts watching one request, as of now. `expired` is called at most once; after it, or after `stop`, nothing is. */
  watch(deadlines: Deadlines, expired: (reason: DragomanError | 'drained') => void): DeadlineWatch {
    const watch = new DeadlineWatch({ deadlines, expired, now: this.#now(), forget: () => this.#forget(watch) });
    this.#watches.add(watch);
    this.#stop ??= this.#every(tickLength, () => this.#tick());
    return watch;
  }

  #tick(): void {
    const now = this.#now();
    for (const watch of this.#watches) watch.tick(now);
  }

  #forget(watch: DeadlineWatch): void {
    this.#watches.delete(watch);
    if (this.#watches.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** Where a request stands. `quiet`: nothing more is expected from the upstream, but the reply is not over. */
type Phase = 'connecting' | 'answering' | 'quiet' | 'draining' | 'over';

/** One request's deadlines. Its methods say what happened and cost next to nothing. */
export class DeadlineWatch {
  readonly #deadlines: Deadlines;
  readonly #expired: (reason: DragomanError | 'drained') => void;
  readonly #forget: () => void;
  readonly #startedAt: number;
  #phase: Phase = 'connecting';
  #visible = false;
  #paused = false;
  /** A read since the last tick. */
  #read = false;
  /** Undefined until the time between reads counts. */
  #readAt: number | undefined;
  #drainingSince: number | undefined;

  constructor(options: {
    readonly deadlines: Deadlines;
    readonly expired: (reason: DragomanError | 'drained') => void;
    readonly now: number;
    readonly forget: () => void;
  }) {
    this.#deadlines = options.deadlines;
    this.#expired = options.expired;
    this.#startedAt = options.now;
    this.#forget = options.forget;
  }

  /** The upstream's headers are here. Without a first-token deadline they count as the first read. */
  connected(): void {
    this.#phase = 'answering';
    if (this.#deadlines.firstToken === 0) this.#read = true;
  }

  read(): void {
    this.#read = true;
  }

  /** The client has seen something of the reply. */
  visible(): void {
    this.#visible = true;
  }

  /** While the client is slow, the upstream's silence is our own doing. */
  pause(paused: boolean): void {
    this.#paused = paused;
    this.#read = true;
  }

  /** The upstream has ended; only the total still counts. */
  quiet(): void {
    this.#phase = 'quiet';
  }

  /** The reply is over but the upstream's answer is not: it gets a moment, so that its connection can be kept. */
  drain(): void {
    this.#phase = 'draining';
  }

  stop(): void {
    this.#phase = 'over';
    this.#forget();
  }

  tick(now: number): void {
    // Another one has stopped it in this very tick.
    if (this.#phase === 'over') return;
    if (this.#phase === 'draining') {
      this.#drainingSince ??= now;
      if (now - this.#drainingSince >= drainTime) this.#expire('drained');
      return;
    }
    if (this.#read || this.#paused) {
      // Paused before the first read, the time between reads still does not count.
      if (this.#read || this.#readAt !== undefined) this.#readAt = now;
      this.#read = false;
    }
    const error = this.#errorAt(now);
    if (error !== undefined) this.#expire(error);
  }

  #errorAt(now: number): DragomanError | undefined {
    const { connect, firstToken, idle, total } = this.#deadlines;
    const elapsed = now - this.#startedAt;
    if (isOver(total, elapsed)) {
      return new DragomanError('total-timeout', `The reply took longer than ${seconds(total)}, see timeouts.total.`);
    }
    if (this.#phase === 'quiet') return undefined;
    if (this.#phase === 'connecting' && isOver(connect, elapsed)) {
      return new DragomanError(
        'connect-timeout',
        `The upstream did not answer within ${seconds(connect)}, see timeouts.connect.`,
      );
    }
    if (!this.#visible && isOver(firstToken, elapsed)) {
      return new DragomanError(
        'first-token-timeout',
        `The upstream wrote nothing within ${seconds(firstToken)}, see timeouts.firstToken.`,
      );
    }
    if (this.#readAt !== undefined && isOver(idle, now - this.#readAt)) {
      return new DragomanError('idle-timeout', `The upstream fell silent for ${seconds(idle)}, see timeouts.idle.`);
    }
    return undefined;
  }

  #expire(reason: DragomanError | 'drained'): void {
    this.stop();
    this.#expired(reason);
  }
}

function isOver(deadline: number, elapsed: number): boolean {
  return deadline > 0 && elapsed >= deadline;
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function everyInterval(milliseconds: number, tick: () => void): () => void {
  const timer = setInterval(tick, milliseconds);
  return () => clearInterval(timer);
}

const clocks = madeOnce((now: EngineSetup['now']) => madeOnce((every: Every) => new DeadlineClock({ now, every })));

/** The clock that all requests share whose setups tell time alike: who watches a request gives it a setup of its own. */
export function clockOf({ now, every = everyInterval }: EngineSetup): DeadlineClock {
  return clocks(now)(every);
}
