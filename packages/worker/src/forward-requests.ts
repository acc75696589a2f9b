import type { Command } from './command-run.ts';
import type { RequestParams } from './protocol.ts';
import { WorkerError } from './worker-error.ts';

export interface ForwardOptions {
  /** Sent with every request, such as the key of the server; they win over what the gateway says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Characters of a piece: even with every one of them escaped it is a small message. */
const longestPiece = 8_192;

/**
 * The command `request`: makes the gateway's requests at one server, such as `http://127.0.0.1:11434`, and gives its
 * answers back as they come. No other server can be reached through it.
 */
export function forwardRequests(server: string, options: ForwardOptions = {}): Command {
  const base = new URL(server);
  return async function* forward(params, { signal }) {
    const { method, path, fromRoot, headers, body } = readRequestParams(params);
    const response = await fetch(addressOf(base, { path, fromRoot: fromRoot === true }), {
      method,
      headers: { ...headers, ...options.headers },
      // The gateway says what a redirect means; following it could take a key where it does not belong.
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    }).catch((thrown: unknown) => {
      throw new WorkerError('unreachable', `The worker cannot reach ${base.origin}${whyOf(thrown)}.`);
    });
    yield { status: response.status, headers: headOf(response.headers) };
    yield* piecesOf(response);
  };
}

async function* piecesOf({ body }: Response): AsyncGenerator<{ readonly data: string }, undefined> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      for (const data of slices(decoder.decode(value, { stream: !done }))) yield { data };
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A text in pieces that split no character. */
function* slices(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = from + longestPiece;
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last < 0xdc00) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

function addressOf(base: URL, { path, fromRoot }: { readonly path: string; readonly fromRoot: boolean }): URL {
  const prefix = fromRoot || base.pathname === '/' ? '' : base.pathname.replace(/\/$/, '');
  const url = new URL(base.origin + prefix + path);
  if (url.origin === base.origin && url.pathname.startsWith(`${prefix}/`)) return url;
  throw new WorkerError('forbidden', `The path ${path} leads away from ${base.origin}${prefix}.`);
}

function headOf(headers: Headers): Record<string, string> {
  const told: Record<string, string> = {};
  for (const name of ['content-type', 'retry-after']) {
    const value = headers.get(name);
    if (value !== null) told[name] = value;
  }
  return told;
}

function whyOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** The params of the command `request`. Throws WorkerError `bad-request`. */
function readRequestParams(params: unknown): RequestParams {
  const { method, path, headers = {}, body, fromRoot } = Object(params) as Partial<Record<string, unknown>>;
  if (method !== 'GET' && method !== 'POST') throw wrong('method', 'GET or POST');
  if (typeof path !== 'string' || !path.startsWith('/')) throw wrong('path', 'a text that begins with "/"');
  if (!isHeaders(headers)) throw wrong('headers', 'an object of texts');
  if (body !== undefined && typeof body !== 'string') throw wrong('body', 'a text');
  return { method, path, headers, fromRoot: fromRoot === true, ...(body === undefined ? {} : { body }) };
}

function isHeaders(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string');
}

function wrong(name: string, expected: string): WorkerError {
  return new WorkerError('bad-request', `"${name}" of a request must be ${expected}.`);
}
