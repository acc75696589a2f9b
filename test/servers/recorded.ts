import { once } from 'node:events';
import { createServer } from 'node:http';

/** A place in front of a server that keeps what passes. */
export interface Recorded {
  readonly url: string;
  /** Chat requests and their replies, as text. */
  readonly exchanges: readonly { readonly path: string; readonly asked: string; readonly told: string }[];
  close(): Promise<void>;
}

/** Passes everything on to the server as it comes. */
export async function recorded(target: string): Promise<Recorded> {
  const exchanges: { path: string; asked: string; told: string }[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = Buffer.concat(chunks).toString('utf8');
    const exchange = { path, asked, told: '' };
    if (request.method === 'POST') exchanges.push(exchange);
    const leaves = new AbortController();
    response.on('close', () => leaves.abort());
    try {
      const answer = await fetch(target + path, {
        method: request.method ?? 'GET',
        headers: { 'content-type': 'application/json' },
        signal: leaves.signal,
        ...(asked === '' ? {} : { body: asked }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) {
        exchange.told += decoder.decode(chunk, { stream: true });
        response.write(chunk);
      }
      response.end();
    } catch {
      // Either end has gone, and the other one hears it.
      response.destroy();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, exchanges, close };
}
