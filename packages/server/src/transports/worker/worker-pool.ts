import { type Connection, DragomanError } from '@dragoman/core';
import { Command, type CommandListener, type Holder, type Order } from './command.ts';
import { WorkerFault } from './worker-fault.ts';

/** A worker that is connected. */
export interface Worker {
  readonly id: string;
  /** How many commands it takes at once. */
  readonly concurrency: number;
  /** How many it has. */
  readonly running: number;
  /** It could take one more now. */
  readonly free: boolean;
  knows(method: string): boolean;
  start(command: Command): void;
}

export interface WorkerPoolOptions {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** The most workers at once. */
  readonly most: number;
  /** For commands that no worker can take at once; `wait` in milliseconds. */
  readonly queue: { readonly limit: number; readonly wait: number };
}

/** How it stands, in numbers. */
export interface WorkerCounts {
  readonly connected: number;
  /** Workers that run something. */
  readonly busy: number;
  /** Commands that no worker has taken yet. */
  readonly waiting: number;
}

/** How many workers may lose one command before it counts as failed: it may be what ends them. */
const mostAttempts = 3;

/** The most conversations whose worker is remembered. */
const mostConversations = 10_000;

/**
 * The workers of one upstream. Each command goes to exactly one of them: to the one that has its conversation, else to
 * the one with the most room; while none has room it waits. A command whose worker leaves goes to another one as long as
 * nothing of its answer has come.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<string, Worker>();
  readonly #line: WaitingLine;
  readonly #homes = new ConversationHomes(mostConversations);
  /** Nothing is taken any more. */
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#line = new WaitingLine({ ...options.queue, expired: (command) => command.fail(this.#whyNone(command)) });
  }

  run(order: Order, listener: CommandListener): Connection {
    const command = new Command(order, { listener, upstream: this.#options.upstream });
    if (this.#closed) command.fail(closing());
    else if (!this.#place(command)) this.#wait(command);
    return command;
  }

  /** Throws WorkerFault when there are enough workers. */
  checkRoom(): void {
    const { most } = this.#options;
    if (this.#workers.size < most) return;
    throw new WorkerFault('too-many-workers', `${most} workers are connected, and no more may be.`);
  }

  /** It gets commands from the next `look` on. */
  join(worker: Worker): void {
    this.#workers.set(worker.id, worker);
  }

  /** A worker has gone, with the commands that it still had. */
  leave(worker: Worker, lost: readonly Command[]): void {
    this.#workers.delete(worker.id);
    // From behind, so that the first one is in front in the end.
    for (const command of [...lost].reverse()) this.#rescue(command);
    this.look();
  }

  /** A worker may have room now: those that wait are looked at. */
  look(): void {
    if (this.#line.length > 0) this.#line.place((command) => this.#place(command));
  }

  /** An answer names its conversation. False: the name is that of another conversation. */
  named(conversation: string, { worker, command }: { readonly worker: Worker; readonly command: Command }): boolean {
    if (conversation !== command.conversation && this.#homes.find(conversation) !== undefined) return false;
    command.conversation = conversation;
    this.#homes.keep(conversation, worker.id);
    return true;
  }

  counts(): WorkerCounts {
    const workers = [...this.#workers.values()];
    return {
      connected: workers.length,
      busy: workers.filter(({ running }) => running > 0).length,
      waiting: this.#line.length,
    };
  }

  /** Fails what waits; from now on all does. */
  close(): void {
    this.#closed = true;
    for (const command of this.#line.clear()) command.fail(closing());
  }

  #place(command: Command): boolean {
    const worker = this.#workerFor(command.order);
    if (worker === undefined) return false;
    command.attempts += 1;
    worker.start(command);
    return true;
  }

  #workerFor({ method, conversation }: Order): Worker | undefined {
    const home = this.#workers.get(this.#homes.find(conversation) ?? '');
    if (home?.knows(method)) return home.free ? home : undefined;
    let best: Worker | undefined;
    for (const worker of this.#workers.values()) {
      if (worker.free && worker.knows(method) && (best === undefined || loadOf(worker) < loadOf(best))) best = worker;
    }
    return best;
  }

  #wait(command: Command): void {
    if (this.#options.queue.wait === 0) command.fail(this.#whyNone(command));
    else if (this.#line.isFull) command.fail(this.#tooMany());
    else this.#line.add(command);
  }

  #rescue(command: Command): void {
    const { upstream } = this.#options;
    if (command.over) return;
    if (command.begun) {
      command.fail(
        new DragomanError('upstream-cut', `A worker of the upstream "${upstream}" left in the middle of its answer.`),
      );
    } else if (command.attempts >= mostAttempts) {
      const words = `${command.attempts} workers of the upstream "${upstream}" left without an answer, one after the other.`;
      command.fail(new DragomanError('upstream-cut', words));
    } else if (this.#closed) {
      command.fail(closing());
    } else {
      this.#line.add(command, true);
    }
  }

  #whyNone({ order: { method } }: Command): DragomanError {
    const { upstream } = this.#options;
    const able = [...this.#workers.values()].filter((worker) => worker.knows(method));
    if (able.length > 0) {
      const words = `All workers of the upstream "${upstream}" are busy (${able.length} connected).`;
      return new DragomanError('upstream-overloaded', words, { retryAfter: this.#retryAfter() });
    }
    const words =
      this.#workers.size === 0
        ? `No worker of the upstream "${upstream}" is connected. Start one, or try again once it is back.`
        : `No connected worker of the upstream "${upstream}" knows the command "${method}".`;
    return new DragomanError('worker-missing', words, { retryAfter: this.#retryAfter() });
  }

  #tooMany(): DragomanError {
    const words = `${this.#line.length} requests wait for workers of the upstream "${this.#options.upstream}" already.`;
    return new DragomanError('upstream-overloaded', words, { retryAfter: this.#retryAfter() });
  }

  /** Seconds. */
  #retryAfter(): number {
    return Math.max(1, Math.ceil(this.#options.queue.wait / 1000));
  }
}

/** The part of its room that a worker has given away. */
function loadOf({ running, concurrency }: Worker): number {
  return running / concurrency;
}

function closing(): DragomanError {
  return new DragomanError('draining', 'The gateway is shutting down and takes no new requests.');
}

interface WaitingLineOptions {
  /** The most commands that wait. */
  readonly limit: number;
  /** Milliseconds that one waits. */
  readonly wait: number;
  /** A command has waited for too long; it waits no more. */
  readonly expired: (command: Command) => void;
}

/** Commands that no worker could take yet, the first one first. */
class WaitingLine implements Holder {
  readonly #options: WaitingLineOptions;
  readonly #commands: Command[] = [];
  readonly #timers = new Map<Command, NodeJS.Timeout>();

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#commands.length;
  }

  get isFull(): boolean {
    return this.#commands.length >= this.#options.limit;
  }

  /** `first`: before all others, for one that has waited before. */
  add(command: Command, first = false): void {
    if (first) this.#commands.unshift(command);
    else this.#commands.push(command);
    this.#timers.set(
      command,
      setTimeout(() => {
        this.drop(command);
        this.#options.expired(command);
      }, this.#options.wait),
    );
    command.holdBy(this);
  }

  /** Takes out those that `place` finds a place for, looking at each once. */
  place(place: (command: Command) => boolean): void {
    for (const command of [...this.#commands]) {
      // Placing one may end another.
      if (!this.#timers.has(command)) continue;
      if (place(command)) this.drop(command);
    }
  }

  drop(command: Command): void {
    clearTimeout(this.#timers.get(command));
    if (!this.#timers.delete(command)) return;
    this.#commands.splice(this.#commands.indexOf(command), 1);
  }

  /** Nothing comes that could be paced. */
  pace(): void {}

  /** Takes out all. */
  clear(): readonly Command[] {
    const commands = [...this.#commands];
    for (const command of commands) this.drop(command);
    return commands;
  }
}

/** Ids longer than this are not remembered. */
const longestId = 1_000;

/** At which worker each conversation is; what was not used for longest is forgotten. */
class ConversationHomes {
  readonly #homes = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The id of the worker that has answered last in it. */
  find(conversation: string | undefined): string | undefined {
    return conversation === undefined ? undefined : this.#homes.get(conversation);
  }

  keep(conversation: string, worker: string): void {
    if (conversation.length > longestId) return;
    this.#homes.delete(conversation);
    this.#homes.set(conversation, worker);
    if (this.#homes.size <= this.#most) return;
    const oldest = this.#homes.keys().next();
    if (!oldest.done) this.#homes.delete(oldest.value);
  }
}
