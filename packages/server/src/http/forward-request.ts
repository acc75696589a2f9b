import { request as open } from 'node:http';
import type { Exchange } from './exchange.ts';

/**
 * Lets the process answer that runs the response which was asked for: the request goes there as it came, and its answer
 * back. Resolves with false where that process has ended meanwhile, and nothing of an answer has left.
 */
export function forwardRequest({ request, response, note }: Exchange, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url } = request;
    const headers = { ...request.headers, 'x-request-id': note.requestId };
    const forwarded = open({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    forwarded.once('response', (answer) => {
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      response.flushHeaders();
      answer.pipe(response);
      // Cut off there, it is cut off here.
      answer.once('error', () => response.destroy());
      resolve(true);
    });
    forwarded.once('error', () => {
      if (response.headersSent) response.destroy();
      resolve(response.headersSent);
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
}
