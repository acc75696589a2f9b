import type { CommandOutput, CommandRun } from './command-run.ts';
import {
  type CommandMessage,
  closeCodes,
  type GatewayMessage,
  type Hello,
  protocolVersion,
  type Ready,
  type WorkerMessage,
} from './protocol.ts';
import type { WebSocketLike } from './web-socket.ts';

/** Why a connection is over. */
export interface LinkEnd {
  readonly reason: string;
  /** Another attempt would end in the same way. */
  readonly isFinal: boolean;
}

export interface LinkOptions {
  readonly socket: WebSocketLike;
  readonly hello: Omit<Hello, 'type' | 'role' | 'version'>;
  /** Begins a command; `over` resolves at its end. */
  readonly run: (
    message: CommandMessage,
    output: CommandOutput,
  ) => { readonly run: CommandRun; readonly over: Promise<void> };
  readonly onReady: () => void;
  /** Once, whatever ends it. */
  readonly onEnd: (end: LinkEnd) => void;
}

/** No more is given to a connection that has so many bytes to send. */
const mostUnsent = 1024 * 1024;

/** Milliseconds between two looks whether these have left: a WebSocket does not say. */
const lookAgain = 10;

/** Closings after which another attempt is of no use. */
const finalCodes: readonly number[] = [
  closeCodes['token-wrong'],
  closeCodes['role-unknown'],
  closeCodes['version-unsupported'],
];

/** One connection to a gateway, from `hello` to its end. */
export class Link implements CommandOutput {
  readonly #options: LinkOptions;
  readonly #socket: WebSocketLike;
  readonly #runs = new Map<string, CommandRun>();
  #ready: Ready | undefined;
  /** What the gateway said before it closed the connection. */
  #refusal: string | undefined;
  /** What the WebSocket says of a failure; in browsers it says nothing. */
  #failure: string | undefined;
  #leaving = false;
  #over = false;
  #heart: ReturnType<typeof setInterval> | undefined;
  /** Since the last look: has the gateway said something, and has it been asked whether it is there? */
  #heard = false;
  #asked = false;

  constructor(options: LinkOptions) {
    const { socket, hello } = options;
    this.#options = options;
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.send({ type: 'hello', role: 'worker', version: protocolVersion, ...hello });
      if (this.#leaving) socket.close(1000);
    });
    socket.addEventListener('message', ({ data }) => this.#message(data));
    socket.addEventListener('close', ({ code, reason }) => this.#closed(code, reason));
    socket.addEventListener('error', ({ message }) => {
      this.#failure = message;
    });
  }

  send(message: WorkerMessage): boolean {
    const text = JSON.stringify(message);
    const most = this.#ready?.messageBytes ?? Number.POSITIVE_INFINITY;
    // A character is at most three bytes.
    if (text.length * 3 > most && new TextEncoder().encode(text).length > most) return false;
    if (!this.#over) this.#socket.send(text);
    return true;
  }

  async room(): Promise<void> {
    while (!this.#over && this.#socket.bufferedAmount > mostUnsent) {
      await new Promise((resolve) => setTimeout(resolve, lookAgain));
    }
  }

  /** Takes no further commands, and closes when those that run are over. */
  leave(): void {
    this.#leaving = true;
    if (this.#ready === undefined) {
      this.#socket.close(1000);
      return;
    }
    this.send({ type: 'leave' });
    this.#closeIfDone();
  }

  #message(data: unknown): void {
    this.#heard = true;
    this.#asked = false;
    const message = readGatewayMessage(data);
    if (message === undefined) this.#giveUp('the gateway sent a message that is not of its protocol', false);
    else this.#take(message);
  }

  #take(message: GatewayMessage): void {
    switch (message.type) {
      case 'ready':
        this.#begin(message);
        return;
      case 'command':
        this.#run(message);
        return;
      case 'cancel':
        this.#runs.get(message.id)?.cancel();
        return;
      case 'pause':
        this.#runs.get(message.id)?.pause();
        return;
      case 'resume':
        this.#runs.get(message.id)?.resume();
        return;
      case 'error':
        this.#refusal = message.message;
        return;
      case 'ping':
        this.send({ type: 'pong' });
        return;
      case 'pong':
        return;
      default:
        message satisfies never;
    }
  }

  #begin(ready: Ready): void {
    if (ready.version !== protocolVersion) {
      this.#giveUp(`the gateway speaks version ${ready.version}, this worker version ${protocolVersion}`, true);
      return;
    }
    this.#ready = ready;
    if (ready.heartbeat > 0) this.#heart = setInterval(() => this.#look(), 2 * ready.heartbeat);
    this.#options.onReady();
  }

  #run(message: CommandMessage): void {
    const { run, over } = this.#options.run(message, this);
    this.#runs.set(message.id, run);
    void over.then(() => {
      this.#runs.delete(message.id);
      this.#closeIfDone();
    });
  }

  /** A gateway that is silent for too long is asked once whether it is there: a page that slept hears old news first. */
  #look(): void {
    if (this.#heard) {
      this.#heard = false;
      return;
    }
    if (this.#asked) {
      this.#giveUp('the gateway is silent', false);
      return;
    }
    this.#asked = true;
    this.send({ type: 'ping' });
  }

  #closeIfDone(): void {
    if (this.#leaving && this.#runs.size === 0) this.#socket.close(1000);
  }

  #closed(code: number, reason: string): void {
    const closing = reason === '' ? `the connection was closed (${code})` : reason;
    const words = this.#refusal ?? this.#failure ?? closing;
    this.#end({ reason: words, isFinal: finalCodes.includes(code) });
  }

  #giveUp(reason: string, isFinal: boolean): void {
    this.#end({ reason, isFinal });
    this.#socket.close(1000);
  }

  #end(end: LinkEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#heart);
    for (const run of this.#runs.values()) run.cancel();
    this.#runs.clear();
    this.#options.onEnd(end);
  }
}

const ownTypes: readonly unknown[] = ['error', 'ping', 'pong'] satisfies GatewayMessage['type'][];
const typesAboutCommands: readonly unknown[] = [
  'command',
  'cancel',
  'pause',
  'resume',
] satisfies GatewayMessage['type'][];

/** What a gateway said; undefined for what is no message of the protocol. */
function readGatewayMessage(data: unknown): GatewayMessage | undefined {
  const value = parsed(data);
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return isMessage(value) ? (value as GatewayMessage) : undefined;
}

function isMessage(value: { readonly type: unknown }): boolean {
  const has = (name: string, type: 'string' | 'number') => typeof Reflect.get(value, name) === type;
  if (value.type === 'ready')
    return has('version', 'number') && has('heartbeat', 'number') && has('messageBytes', 'number');
  if (value.type === 'command') return has('id', 'string') && has('method', 'string');
  if (typesAboutCommands.includes(value.type)) return has('id', 'string');
  return ownTypes.includes(value.type);
}

function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
