import { type Deadlines, upstreamWires } from '@dragoman/core';
import { createHttpTransport, type HttpTransport } from '../transports/http.ts';
import { createRenewingTransport } from '../transports/renewing.ts';
import { createRetryingTransport } from '../transports/retrying.ts';
import { WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import { resolveSecret } from './check-references.ts';
import type { Config, UpstreamConfig } from './schema.ts';
import { SecretFiles } from './secret-files.ts';

export interface TransportOptions {
  /** What every request is sent with, as it is now. */
  readonly headersNow: () => Readonly<Record<string, string>>;
  readonly deadlines: Deadlines;
  readonly report: (message: string) => void;
  /** The wait before a request is sent again, in milliseconds. */
  readonly firstRetry: number | undefined;
  /** Present where workers connect. */
  readonly workers: WorkerUpstream | undefined;
}

/** How an upstream is reached: over HTTP or through its workers, with attempts that may be repeated. */
export function createTransport(entry: UpstreamConfig, options: TransportOptions): HttpTransport {
  const { headersNow, deadlines, report, firstRetry, workers } = options;
  const { attempts } = entry.retry;
  const transport = workers?.transport ?? createCall(entry, headersNow);
  const rules = { attempts, first: firstRetry };
  return attempts > 1 ? createRetryingTransport(transport, { rules, deadlines, report }) : transport;
}

/** Over HTTP, with secrets that may be renewed. */
function createCall(entry: UpstreamConfig, headersNow: TransportOptions['headersNow']): HttpTransport {
  const { baseUrl } = entry;
  if (baseUrl === undefined) throw new Error('An upstream has neither an address nor workers.');
  return isRenewed(entry)
    ? createRenewingTransport(createHttpTransport({ baseUrl, headers: {} }), headersNow)
    : createHttpTransport({ baseUrl, headers: headersNow() });
}

/** Secrets in files may be renewed while the gateway runs; all others stay as they are. */
function isRenewed({ apiKey, headers }: UpstreamConfig): boolean {
  return [apiKey, ...Object.values(headers)].some((value) => value?.startsWith('file:') === true);
}

export interface SecretPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secretFiles?: SecretFiles;
}

/** The headers of an upstream, its key among them, as they are whenever they are asked for. */
export function createHeaders(entry: UpstreamConfig, places: SecretPlaces): () => Record<string, string> {
  const { env, secretFiles = new SecretFiles() } = places;
  return () => headersOf(entry, (value) => resolveSecret(value, env, secretFiles));
}

function headersOf(entry: UpstreamConfig, secretOf: (value: string) => string): Record<string, string> {
  const headers: Record<string, string> = {};
  const key = entry.apiKey === undefined ? undefined : secretOf(entry.apiKey);
  Object.assign(headers, upstreamWires.get(entry.wire)?.writeHeaders?.(key) ?? bearer(key));
  for (const [name, value] of Object.entries(entry.headers)) headers[name.toLowerCase()] = secretOf(value);
  return headers;
}

function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

interface WorkerUpstreamOptions {
  readonly entry: UpstreamConfig;
  readonly config: Config;
  readonly headersNow: () => Readonly<Record<string, string>>;
  readonly places: SecretPlaces;
  readonly heartbeat: number | undefined;
}

/** An upstream whose workers connect; undefined for one that is called. */
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
