import type {
  AnswerJudge,
  Connection,
  DragomanError,
  Judgement,
  Receiver,
  Transport,
  UpstreamRequest,
} from '@dragoman/core';
import type { After } from '../after.ts';

/** What the headers of an answer say. */
interface Head {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: number | undefined;
}

/** How an attempt went: what the headers of its answer say, or an error, after those headers or without any. */
export type Outcome = Head | { readonly error: DragomanError; readonly head?: Head };

/** When one request is sent again. */
export interface RepeatRules {
  /** The request as the next attempt sends it. */
  readonly next: () => UpstreamRequest;
  /**
   * Asked about each attempt, before its receiver knows anything of it: milliseconds until the next one, or undefined where
   * this outcome counts. `attempt` counts from one.
   */
  readonly again: (outcome: Outcome, attempt: number) => number | undefined;
  /** Reads the beginning of each answer, which is held back until it is judged. Default: the headers are all that is judged. */
  readonly judge?: (head: Head) => AnswerJudge;
  /** Watches an attempt until something of it counts, and tells when it takes too long. Returns what hears how it goes. */
  readonly watch?: (late: (error: DragomanError) => void) => AttemptWatch;
}

/** Hears how an attempt goes that is watched. */
export interface AttemptWatch {
  started(): void;
  read(): void;
  stop(): void;
}

export interface RepeatOptions {
  readonly transport: Transport;
  readonly rules: RepeatRules;
  /** Hears only the attempt that counts. */
  readonly receiver: Receiver;
  readonly after: After;
}

/** One attempt, until its receiver hears of it. */
interface Attempt {
  readonly watch: AttemptWatch | undefined;
  head?: Head;
  judge?: AnswerJudge | undefined;
  readonly held: Uint8Array[];
}

/** One request, sent until an outcome counts. Nothing is repeated once the receiver has heard of an answer. */
export class RepeatedExchange implements Connection {
  readonly #transport: Transport;
  readonly #receiver: Receiver;
  readonly #after: After;
  /** Absent once an attempt counts: with the rules goes the request, which nobody sends again. */
  #rules: RepeatRules | undefined;
  #attempts = 0;
  /** The attempt under way; 0 between two of them. What comes of any other is passed over. */
  #current = 0;
  #connection: Connection | undefined;
  #stopWaiting = () => {};
  #stopWatching = () => {};
  #heard = false;
  #paused = false;
  #gone = false;

  constructor(options: RepeatOptions) {
    this.#transport = options.transport;
    this.#receiver = options.receiver;
    this.#after = options.after;
    this.#rules = options.rules;
    this.#send(options.rules);
  }

  pause(): void {
    this.#paused = true;
    this.#connection?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#connection?.resume();
  }

  abort(): void {
    this.#gone = true;
    this.#stopWaiting();
    this.#stopWatching();
    this.#connection?.abort();
  }

  #send(rules: RepeatRules): void {
    this.#attempts += 1;
    const attempt = this.#attempts;
    this.#current = attempt;
    const watch = rules.watch?.((error) => this.#late(attempt, error));
    const connection = this.#transport.send(rules.next(), this.#receive(attempt, watch));
    // Its answer may have come at once, and not have counted.
    const isOver = attempt !== this.#current;
    if (!isOver) this.#connection = connection;
    if (isOver || this.#gone) connection.abort();
    else if (this.#paused) connection.pause();
  }

  #receive(number: number, watch: AttemptWatch | undefined): Receiver {
    const receiver = this.#receiver;
    this.#stopWatching = () => watch?.stop();
    const attempt: Attempt = { watch, held: [] };
    const isCurrent = () => number === this.#current;
    return {
      start: (status, contentType, retryAfter) => {
        if (!isCurrent()) return;
        const head = { status, contentType, retryAfter };
        attempt.head = head;
        attempt.judge = this.#rules?.judge?.(head);
        watch?.started();
        if (attempt.judge === undefined && !this.#repeats(head)) this.#pass(attempt);
      },
      data: (chunk) => {
        if (!isCurrent()) return;
        if (this.#heard) {
          receiver.data(chunk);
          return;
        }
        watch?.read();
        attempt.held.push(chunk);
        if (attempt.judge !== undefined) this.#judged(attempt, attempt.judge.data(chunk));
      },
      end: () => {
        if (!isCurrent()) return;
        if (!this.#heard && attempt.judge !== undefined) this.#judged(attempt, attempt.judge.end());
        if (isCurrent()) receiver.end();
      },
      fail: (error) => {
        if (!isCurrent()) return;
        if (!this.#heard && attempt.judge !== undefined) this.#judged(attempt, attempt.judge.end(error));
        else if (!this.#heard && this.#repeats({ error })) return;
        if (isCurrent()) {
          watch?.stop();
          receiver.fail(error);
        }
      },
    };
  }

  #judged(attempt: Attempt, judgement: Judgement): void {
    if (judgement === 'open') return;
    const { head } = attempt;
    if (judgement === 'counts') this.#pass(attempt);
    else if (!this.#repeats({ error: judgement.failure, ...(head === undefined ? {} : { head }) })) this.#pass(attempt);
  }

  /** The attempt takes too long: its receiver has heard nothing of it. */
  #late(number: number, error: DragomanError): void {
    if (number !== this.#current || this.#heard || this.#repeats({ error })) return;
    this.#current = 0;
    this.#connection?.abort();
    this.#receiver.fail(error);
  }

  /** The receiver gets what has come, and all that comes. */
  #pass(attempt: Attempt): void {
    const { head, held, watch } = attempt;
    const receiver = this.#receiver;
    watch?.stop();
    this.#heard = true;
    this.#rules = undefined;
    attempt.judge = undefined;
    if (head !== undefined) receiver.start(head.status, head.contentType, head.retryAfter);
    for (const chunk of held.splice(0)) receiver.data(chunk);
  }

  /** Whether the next attempt is under way, or waited for. */
  #repeats(outcome: Outcome): boolean {
    const rules = this.#rules;
    const delay = rules?.again(outcome, this.#attempts);
    if (rules === undefined || delay === undefined) return false;
    this.#current = 0;
    this.#stopWatching();
    this.#connection?.abort();
    this.#connection = undefined;
    if (delay === 0) this.#send(rules);
    else this.#stopWaiting = this.#after(delay, () => this.#send(rules));
    return true;
  }
}
