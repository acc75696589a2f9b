import { Deadline, type Patience } from './deadline.ts';
import { requestIdOf } from './read-error.ts';
import { type ClientErrorCode, clientError, ResponsesError } from './responses-error.ts';

/** `fetch`, or anything that does the same. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface ExchangeOptions {
  readonly fetch: Fetch;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
  /** Asks the server something that it answers at once. */
  readonly isThere?: (signal: AbortSignal) => Promise<unknown>;
}

/** The longest answer that is read, in bytes: far above any, and low enough that one without end can't fill the memory. */
const longestAnswer = 256 * 1024 * 1024;

/** One request and its answer. Everything fails with a `ResponsesError`. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #deadline: Deadline;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#deadline = new Deadline(options.patience, options.signal);
  }

  async send(url: string, init: RequestInit): Promise<Response> {
    const { fetch, isThere } = this.#options;
    const { signal } = this.#deadline;
    if (signal.aborted) throw signal.reason;
    this.#deadline.awaitAnswer(isThere);
    try {
      const answer = await Promise.race([fetch(url, { ...init, signal }), rejectedBy(signal)]);
      this.#deadline.awaitBytes();
      return answer;
    } catch (thrown) {
      this.close();
      throw this.#errorOf(thrown, `There is no connection to ${originOf(url)}`);
    }
  }

  /**
   * The bytes of the answer, as they come. Whoever stops reading stops the server, unless `isOver` says that the answer is
   * over.
   */
  async *chunks(answer: Response, isOver: () => boolean = () => false): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = answer.body?.getReader();
    if (reader === undefined) return;
    const { signal } = this.#deadline;
    const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
    signal.addEventListener('abort', stop, { once: true });
    let length = 0;
    try {
      for (;;) {
        if (signal.aborted) throw signal.reason;
        this.#deadline.listen();
        const { done, value } = await reader.read();
        if (signal.aborted) throw signal.reason;
        if (done) return;
        this.#deadline.hear();
        length += value.length;
        if (length > longestAnswer) throw tooLong(answer);
        yield value;
      }
    } catch (thrown) {
      throw this.#errorOf(thrown, 'The connection to the server broke', answer);
    } finally {
      signal.removeEventListener('abort', stop);
      if (isOver() && !signal.aborted) void drain(reader);
      else stop();
    }
  }

  /** A whole body. */
  async text(answer: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.chunks(answer)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  close(): void {
    this.#deadline.stop();
  }

  #errorOf(thrown: unknown, what: string, answer?: Response): ResponsesError {
    const { signal } = this.#deadline;
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (reason instanceof ResponsesError) return reason;
    const facts = answer === undefined ? {} : requestIdOf(answer);
    const cause = causeOf(thrown);
    const late = timeouts.get(cause);
    const code = late ?? (answer === undefined ? 'unreachable' : 'stream_cut');
    const said = late === undefined ? what : 'The server was silent for longer than this fetch waits';
    return clientError(code, `${said}${cause === '' ? '' : ` (${cause})`}.`, { ...facts, cause: thrown });
  }
}

/** Time-outs of Node's own fetch, which nobody can set: 10 seconds for a connection, 300 for any silence. */
const timeouts: ReadonlyMap<string, ClientErrorCode> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'idle_timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'idle_timeout'],
]);

/** Milliseconds in which a server ends its stream after the last event. */
const drainTime = 1000;

/** Reads on to the end, so that the connection can be used again; a server that does not end is not waited for. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const stop = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(stop, drainTime);
  try {
    for (let done = false; !done; ) ({ done } = await reader.read());
  } catch {
    // The answer is whole: what becomes of the connection concerns nobody.
  } finally {
    clearTimeout(timer);
  }
}

/** Not every `fetch` hears its signal. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tooLong(answer: Response): ResponsesError {
  const message = `The server's answer is longer than ${longestAnswer} bytes.`;
  return clientError('stream_cut', message, requestIdOf(answer));
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Node's fetch says "fetch failed", and the reason in its cause: that is one word of the system, such as ECONNREFUSED. */
function causeOf(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return '';
}

/** How much a line matters. At `trace` the whole bodies are told. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Hears what the client does and what it tolerates. Lines hold no key; `data` is a body. */
export type Log = (line: { readonly level: LogLevel; readonly message: string; readonly data?: unknown }) => void;
