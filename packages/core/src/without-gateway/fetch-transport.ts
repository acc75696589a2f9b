import { retryAfterOf } from '../discovery/read-list.ts';
import { DragomanError } from '../errors.ts';
import { writeJson } from '../json/json-text.ts';
import type { Connection, Receiver, Transport, UpstreamRequest } from '../stream/transport.ts';

export interface FetchTransportOptions {
  /** The address that a request's path is appended to. */
  readonly baseUrl: string;
  /** Sent with every request, lower-case names; the key is among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends it. Default: the host's own `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Sends requests with `fetch`, which every host has: browsers, workers, editors and Node. Deadlines are the engine's. A
 * paused answer is not read on, so the upstream feels it.
 */
export function createFetchTransport({ baseUrl, headers, fetch: send = fetch }: FetchTransportOptions): Transport {
  const base = new URL(baseUrl);
  const own = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/x-ndjson, application/json',
  };
  return {
    send: (request, receiver) => {
      const init = {
        method: request.method ?? 'POST',
        // What is configured wins over what one request wants.
        headers: { ...own, ...request.headers, ...headers },
        ...(request.method === 'GET' ? {} : { body: writeJson(request.body) }),
      };
      const exchange = new Exchange(request.upstream, receiver);
      void exchange.run((signal) => send(urlOf(base, request), { ...init, signal }));
      return exchange;
    },
  };
}

function urlOf(base: URL, { path, fromRoot }: UpstreamRequest): string {
  const prefix = fromRoot === true ? '' : base.pathname.replace(/\/$/, '');
  const url = new URL(prefix + path, base.origin);
  for (const [name, value] of base.searchParams) url.searchParams.append(name, value);
  return url.href;
}

/** One request and its answer. */
class Exchange implements Connection {
  readonly #upstream: string;
  readonly #receiver: Receiver;
  readonly #stop = new AbortController();
  #resume: (() => void) | undefined;
  #waiting: Promise<void> | undefined;

  constructor(upstream: string, receiver: Receiver) {
    this.#upstream = upstream;
    this.#receiver = receiver;
  }

  async run(send: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    const { signal } = this.#stop;
    let started = false;
    try {
      const response = await send(signal);
      if (signal.aborted) return;
      started = true;
      const contentType = response.headers.get('content-type')?.split(';')[0] ?? '';
      const retryAfter = retryAfterOf(response.headers.get('retry-after') ?? '');
      this.#receiver.start(response.status, contentType.trim().toLowerCase(), retryAfter);
      const reader = response.body?.getReader();
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        if (!signal.aborted) this.#receiver.data(piece.value);
        await this.#waiting;
        if (signal.aborted) return;
      }
      if (!signal.aborted) this.#receiver.end();
    } catch (thrown) {
      if (!signal.aborted) this.#receiver.fail(failureOf(this.#upstream, { thrown, started }));
    }
  }

  pause(): void {
    this.#waiting ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume?.();
    this.#waiting = undefined;
  }

  abort(): void {
    this.#stop.abort();
    this.resume();
  }
}

/** Browsers don't tell why `fetch` failed: not reached, and refused by the server's CORS rules, look the same. */
function failureOf(upstream: string, { thrown, started }: { thrown: unknown; started: boolean }): DragomanError {
  const options = { cause: thrown };
  if (isSilence(thrown)) {
    const message = `The upstream "${upstream}" was silent for longer than this host waits.`;
    return new DragomanError(started ? 'idle-timeout' : 'first-token-timeout', message, options);
  }
  return started
    ? new DragomanError('upstream-cut', `The upstream "${upstream}" broke off its answer.`, options)
    : new DragomanError('upstream-unreachable', `The upstream "${upstream}" cannot be reached.`, options);
}

/** Node's own fetch ends every silence of 300 seconds, and says so in the cause. */
function isSilence(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}
