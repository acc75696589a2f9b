/**
 * `fetch` without the time-outs of Node's own, which ends every silence of 300 seconds and takes no setting: a server on a
 * machine of one's own may read a long prompt for longer. It asks plain HTTP itself, without proxies; all else, and where
 * there is no Node, the editor's fetch does.
 */
export const patientFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
  const url = input instanceof Request ? input.url : String(input);
  const { protocol } = new URL(url);
  const body = init.body ?? undefined;
  const isPlain = !(input instanceof Request) && (body === undefined || typeof body === 'string');
  const modules = isPlain && protocol === 'http:' ? nodeModules() : undefined;
  if (modules === undefined) return globalThis.fetch(input, init);
  return ask(modules, { url, init, body: typeof body === 'string' ? body : undefined });
};

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: string | undefined;
}

/** Statuses of answers that have no body. */
const bodiless = [204, 205, 304];

function ask({ http, stream }: NodeModules, { url, init, body }: Asked): Promise<Response> {
  const { signal, method = 'GET' } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = http.request(url, { method, headers, signal: signal ?? undefined });
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    request.on('response', (message) => {
      const { statusCode: status = 502, statusMessage: statusText = '' } = message;
      const content = bodiless.includes(status) ? null : stream.Readable.toWeb(message);
      resolve(new Response(content, { status, statusText, headers: pairsOf(message.rawHeaders) }));
    });
    request.end(body);
  });
}

/** Names and values are in one list by turns. */
function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}

/**
 * What of Node's modules is used, where the host has them: desktops and servers do, web workers don't. They are asked for by
 * their official way for code that runs in both; `require` would make the bundle fail in a worker.
 */
interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/** An answer as Node gets it. */
interface IncomingMessage {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly rawHeaders: readonly string[];
}

interface ClientRequest {
  on(event: 'response', listener: (message: IncomingMessage) => void): ClientRequest;
  on(event: 'error', listener: (error: Error) => void): ClientRequest;
  end(body?: string): void;
}

interface NodeHttp {
  readonly request: (
    url: string,
    options: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal | undefined;
    },
  ) => ClientRequest;
}

interface NodeStream {
  readonly Readable: { readonly toWeb: (message: IncomingMessage) => ReadableStream<Uint8Array> };
}

interface NodeModules {
  readonly http: NodeHttp;
  readonly stream: NodeStream;
}

/** Absent where the host has none. */
function nodeModules(): NodeModules | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const http = process?.getBuiltinModule?.('node:http');
  const stream = process?.getBuiltinModule?.('node:stream');
  if (http === undefined || stream === undefined) return undefined;
  return { http: http as NodeHttp, stream: stream as NodeStream };
}
