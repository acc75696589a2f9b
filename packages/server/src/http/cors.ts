import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';

/** Obsidian on a desktop. No web site can have this origin. */
const obsidian = 'app://obsidian.md';

/** Whether a page of this origin may call. Without a list: pages of this machine, when we serve only this machine. */
export function isAllowedOrigin(origin: string, config: Pick<Config, 'cors' | 'listen'>): boolean {
  const { origins } = config.cors;
  if (origins !== undefined) return origins.includes('*') || origins.includes(origin);
  if (!isLoopback(config.listen.host) || !URL.canParse(origin)) return false;
  return origin === obsidian || isLoopback(new URL(origin).hostname);
}

/** Lets an allowed page read the reply. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, config: Config): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('vary', 'origin');
  if (!isAllowedOrigin(origin, config)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, x-should-retry, x-dragoman-warnings');
}

/** Answers `OPTIONS`, with the permissions that a browser asks for before it calls. */
export function answerOptions(request: IncomingMessage, response: ServerResponse, methods: readonly string[]): void {
  response.setHeader('allow', methods.join(', '));
  if (response.hasHeader('access-control-allow-origin')) {
    response.setHeader('access-control-allow-methods', methods.join(', '));
    const asked = request.headers['access-control-request-headers'];
    response.setHeader('access-control-allow-headers', asked ?? 'authorization, content-type');
    response.setHeader('access-control-max-age', '600');
  }
  response.writeHead(204).end();
}
