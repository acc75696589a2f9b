import { rememberedCharacters } from '@dragoman/core';
import { isLoopback } from '../config/load-config.ts';
import type { WorkerCounts } from '../transports/worker/worker-pool.ts';
import type { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import { version } from '../version.ts';
import type { Exchange } from './exchange.ts';
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

/** `GET /health`: 200 while requests are taken, 503 while the gateway drains. Names nothing that a key protects. */
export function answerHealth({ response, gateway }: Exchange): void {
  const { counts, setup, stores, credentials, workers } = gateway;
  sendJson(response, counts.draining ? 503 : 200, {
    status: counts.draining ? 'draining' : 'ok',
    version,
    uptime_seconds: Math.floor((Date.now() - counts.startedAt) / 1000),
    requests: { active: counts.active, total: counts.requests, errors: counts.errors },
    upstreams: setup.upstreams.size,
    models_learnt: [...stores.facts.all()].length,
    remembered_characters: rememberedCharacters(),
    credentials: credentials.status(),
    ...(workers.size === 0 ? {} : { workers: countWorkers([...workers.values()]) }),
    store: stores.health(),
  });
}

/** The workers of all upstreams together. */
function countWorkers(upstreams: readonly WorkerUpstream[]): WorkerCounts {
  const all = upstreams.map(({ pool }) => pool.counts());
  const sumOf = (name: keyof WorkerCounts) => all.reduce((sum, counts) => sum + counts[name], 0);
  return { connected: sumOf('connected'), busy: sumOf('busy'), waiting: sumOf('waiting') };
}
