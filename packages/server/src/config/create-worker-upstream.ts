import { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import { resolveSecret } from './check-references.ts';
import type { SecretPlaces } from './create-transport.ts';
import type { Config, UpstreamConfig } from './schema.ts';

interface WorkerUpstreamOptions {
  readonly entry: UpstreamConfig;
  readonly config: Config;
  readonly headersNow: () => Readonly<Record<string, string>>;
  readonly places: SecretPlaces;
  readonly heartbeat: number | undefined;
}

/** An upstream whose workers dial in; undefined for one that is called. */
export function createWorkerUpstream(name: string, options: WorkerUpstreamOptions): WorkerUpstream | undefined {
  const { entry, config, headersNow, places, heartbeat = 15_000 } = options;
  if (entry.workers === undefined) return undefined;
  const { token, ...rules } = entry.workers;
  return new WorkerUpstream({
    name,
    rules: { ...rules, heartbeat },
    headersNow,
    token: token === undefined ? undefined : resolveSecret(token, places.env, places.secretFiles),
    deadline: entry.timeouts.total ?? config.timeouts.total,
  });
}
