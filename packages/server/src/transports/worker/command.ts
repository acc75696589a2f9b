import { type Connection, DragomanError, toDragomanError } from '@dragoman/core';
import type { ErrorMessage } from '@dragoman/worker';

/** What is to be done. */
export interface Order {
  readonly method: string;
  readonly params: unknown;
  /** The conversation that it belongs to, by the worker's own id; workers keep theirs. */
  readonly conversation?: string | undefined;
  /** Milliseconds after which nobody waits for the end; 0: none. */
  readonly deadline: number;
}

/** Takes the answer to a command. After `result` or `fail` nothing more comes. */
export interface CommandListener {
  /** The next piece. Throws DragomanError for one that it cannot take, after which nothing more comes. */
  delta(value: unknown): void;
  /** The end, with one more piece unless that is undefined. Throws as `delta` does. */
  result(value: unknown): void;
  /** The worker's own failure, or what went wrong with the worker. */
  fail(failure: ErrorMessage | DragomanError): void;
}

/** Where a command waits or runs. */
export interface Holder {
  /** Nobody wants the answer any more. */
  drop(command: Command): void;
  /** Asks for no more pieces for now, or for more. */
  pace(command: Command, paused: boolean): void;
}

/**
 * The most that is kept of an answer whose reader is slow, in characters of messages. The worker is asked to pause at
 * once, but what is on its way by then still comes: the buffers of both systems hold ten megabytes and more.
 */
const mostHeld = 32 * 1024 * 1024;

interface Held {
  readonly report: () => void;
  readonly size: number;
}

/**
 * One command from the moment it is wanted to its end: it waits, or runs at a worker, or is over. Whatever happens, its
 * listener hears one end, or none when it was aborted.
 */
export class Command implements Connection {
  readonly order: Order;
  readonly #listener: CommandListener;
  readonly #upstream: string;
  #holder: Holder | undefined;
  #over = false;
  /** The number that the next event has to have. */
  #seq = 0;
  /** Something of the answer has come: it cannot be asked for anew. */
  #begun = false;
  #paused = false;
  /** What came while the reader was slow, from `#told` on. */
  #held: Held[] = [];
  #told = 0;
  #heldSize = 0;
  /** How many workers were given this command. */
  attempts = 0;
  /** The conversation that it is in, as far as that is known. */
  conversation: string | undefined;

  constructor(order: Order, { listener, upstream }: { readonly listener: CommandListener; readonly upstream: string }) {
    this.order = order;
    this.conversation = order.conversation;
    this.#listener = listener;
    this.#upstream = upstream;
  }

  get over(): boolean {
    return this.#over;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** It waits or runs there now. */
  holdBy(holder: Holder): void {
    this.#holder = holder;
    if (this.#paused) holder.pace(this, true);
  }

  /** A piece as the worker counts them; `size` in characters. */
  event({ seq, delta, size }: { readonly seq: number; readonly delta: unknown; readonly size: number }): void {
    if (this.#over) return;
    if (seq !== this.#seq) {
      this.break(`sent event ${seq} instead of event ${this.#seq}`);
      return;
    }
    this.#begun = true;
    this.#seq += 1;
    this.#take({ report: () => this.#listener.delta(delta), size });
  }

  /** The worker is done; `seq` says how many events it has sent. */
  result({ seq, result, size }: { readonly seq: number | undefined; readonly result: unknown; readonly size: number }) {
    if (this.#over) return;
    if (seq !== undefined && seq !== this.#seq) {
      this.break(`counted ${seq} events, and ${this.#seq} came`);
      return;
    }
    this.#end({ report: () => this.#listener.result(result), size });
  }

  fail(failure: ErrorMessage | DragomanError): void {
    if (!this.#over) this.#end({ report: () => this.#listener.fail(failure), size: 0 });
  }

  /** The worker did what makes its answer worthless: it is stopped, and the listener hears why after what was held. */
  break(what: string): void {
    if (this.#over) return;
    this.fail(new DragomanError('upstream-failed', `A worker of the upstream "${this.#upstream}" ${what}.`));
    this.#holder?.drop(this);
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    if (!this.#over) this.#holder?.pace(this, true);
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#reportHeld();
    if (!this.#over && !this.#paused) this.#holder?.pace(this, false);
  }

  abort(): void {
    this.#held = [];
    this.#told = 0;
    if (this.#over) return;
    this.#over = true;
    this.#holder?.drop(this);
  }

  /** The holder has nothing more to do with it; what is held still reaches the listener. */
  #end(last: Held): void {
    this.#begun = true;
    this.#over = true;
    this.#take(last);
  }

  #take(held: Held): void {
    if (!this.#paused && this.#held.length === 0) {
      this.#report(held);
      return;
    }
    this.#held.push(held);
    this.#heldSize += held.size;
    if (this.#heldSize > mostHeld && !this.#over) this.break('did not pause when it was asked to');
  }

  #reportHeld(): void {
    while (!this.#paused) {
      const held = this.#held[this.#told];
      if (held === undefined) break;
      this.#told += 1;
      this.#heldSize -= held.size;
      this.#report(held);
    }
    if (this.#told < this.#held.length) return;
    this.#held = [];
    this.#told = 0;
  }

  #report({ report }: Held): void {
    try {
      report();
    } catch (thrown) {
      this.#refuse(thrown);
    }
  }

  /** The listener cannot take what came: it hears nothing more but the reason. */
  #refuse(thrown: unknown): void {
    const wasOver = this.#over;
    this.#over = true;
    this.#held = [];
    this.#told = 0;
    if (!wasOver) this.#holder?.drop(this);
    this.#listener.fail(toDragomanError(thrown));
  }
}
