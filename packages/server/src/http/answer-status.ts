import { isLoopback } from '../config/load-config.ts';
import { version } from '../version.ts';
import type { Exchange } from './exchange.ts';
import { joinHealth, ownHealth } from './health.ts';
import { sendJson } from './send.ts';

/** The oldest Ollama version that Codex talks to. Copilot's Ollama provider wants 0.6.4, by the numbers of its parts. */
const ollamaVersion = '0.13.4';

/**
 * `GET /api/version`. `version` is what Ollama clients compare, `dragoman` is our own, and `process` says to whoever asks on
 * this machine who it is that holds the port.
 */
export function answerVersion({ request, response }: Exchange): void {
  const isHere = isLoopback(request.socket.remoteAddress?.replace('::ffff:', '') ?? '');
  sendJson(response, 200, { version: ollamaVersion, dragoman: version, ...(isHere ? { process: process.pid } : {}) });
}

/**
 * `GET /health`: 200 while requests are taken, 503 while the gateway drains. Names nothing that a key protects. Where several
 * processes serve, it tells of all of them.
 */
export async function answerHealth({ response, gateway }: Exchange): Promise<void> {
  const own = ownHealth(gateway);
  const { siblings } = gateway;
  const health = siblings === undefined ? own : joinHealth(own, await siblings.ask({ about: 'health' }));
  sendJson(response, health.status === 'ok' ? 200 : 503, health);
}
