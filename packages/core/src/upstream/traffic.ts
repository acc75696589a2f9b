import { madeOnce } from '../chat/made-once.ts';
import { DragomanError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { TurnRules } from '../stores/turn-queue.ts';

/** Milliseconds until a message that a busy conversation has refused is sent again, at first and at most. */
const delays = { first: 100, longest: 1000 };

/** Where a message stands: it waits, its reply is under way, or that is over and only the stream is still open. */
type Stand = 'waiting' | 'open' | 'replied';

/** What is asked of whoever sends a message into a conversation. */
export interface VisitOptions {
  readonly rules: TurnRules;
  /** Nobody wants the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * What is under way in the conversations of upstreams, as far as this gateway knows. Messages into one conversation are
 * sent at once, also beside each other, but
 *
 * - one waits while a reply is over and its stream is not closed: the upstream may still count that one as under way
 * - one that is refused because the conversation is busy waits until what is known to be under way there is closed, or a
 *   moment where nothing is known; from then on the others wait, too, in the order in which they came
 */
export class Traffic {
  readonly #lanes = new Map<string, Lane>();

  /** A message wants to go into a conversation. Whoever calls has to say `closed` once. */
  enter(conversation: string): Visit {
    const lane = this.#lanes.get(conversation) ?? new Lane(() => this.#lanes.delete(conversation));
    this.#lanes.set(conversation, lane);
    return lane.enter();
  }
}

/** One conversation. */
class Lane {
  readonly #forget: () => void;
  /** In the order in which they came. */
  readonly #visits: Visit[] = [];
  readonly #listening = new Set<() => void>();
  /** The upstream has said that it is busy: it takes one message at a time. */
  #single = false;

  constructor(forget: () => void) {
    this.#forget = forget;
  }

  enter(): Visit {
    const visit = new Visit(this);
    this.#visits.push(visit);
    return visit;
  }

  /** Whether a message that waits may be sent now. */
  isFreeFor(visit: Visit): boolean {
    const earlier = this.#visits.slice(0, this.#visits.indexOf(visit));
    if (earlier.some(({ stand }) => stand === 'waiting')) return false;
    return !this.#visits.some(({ stand }) => stand === 'replied' || (this.#single && stand === 'open'));
  }

  waitingBefore(visit: Visit): number {
    return this.#visits.slice(0, this.#visits.indexOf(visit)).filter(({ stand }) => stand === 'waiting').length;
  }

  /** Another message is under way. */
  hasOther(visit: Visit): boolean {
    return this.#visits.some((other) => other !== visit && other.stand !== 'waiting');
  }

  isBusy(): void {
    this.#single = true;
  }

  leave(visit: Visit): void {
    const at = this.#visits.indexOf(visit);
    if (at < 0) return;
    this.#visits.splice(at, 1);
    if (this.#visits.length === 0) this.#forget();
    this.changed();
  }

  changed(): void {
    for (const hear of [...this.#listening]) hear();
  }

  /** Resolves at the next change, or after so many milliseconds. Rejects with the signal's reason. */
  async change(milliseconds: number, signal: AbortSignal): Promise<void> {
    const heard = new AbortController();
    const hear = () => heard.abort();
    this.#listening.add(hear);
    try {
      await pause(milliseconds, AbortSignal.any([signal, heard.signal]));
    } catch (thrown) {
      if (signal.aborted) throw thrown;
    } finally {
      this.#listening.delete(hear);
    }
  }
}

/** One message on its way into a conversation. */
export class Visit {
  readonly #lane: Lane;
  stand: Stand = 'waiting';
  /** Milliseconds until it may be sent again; 0 where it was not refused. */
  #delay = 0;
  #waitsSince: number | undefined;

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  /** It may be sent now, and counts as sent. Else it has to wait for its `turn`. */
  goes(): boolean {
    if (!this.#lane.isFreeFor(this)) return false;
    this.stand = 'open';
    return true;
  }

  /** It has been sent before anybody knew where it goes. */
  joined(): void {
    this.stand = 'open';
  }

  /** Its turn has come, and it counts as sent. Rejects with `conversation-busy`, or with the signal's reason. */
  async turn({ rules, signal }: VisitOptions): Promise<void> {
    if (this.#lane.waitingBefore(this) >= rules.most) throw busy(`${rules.most} wait for it already`);
    this.#waitsSince ??= Date.now();
    for (let delay = this.#delay; delay > 0 || !this.goes(); delay = 0) {
      const left = this.#waitsSince + rules.wait - Date.now();
      if (left <= 0) throw busy(`this one has waited for ${rules.wait / 1000} s`);
      await this.#lane.change(delay > 0 ? Math.min(delay, left) : left, signal);
    }
    this.#lane.changed();
  }

  /** The upstream has refused it because the conversation is busy: it waits for another `turn`. */
  refused(): void {
    this.stand = 'waiting';
    this.#lane.isBusy();
    this.#delay = Math.min(delays.longest, this.#delay === 0 ? delays.first : this.#delay * 2);
  }

  /** Another message is under way in its conversation. */
  get hasOther(): boolean {
    return this.#lane.hasOther(this);
  }

  /** Its reply is over, and its stream is not yet closed. */
  replied(): void {
    if (this.stand === 'open') this.stand = 'replied';
  }

  /** Nothing more comes of it, or it is not sent at all. */
  closed(): void {
    this.#lane.leave(this);
  }
}

/** What is under way at the upstreams of a gateway, whoever asks. */
export function trafficOf({ upstreams }: Pick<EngineSetup, 'upstreams'>): Traffic {
  return trafficAt(upstreams);
}

const trafficAt = madeOnce((_: EngineSetup['upstreams']) => new Traffic());

function busy(why: string): DragomanError {
  const words = `The upstream is still busy with another message of this conversation, and ${why}. Send this one again later.`;
  return new DragomanError('conversation-busy', words, { retryAfter: 1 });
}
