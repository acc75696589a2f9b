import { type Command, CommandRun } from './command-run.ts';
import { Link, type LinkEnd } from './link.ts';
import { type WebSocketClass, webSocketClass } from './web-socket.ts';

/** How a worker stands. */
export type WorkerState =
  | { readonly state: 'connecting' | 'ready' | 'closed' }
  /** The connection is lost, or there was none; the next attempt comes after `wait` milliseconds. */
  | { readonly state: 'waiting'; readonly wait: number; readonly reason: string };

export interface WorkerOptions {
  /** Where the gateway waits for workers, such as `wss://gateway.example/workers/laptop`. */
  readonly address: string;
  /** What the gateway wants to see. */
  readonly token?: string;
  /** What the gateway's log calls this worker. */
  readonly name?: string;
  /** How many commands it takes at once. Default: 1. */
  readonly concurrency?: number;
  /** What it can do, by the names of the commands. */
  readonly commands: Readonly<Record<string, Command>>;
  /** Hears how it goes. */
  readonly onState?: (state: WorkerState) => void;
  /** Where there is no global one: Node before version 22. */
  readonly WebSocket?: WebSocketClass;
  /** Milliseconds before the second attempt to connect, and the most between two. Default: 1 s, 30 s. */
  readonly backoff?: { readonly first: number; readonly most: number };
}

/** A worker that is connected, or tries to be. */
export interface ConnectedWorker {
  /** Takes no further commands, waits for those that run, and disconnects. */
  close(): Promise<void>;
  /** Resolves when it was closed. Rejects when the gateway has refused it for good: a wrong token, another version. */
  readonly closed: Promise<void>;
}

/**
 * Connects a worker to a gateway and keeps it connected: after a loss it tries again, each time waiting twice as long up
 * to a limit, with some chance in it so that many workers do not come back at once.
 */
export function connectWorker(options: WorkerOptions): ConnectedWorker {
  const worker = new ReconnectingWorker(options, webSocketClass(options.WebSocket));
  worker.connect();
  return worker;
}

class ReconnectingWorker implements ConnectedWorker {
  readonly closed: Promise<void>;
  readonly #options: WorkerOptions;
  readonly #Socket: WebSocketClass;
  readonly #settle: { resolve: () => void; reject: (reason: Error) => void };
  #link: Link | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #closing = false;

  constructor(options: WorkerOptions, Socket: WebSocketClass) {
    this.#options = options;
    this.#Socket = Socket;
    const { promise, ...settle } = deferred();
    this.closed = promise;
    this.#settle = settle;
    // Whoever does not look at it must not be ended by it.
    promise.catch(() => {});
  }

  connect(): void {
    const { address, token, name, concurrency, commands } = this.#options;
    this.#report({ state: 'connecting' });
    this.#link = new Link({
      socket: new this.#Socket(address),
      hello: {
        ...(token === undefined ? {} : { token }),
        ...(name === undefined ? {} : { name }),
        capabilities: { concurrency: concurrency ?? 1, methods: Object.keys(commands) },
      },
      run: (message, output) => {
        const run = new CommandRun(message, output);
        return { run, over: run.run(Object.hasOwn(commands, message.method) ? commands[message.method] : undefined) };
      },
      onReady: () => {
        this.#attempts = 0;
        this.#report({ state: 'ready' });
      },
      onEnd: (end) => this.#ended(end),
    });
    if (this.#closing) this.#link.leave();
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      if (this.#timer === undefined) this.#link?.leave();
      else this.#finish();
    }
    // A refusal is the business of whoever looks at `closed`.
    await this.closed.catch(() => {});
  }

  #ended({ reason, isFinal }: LinkEnd): void {
    this.#link = undefined;
    if (this.#closing) {
      this.#finish();
      return;
    }
    if (isFinal) {
      this.#closing = true;
      this.#report({ state: 'closed' });
      this.#settle.reject(new Error(`The gateway has refused this worker: ${reason}`));
      return;
    }
    const { first, most } = this.#options.backoff ?? { first: 1_000, most: 30_000 };
    const longest = Math.min(most, first * 2 ** this.#attempts);
    const wait = Math.round(longest * (0.5 + Math.random() / 2));
    this.#attempts += 1;
    this.#report({ state: 'waiting', wait, reason });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.connect();
    }, wait);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#report({ state: 'closed' });
    this.#settle.resolve();
  }

  #report(state: WorkerState): void {
    this.#options.onState?.(state);
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } {
  let resolve = (): void => {};
  let reject = (_: Error): void => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
