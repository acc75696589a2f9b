import {
  type CloseReason,
  closeCodes,
  type EventMessage,
  type GatewayMessage,
  type ResultMessage,
} from '@dragoman/worker';
import type { RawData, WebSocket } from 'ws';
import { isRecord } from '../../is-record.ts';
import type { Codec, Said } from './codecs.ts';
import type { Command, Holder } from './command.ts';
import { WorkerFault } from './worker-fault.ts';
import type { Worker, WorkerPool } from './worker-pool.ts';

export interface WorkerConnectionOptions {
  readonly id: string;
  readonly socket: WebSocket;
  readonly codec: Codec;
  readonly pool: WorkerPool;
  readonly concurrency: number;
  /** The commands that it knows; absent: all. */
  readonly methods?: readonly string[];
  /** Milliseconds between two pings; 0: none. One that is silent for twice as long is gone. */
  readonly heartbeat: number;
  /** The connection is over: why, in words, and how many commands it had. */
  readonly left: (why: string, lost: number) => void;
}

/** Bytes that may wait for a worker that does not read; it gets no command while there are more. */
const mostUnread = 16 * 1024 * 1024;

/**
 * One worker that was let in: tells it its commands, and them what it says. Whatever it says out of turn ends the
 * connection: nothing that it said before can be trusted to be whole, then.
 */
export class WorkerConnection implements Worker, Holder {
  readonly id: string;
  readonly concurrency: number;
  readonly #options: WorkerConnectionOptions;
  readonly #socket: WebSocket;
  readonly #commands = new Map<string, Command>();
  readonly #ids = new Map<Command, string>();
  /** Nobody waits for these any more, but the worker still has them. */
  readonly #givenUp = new GivenUp(() => this.#freed());
  readonly #heart: Heartbeat;
  #count = 0;
  /** It takes no further command, and its connection closes in this way after the last one. */
  #leaving: { readonly code: number; readonly why: string } | undefined;
  #left = false;

  constructor(options: WorkerConnectionOptions) {
    const { id, concurrency, socket, heartbeat } = options;
    this.id = id;
    this.concurrency = concurrency;
    this.#options = options;
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('pong', () => this.#heart.heard());
    socket.once('error', (error) => this.#leave(whyBroken(error)));
    socket.once('close', () => this.#leave('it closed the connection'));
    this.#heart = new Heartbeat({ every: heartbeat, ping: () => this.#ping(), silent: (why) => this.#end(why) });
  }

  get running(): number {
    return this.#commands.size + this.#givenUp.running;
  }

  get free(): boolean {
    return (
      this.#leaving === undefined &&
      !this.#left &&
      this.#socket.readyState === this.#socket.OPEN &&
      this.running < this.concurrency &&
      this.#socket.bufferedAmount < mostUnread
    );
  }

  knows(method: string): boolean {
    return this.#options.methods?.includes(method) ?? true;
  }

  start(command: Command): void {
    this.#count += 1;
    const id = `${this.id}-${this.#count}`;
    this.#commands.set(id, command);
    this.#ids.set(command, id);
    const { method, params, deadline } = command.order;
    this.#send({ type: 'command', id, method, params, ...(deadline > 0 ? { deadline } : {}) });
    command.holdBy(this);
  }

  drop(command: Command): void {
    const id = this.#ids.get(command);
    if (id === undefined) return;
    this.#release(id);
    this.#givenUp.add(id);
    this.#send({ type: 'cancel', id });
  }

  pace(command: Command, paused: boolean): void {
    const id = this.#ids.get(command);
    if (id !== undefined) this.#send({ type: paused ? 'pause' : 'resume', id });
  }

  /** Tells the worker something outside of commands. */
  report(message: GatewayMessage): void {
    this.#send(message);
  }

  /** Closes it as soon as nothing runs on it. */
  goAway(): void {
    this.#leaving = { code: 1001, why: 'the gateway is shutting down' };
    this.#closeIfDone();
  }

  /** Ends it at once. */
  terminate(): void {
    this.#end('the gateway ended the connection');
  }

  #message(data: RawData, isBinary: boolean): void {
    this.#heart.heard();
    // What arrives after our own word that the connection ends is not for us any more.
    if (this.#left) return;
    try {
      if (isBinary) throw new WorkerFault('bad-message', 'A message must be text.');
      const text = String(data);
      this.#take(this.#options.codec.read(text), text.length);
    } catch (thrown) {
      if (!(thrown instanceof WorkerFault)) throw thrown;
      this.#refuse(thrown.reason, thrown.message);
    }
  }

  #take(said: Said, size: number): void {
    switch (said.type) {
      case 'event': {
        const command = this.#commandOf(said.id);
        if (command !== undefined && this.#isInPlace(said.delta, command)) command.event({ ...said, size });
        return;
      }
      case 'result': {
        const command = this.#commandOf(said.id);
        if (command !== undefined && this.#isInPlace(said.result, command)) command.result(sized(said, size));
        this.#done(said.id);
        return;
      }
      case 'error':
        this.#commandOf(said.id)?.fail(said);
        this.#done(said.id);
        return;
      case 'ping':
        this.#send({ type: 'pong' });
        return;
      case 'pong':
        // What it had not read may be read by now.
        this.#options.pool.look();
        return;
      case 'leave':
        this.#leaving ??= { code: 1000, why: 'it wanted to leave' };
        this.#closeIfDone();
        return;
      default:
        said satisfies never;
    }
  }

  /** Undefined for a command that was given up. Throws WorkerFault for one that this worker does not have. */
  #commandOf(id: string): Command | undefined {
    const command = this.#commands.get(id);
    if (command !== undefined || this.#givenUp.has(id)) return command;
    throw new WorkerFault('bad-message', `No command ${JSON.stringify(id.slice(0, 100))} runs at this worker.`);
  }

  /** Whether the conversation that a piece names may be that of the command; if not, the command has failed. */
  #isInPlace(piece: EventMessage['delta'], command: Command): boolean {
    const conversation = isRecord(piece) ? piece.conversationId : undefined;
    if (typeof conversation !== 'string' && typeof conversation !== 'number') return true;
    if (this.#options.pool.named(String(conversation), { worker: this, command })) return true;
    command.break('gave a new conversation the id of another one; ids must differ between all workers');
    return false;
  }

  /** It is no longer this worker's to answer. */
  #release(id: string): void {
    const command = this.#commands.get(id);
    this.#commands.delete(id);
    if (command !== undefined) this.#ids.delete(command);
  }

  #done(id: string): void {
    this.#release(id);
    this.#givenUp.end(id);
    this.#freed();
  }

  /** There may be room for another command, or nothing left to wait for. */
  #freed(): void {
    this.#closeIfDone();
    this.#options.pool.look();
  }

  #closeIfDone(): void {
    if (this.#leaving === undefined || this.running > 0) return;
    const { code, why } = this.#leaving;
    this.#leave(why);
    this.#socket.close(code, why);
  }

  #ping(): void {
    // Where a worker's program has no word for it, its WebSocket answers.
    if (this.#options.codec.write({ type: 'ping' }) === undefined) this.#socket.ping();
    else this.#send({ type: 'ping' });
  }

  #send(message: GatewayMessage): void {
    const text = this.#options.codec.write(message);
    if (text !== undefined && this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }

  #refuse(reason: CloseReason, message: string): void {
    this.#send({ type: 'error', code: reason, message });
    this.#leave(message);
    this.#socket.close(closeCodes[reason], reason);
  }

  #end(why: string): void {
    this.#leave(why);
    this.#socket.terminate();
  }

  /** What it still had is no longer its own, however long its connection takes to close. */
  #leave(why: string): void {
    if (this.#left) return;
    this.#left = true;
    this.#heart.stop();
    this.#givenUp.clear();
    const lost = [...this.#commands.values()];
    this.#commands.clear();
    this.#ids.clear();
    this.#options.pool.leave(this, lost);
    this.#options.left(why, lost.length);
  }
}

function sized({ seq, result }: ResultMessage, size: number): Parameters<Command['result']>[0] {
  return { seq, result, size };
}

function whyBroken(error: Error): string {
  const isTooLong = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  return isTooLong ? 'it sent a message that is larger than "messageBytes"' : error.message;
}

/** Milliseconds after which a command that was given up no longer counts as running, whether its worker says so or not. */
const longestGivingUp = 10_000;

/** The most ids that are remembered for messages that come late. */
const mostLate = 1_000;

/** Commands that nobody waits for any more, by the ids under which their worker still has them. */
class GivenUp {
  readonly #freed: () => void;
  /** These still count. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Their worker never said that they are over; what it still says of them is passed over. */
  readonly #late = new Set<string>();

  /** `freed`: one of them no longer counts. */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  /** How many still count as running. */
  get running(): number {
    return this.#timers.size;
  }

  has(id: string): boolean {
    return this.#timers.has(id) || this.#late.has(id);
  }

  add(id: string): void {
    const forget = () => {
      this.#timers.delete(id);
      this.#late.add(id);
      if (this.#late.size > mostLate) this.#late.delete(this.#late.values().next().value ?? '');
      this.#freed();
    };
    this.#timers.set(id, setTimeout(forget, longestGivingUp));
  }

  /** The worker says that it is over. */
  end(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#late.delete(id);
  }

  /** The worker has gone. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#late.clear();
  }
}

interface HeartbeatOptions {
  /** Milliseconds between two pings. */
  readonly every: number;
  readonly ping: () => void;
  /** Nothing was heard for twice as long; why, in words. */
  readonly silent: (why: string) => void;
}

/** Notices a worker that is gone without a word. */
class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();

  constructor({ every, ping, silent }: HeartbeatOptions) {
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heardAt < 2 * every) ping();
      else silent(`it was silent for ${(2 * every) / 1000} s`);
    }, every);
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
