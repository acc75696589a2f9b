import { rememberedCharacters, searchedCharacters, writtenCharacters } from '@dragoman/core';
import type { CredentialStatus } from '../config/credentials.ts';
import { isLoopback } from '../config/load-config.ts';
import type { StoreHealth } from '../open-stores.ts';
import type { Answers } from '../processes/siblings.ts';
import type { RecordsHealth } from '../records/records.ts';
import { keptCharacters } from '../tokens/count-text-tokens.ts';
import type { WorkerCounts } from '../transports/worker/worker-pool.ts';
import type { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import { version } from '../version.ts';
import type { Gateway, HttpExchange } from './exchange.ts';
import { knownMessageBytes } from './known-messages.ts';
import { knownToolBytes } from './known-tools.ts';
import { sendJson } from './send.ts';

/** What `GET /health` tells. */
export interface Health {
  readonly status: 'ok' | 'draining';
  readonly version: string;
  readonly uptime_seconds: number;
  readonly requests: { readonly active: number; readonly total: number; readonly errors: number };
  readonly upstreams: number;
  readonly models_learnt: number;
  readonly remembered_characters: number;
  readonly credentials: CredentialStatus;
  readonly workers?: WorkerCounts;
  readonly store: StoreHealth;
  /** Absent where nothing is recorded. */
  readonly records?: RecordsHealth;
  /** Where several processes serve: how many there should be, have answered, and were started in the place of one that ended. */
  readonly processes?: { readonly wanted: number; readonly running: number; readonly replaced: number };
}

/** How this process is. */
export function ownHealth({ counts, setup, stores, credentials, workers }: Gateway): Health {
  return {
    status: counts.draining ? 'draining' : 'ok',
    version,
    uptime_seconds: Math.floor((Date.now() - counts.startedAt) / 1000),
    requests: { active: counts.active, total: counts.requests, errors: counts.errors },
    upstreams: setup.upstreams.size,
    models_learnt: [...stores.facts.all()].length,
    remembered_characters:
      rememberedCharacters() +
      searchedCharacters() +
      keptCharacters() +
      writtenCharacters() +
      knownToolBytes() +
      knownMessageBytes(),
    credentials: credentials.status(),
    ...(workers.size === 0 ? {} : { workers: countWorkers([...workers.values()]) }),
    store: stores.health(),
    ...(stores.records === undefined ? {} : { records: stores.records.health() }),
  };
}

/** How all processes are together, as one of them hears it: what can be counted is added up, of the rest the worst counts. */
export function joinHealth(own: Health, { answers, wanted, replaced }: Answers): Health {
  const all = [own, ...answers.flatMap(({ health }) => (health === undefined ? [] : [health]))];
  const sum = (of: (health: Health) => number) => all.reduce((total, each) => total + of(each), 0);
  const most = (of: (health: Health) => number) => Math.max(...all.map(of));
  const worst = (['expired', 'expiring'] as const).find((status) =>
    all.some(({ credentials }) => credentials === status),
  );
  return {
    ...own,
    status: all.some(({ status }) => status === 'ok') ? 'ok' : 'draining',
    uptime_seconds: most((each) => each.uptime_seconds),
    requests: {
      active: sum(({ requests }) => requests.active),
      total: sum(({ requests }) => requests.total),
      errors: sum(({ requests }) => requests.errors),
    },
    models_learnt: most((each) => each.models_learnt),
    remembered_characters: sum((each) => each.remembered_characters),
    credentials: worst ?? 'ok',
    store: {
      ...own.store,
      status: all.some(({ store }) => store.status === 'failing') ? 'failing' : 'ok',
      waiting: sum(({ store }) => store.waiting),
    },
    ...(own.records === undefined
      ? {}
      : {
          records: {
            waiting: sum(({ records }) => records?.waiting ?? 0),
            lost: sum(({ records }) => records?.lost ?? 0),
          },
        }),
    processes: { wanted, running: all.length, replaced },
  };
}

/** The workers of all upstreams together. */
function countWorkers(upstreams: readonly WorkerUpstream[]): WorkerCounts {
  const all = upstreams.map(({ pool }) => pool.counts());
  const sumOf = (name: keyof WorkerCounts) => all.reduce((sum, counts) => sum + counts[name], 0);
  return { connected: sumOf('connected'), busy: sumOf('busy'), waiting: sumOf('waiting') };
}

/** The oldest Ollama version that Codex talks to. Copilot's Ollama provider wants 0.6.4, by the numbers of its parts. */
const ollamaVersion = '0.13.4';

/**
 * `GET /api/version`. `version` is what Ollama clients compare, `dragoman` is our own, and `process` says to whoever asks on
 * this machine who it is that holds the port.
 */
export function answerVersion({ request, response }: HttpExchange): void {
  const isHere = isLoopback(request.socket.remoteAddress?.replace('::ffff:', '') ?? '');
  sendJson(response, 200, { version: ollamaVersion, dragoman: version, ...(isHere ? { process: process.pid } : {}) });
}

/**
 * `GET /health`: 200 while requests are taken, 503 while the gateway drains. Names nothing that a key protects. Where several
 * processes serve, it tells of all of them.
 */
export async function answerHealth({ response, gateway }: HttpExchange): Promise<void> {
  const own = ownHealth(gateway);
  const { siblings } = gateway;
  const health = siblings === undefined ? own : joinHealth(own, await siblings.ask({ about: 'health' }));
  sendJson(response, health.status === 'ok' ? 200 : 503, health);
}
