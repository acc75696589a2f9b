import { type NodeModules, nodeModules } from './read-node.ts';

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
