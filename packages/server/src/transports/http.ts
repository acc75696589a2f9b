import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import {
  type Connection,
  DragomanError,
  type Receiver,
  retryAfterOf,
  type Transport,
  type UpstreamRequest,
  writeJsonBytes,
} from '@dragoman/core';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { codeOf } from '../code-of.ts';

export interface HttpTransportOptions {
  /** The address that a request's path is appended to. */
  readonly baseUrl: string;
  /** Sent with every request, lower-case names; the key is among them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpTransport extends Transport {
  /** Makes what sends the first request, which then need not. It opens no connection. */
  makeReady?(): void;
  /** Closes the idle connections and waits for the busy ones. Calling it again changes nothing. */
  close(): Promise<void>;
}

/**
 * Sends requests over connections that are kept open. Deadlines are the engine's: all that is bounded here is how long a
 * connection may take to open. Paused answers stop being read, so the upstream feels it through TCP.
 *
 * Servers close connections that were idle for a while, some after five seconds. A request may cross that: its connection
 * closes, and not one byte of an answer has come. Such a request is sent once more, over a new connection.
 */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const url = new URL(options.baseUrl);
  const prefix = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  let connections: Connections | undefined;
  const opened = () => {
    connections ??= new Connections(url.origin);
    return connections;
  };
  const own = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/x-ndjson, application/json',
    // Compression would hold a stream's small pieces back.
    'accept-encoding': 'identity',
    'user-agent': 'dragoman',
  };
  const headers = { ...own, ...options.headers };
  return {
    send(request, receiver) {
      const path = request.fromRoot === true ? request.path : prefix + request.path;
      // What is configured wins over what one request wants.
      const all = request.headers === undefined ? headers : { ...own, ...request.headers, ...options.headers };
      const method = request.method ?? 'POST';
      const dispatched = () => ({ method, path: withQuery(path, url.search), ...bodyOf(body, all) });
      const body = method === 'GET' ? null : encoded(request);
      const exchange = new Exchange({
        upstream: request.upstream,
        receiver,
        again: () => opened().dispatchAlone(dispatched(), exchange),
      });
      try {
        opened().dispatch(dispatched(), exchange);
      } catch (thrown) {
        exchange.onResponseError(undefined, thrown);
      }
      return exchange;
    },
    makeReady: () => opened().makeReady(),
    close: async () => connections?.close(),
  };
}

/** What undici takes. Its types don't know of all that may be a body. */
interface DispatchOptions extends Omit<Dispatcher.DispatchOptions, 'body'> {
  readonly body: TakenOnce | Uint8Array | null;
}

/** Milliseconds to open a connection. */
const connectTimeout = 10_000;

/** The connections to one server: as many as there are requests at once. */
class Connections {
  readonly #origin: string;
  readonly #undici = loadUndici();
  readonly #connect: buildConnector.connector;
  /** Those that are kept, also the busy ones. */
  readonly #kept = new Set<Line>();
  /** Those of them that are free. The last one that was used is the likeliest to be open. */
  readonly #free: Line[] = [];
  readonly #alone = new Set<Promise<void>>();
  #closed = false;

  constructor(origin: string) {
    this.#origin = origin;
    this.#connect = this.#undici.buildConnector({ timeout: connectTimeout });
  }

  makeReady(): void {
    if (this.#kept.size === 0) this.#free.push(this.#keep());
  }

  /** Sends over a connection that is kept, or over a new one. */
  dispatch(options: DispatchOptions, exchange: Exchange): void {
    (this.#free.pop() ?? this.#keep()).dispatch(options, exchange);
  }

  /** Sends over a connection of its own. */
  dispatchAlone(options: DispatchOptions, exchange: Exchange): void {
    const line = this.#open();
    line.dispatch(options, exchange);
    // Closes once its one request is over.
    const closed = line.client.close().finally(() => this.#alone.delete(closed));
    this.#alone.add(closed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#free.length = 0;
    const kept = [...this.#kept];
    this.#kept.clear();
    await Promise.all([...this.#alone, ...kept.map(({ client }) => client.close())]);
  }

  #keep(): Line {
    if (this.#closed) throw new Error('the connections are closed');
    const line = this.#open();
    this.#kept.add(line);
    line.client.on('drain', () => {
      if (!line.isBusy || !this.#kept.has(line)) return;
      line.isBusy = false;
      this.#free.push(line);
    });
    line.client.on('connectionError', () => this.#kept.delete(line));
    return line;
  }

  #open(): Line {
    return new Line(this.#origin, this.#undici.Client, this.#connect);
  }
}

const settings = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1 };

/** One connection at a time, of which its exchanges know. */
class Line {
  readonly client: Sender;
  /** Something was sent, and it is not over. */
  isBusy = false;
  #socket: Socket | undefined;

  constructor(origin: string, client: Undici['Client'], connect: buildConnector.connector) {
    this.client = new client(origin, {
      ...settings,
      connect: (options, opened) =>
        connect(options, (...told) => {
          this.#socket = told[1] ?? undefined;
          opened(...told);
        }),
    });
  }

  dispatch(options: DispatchOptions, exchange: Exchange): void {
    this.isBusy = true;
    exchange.line = this;
    this.client.dispatch(options, exchange);
  }

  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }
}

/** In bytes: to keep a shorter body for as long as its answer runs costs less than to have it taken. */
const keptLength = 4096;

function encoded({ body, bytes }: UpstreamRequest): Uint8Array {
  return bytes ?? writeJsonBytes(body);
}

function bodyOf(
  body: Uint8Array | null,
  headers: HttpTransportOptions['headers'],
): Pick<DispatchOptions, 'body' | 'headers'> {
  if (body === null || body.length < keptLength) return { body, headers };
  return { body: new TakenOnce(body), headers: { ...headers, 'content-length': String(body.length) } };
}

/** A body that undici lets go of once it has been taken: it keeps what it is given until the answer is over. */
class TakenOnce implements AsyncIterableIterator<Uint8Array> {
  #bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#bytes;
    this.#bytes = undefined;
    return Promise.resolve(value === undefined ? { value, done: true } : { value, done: false });
  }
}

interface Sender {
  dispatch(options: DispatchOptions, handler: Dispatcher.DispatchHandler): boolean;
  on(event: 'drain' | 'connectionError', listener: () => void): unknown;
  close(): Promise<void>;
}

interface Undici {
  readonly buildConnector: typeof buildConnector;
  readonly Client: new (origin: string, options: Client.Options) => Sender;
}

const load = createRequire(import.meta.url);

/**
 * The part of the library that sends, a quarter of it. It takes 30 ms to load: a gateway does that once it listens, whoever sends
 * earlier does it then.
 */
export function loadUndici(): Undici {
  return {
    buildConnector: load('undici/lib/core/connect.js'),
    Client: load('undici/lib/dispatcher/client.js'),
  };
}

/** A path, which may have a query, with that of the base URL. */
function withQuery(path: string, search: string): string {
  return search !== '' && path.includes('?') ? `${path}&${search.slice(1)}` : path + search;
}

interface ExchangeOptions {
  readonly upstream: string;
  readonly receiver: Receiver;
  readonly again: () => void;
}

/**
 * One request and its answer: what undici tells, passed on until somebody gives up. It tells of each HTTP chunk of a read by
 * itself; they go on together once all are there, so that what many short frames become leaves in one write.
 */
class Exchange implements Dispatcher.DispatchHandler, Connection {
  readonly #upstream: UpstreamRequest['upstream'];
  readonly #receiver: Receiver;
  /** Sends it once more; absent once that is not wanted any more. It holds the body. */
  #again: (() => void) | undefined;
  /** What it is sent over. */
  line: Line | undefined;
  /** So many bytes of earlier answers had come over the connection when the request went out. */
  #readBefore = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #paused = false;
  #started = false;
  #done = false;
  /** The chunks of this read. */
  #arrived: Uint8Array[] = [];

  constructor({ upstream, receiver, again }: ExchangeOptions) {
    this.#upstream = upstream;
    this.#receiver = receiver;
    this.#again = again;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#readBefore = this.line?.bytesRead ?? 0;
    // Who closes a new connection means this request.
    if (this.#readBefore === 0) this.#again = undefined;
    if (this.#done) controller.abort(new Error('given up before it was sent'));
    else if (this.#paused) controller.pause();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#again = undefined;
    // They are read, and hold all that came with them.
    controller.rawHeaders = null;
    // 1xx answers announce that the real one follows.
    if (this.#done || status < 200) return;
    this.#started = true;
    const retryAfter = retryAfterOf(first(headers['retry-after']));
    const coding = first(headers['content-encoding']).trim().toLowerCase();
    if (compressions.has(coding)) {
      this.abort();
      this.#compressed({ status, coding, retryAfter });
      return;
    }
    const contentType = first(headers['content-type']).split(';')[0] ?? '';
    this.#receiver.start(status, contentType.trim().toLowerCase(), retryAfter);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return;
    if (this.#arrived.push(chunk) === 1) process.nextTick(passOn, this);
  }

  /** Tells of what has arrived, unless nobody wants it now. */
  passOn(): void {
    const chunks = this.#arrived;
    const [only] = chunks;
    if (only === undefined || this.#paused || this.#done) return;
    this.#arrived = [];
    this.#receiver.data(chunks.length === 1 ? only : Buffer.concat(chunks));
  }

  onResponseEnd(): void {
    this.#passOnAll();
    if (this.#done) return;
    this.#done = true;
    this.#receiver.end();
  }

  onResponseError(_controller: unknown, thrown: unknown): void {
    const again = this.#again;
    this.#again = undefined;
    if (!this.#done && again !== undefined && this.#hasCrossed(thrown)) {
      again();
      return;
    }
    this.#passOnAll();
    if (this.#done) return;
    this.#done = true;
    this.#receiver.fail(readFailure(this.#upstream, { thrown, started: this.#started }));
  }

  /** Whether the connection was kept and has closed before one byte of an answer came. */
  #hasCrossed(thrown: unknown): boolean {
    return this.#readBefore > 0 && isClosed(codeOf(thrown)) && this.line?.bytesRead === this.#readBefore;
  }

  /** Nothing will come after it, so it is told whoever waits. */
  #passOnAll(): void {
    this.#paused = false;
    this.passOn();
  }

  /** Of an error answer the status still tells; a reply is lost. */
  #compressed(head: {
    readonly status: number;
    readonly coding: string;
    readonly retryAfter: number | undefined;
  }): void {
    const { status, coding, retryAfter } = head;
    if (status >= 300) {
      this.#receiver.start(status, 'text/plain', retryAfter);
      this.#receiver.data(Buffer.from(`words with content-encoding ${coding}, which was not asked for.`));
      this.#receiver.end();
      return;
    }
    const words = `The upstream "${this.#upstream}" answered with content-encoding ${coding}, which was not asked for. Switch compression off there, or in the proxy before it.`;
    this.#receiver.fail(new DragomanError('upstream-unreadable', words, { upstreamStatus: status }));
  }

  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#arrived.length > 0) process.nextTick(passOn, this);
    this.#controller?.resume();
  }

  abort(): void {
    if (this.#done) return;
    this.#done = true;
    this.#again = undefined;
    this.#arrived = [];
    this.#controller?.abort(new Error('the client has gone'));
  }
}

function passOn(exchange: Exchange): void {
  exchange.passOn();
}

function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** What would arrive as bytes that nobody can read. Other words in the header, such as `utf-8`, are mistakes that do no harm. */
const compressions: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'compress', 'br', 'zstd']);

/** What went wrong, naming the upstream but neither its address nor its key. */
function readFailure(upstream: string, failure: { thrown: unknown; started: boolean }): DragomanError {
  const { thrown, started } = failure;
  const code = codeOf(thrown);
  const options = { cause: thrown };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new DragomanError(
      'connect-timeout',
      `The upstream "${upstream}" did not accept a connection in time.`,
      options,
    );
  }
  if (started) {
    return new DragomanError('upstream-cut', `The upstream "${upstream}" broke off its answer.`, options);
  }
  if (isClosed(code)) {
    return new DragomanError(
      'upstream-cut',
      `The upstream "${upstream}" closed the connection without an answer.`,
      options,
    );
  }
  const reason = code === '' ? '' : ` (${code})`;
  return new DragomanError(
    'upstream-unreachable',
    `The upstream "${upstream}" cannot be reached${reason}.${whatToDo.get(code) ?? ''}`,
    options,
  );
}

function isClosed(code: string): boolean {
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** By what Node calls the failure: what a person can do who reads it in an agent. */
const whatToDo: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', ' Nothing listens there: start the server.'],
  ['ENOTFOUND', ' Its name is not known: is this machine on the network, and the address right?'],
  ['EAI_AGAIN', ' Its name is not known: is this machine on the network, and the address right?'],
  ['EHOSTUNREACH', ' No way leads there: is this machine on the network, and the server on?'],
  ['ENETUNREACH', ' No way leads there: is this machine on the network?'],
]);
