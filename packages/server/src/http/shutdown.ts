import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DragomanError } from '@dragoman/core';
import type { Gateway } from './exchange.ts';

/** Milliseconds that clients have to take the error that ends their replies. */
const lastWords = 1_000;

/** Closes a server in order, with the connections that it has accepted and those it was given. Make it before the server listens. */
export class Shutdown {
  readonly #server: Server;
  readonly #gateway: () => Gateway;
  readonly #closed: Promise<void>;
  readonly #open = new Set<Socket>();
  /** Connections that have not asked anything yet: browsers and pools open some in advance, and Node counts them as busy. */
  readonly #unused = new Set<Socket>();

  constructor(server: Server, gateway: () => Gateway) {
    this.#server = server;
    this.#gateway = gateway;
    this.#closed = new Promise((resolve) => {
      let isClosed = false;
      const check = () => isClosed && this.#open.size === 0 && resolve();
      server.once('close', () => {
        isClosed = true;
        check();
      });
      server.on('connection', (socket) => {
        this.#unused.add(socket);
        this.#open.add(socket);
        socket.once('close', () => {
          this.#unused.delete(socket);
          this.#open.delete(socket);
          check();
        });
      });
    });
    server.on('request', ({ socket }) => this.#unused.delete(socket));
    server.on('upgrade', ({ socket }) => this.#unused.delete(socket));
    gateway().running.onEnd = () => this.#closeIfIdle();
  }

  /**
   * Waits for the running replies, then closes. The port stays open until the last one is over, so that late clients read
   * 503 instead of a refused connection. Replies that take longer than `timeouts.drain` are broken off.
   */
  async drain(): Promise<void> {
    const { counts, config } = this.#gateway();
    const { drain } = config.timeouts;
    counts.draining = true;
    const timer = drain === 0 ? undefined : setTimeout(() => this.#expire(drain), drain);
    this.#closeIfIdle();
    await this.#closed;
    clearTimeout(timer);
  }

  /** Ends running replies with the error `draining`, each in the terms of its wire, and closes. */
  async breakOff(): Promise<void> {
    const { counts, running } = this.#gateway();
    counts.draining = true;
    this.#close();
    running.breakOff(new DragomanError('draining', 'The gateway is shutting down and breaks this reply off.'));
    const timer = setTimeout(() => this.#closeAll(), lastWords);
    await this.#closed;
    clearTimeout(timer);
  }

  #expire(drain: number): void {
    const { counts, log } = this.#gateway();
    const running = `${counts.active} running ${counts.active === 1 ? 'request' : 'requests'}`;
    log.warn(`${running} broken off after ${drain} ms, see "timeouts.drain"`);
    void this.breakOff();
  }

  #closeIfIdle(): void {
    const { counts } = this.#gateway();
    if (counts.draining && counts.active === 0) this.#close();
  }

  /** Takes no further connections and closes those that nothing runs on. Calling it again closes what is idle by then. */
  #close(): void {
    if (this.#server.listening) this.#server.close();
    this.#server.closeIdleConnections();
    for (const socket of this.#unused) socket.destroy();
    for (const socket of this.#gateway().sockets) socket.goAway();
  }

  #closeAll(): void {
    this.#server.closeAllConnections();
    for (const socket of this.#gateway().sockets) socket.terminate();
  }
}

/** Open files that are neither a client's connection nor one to an upstream: libraries, stores, the log. */
const ownFiles = 64;

/** Connections that are taken beyond the bound, so that their clients hear why they are refused. */
const refusedAtOnce = 16;

/**
 * Bounds the connections of clients: each may need another one to an upstream, and a process without free files answers
 * nobody. What connects beyond that becomes a member of `surplus` until it is gone; far beyond it is closed at once.
 */
export function boundConnections(server: Server, surplus: WeakSet<object>): void {
  const files = mostFiles();
  if (files === undefined) return;
  const most = Math.max(4, Math.floor((files - ownFiles - refusedAtOnce) / 2));
  const open = new Set<Socket>();
  server.maxConnections = most + refusedAtOnce;
  server.prependListener('connection', (socket: Socket) => {
    // One that asks for a protocol that is not spoken here comes a second time.
    if (open.has(socket) || surplus.has(socket)) return;
    if (open.size >= most) {
      surplus.add(socket);
      return;
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
}

/** The process's limit of open files, where the system tells it: on Linux. */
function mostFiles(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
