import { type FoundServer, findServers, ollamaAddress, vendors } from '@dragoman/core';
import { madeUpstream } from '../config/load-config.ts';
import type { Config, UpstreamConfig } from '../config/schema.ts';

export interface FindUpstreamsOptions {
  /** As it was read: what it names counts for more than what is found. */
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our own addresses, which are not asked. */
  readonly except?: readonly string[];
  /** What was found before. */
  readonly before?: FoundUpstreams;
  /** Default: the host's own. */
  readonly fetch?: typeof fetch;
}

/** What is there without being configured. */
export interface FoundUpstreams {
  /** Those of this machine first, in the order in which their models are offered. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  /** What each is, for people, such as `Ollama at http://127.0.0.1:11434`. */
  readonly titles: ReadonlyMap<string, string>;
  /** The upstreams that are on this machine. All others are there by a key alone. */
  readonly local: ReadonlySet<string>;
  /** All that answered, gateways of ours among them. */
  readonly servers: readonly FoundServer[];
  /** What is there and cannot be used, each with the reason and what to do, in a sentence. */
  readonly leftOut: readonly string[];
}

/**
 * Looks for the model servers of this machine and for the keys of vendors in the environment. An address that the configuration
 * names is not offered a second time, and a name of it is not taken.
 */
export async function findUpstreams(options: FindUpstreamsOptions): Promise<FoundUpstreams> {
  const { config, env, except = [], before, fetch } = options;
  const servers = await findServers({
    also: [ollamaAddress(env.OLLAMA_HOST ?? '')],
    except,
    ...(before === undefined ? {} : { before: before.servers }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  const configured = new Set(Object.values(config.upstreams).map(({ baseUrl }) => originOf(baseUrl)));
  const upstreams: Record<string, UpstreamConfig> = {};
  const titles = new Map<string, string>();
  const local = new Set<string>();
  const leftOut: string[] = [];
  for (const server of servers) {
    const { kind, name, url, baseUrl, api, listPath } = server;
    if (kind === 'dragoman' || configured.has(url)) continue;
    const title = `${name} at ${url}`;
    if (server.wantsKey === true) {
      leftOut.push(
        `${title} wants a key. Give it with DRAGOMAN_UPSTREAM=${baseUrl} and the key in DRAGOMAN_API_KEY, or in a configuration.`,
      );
      continue;
    }
    const id = freeName(kind === 'other' ? 'local' : kind, {
      port: new URL(url).port,
      taken: { ...config.upstreams, ...upstreams },
    });
    const path = listPath === undefined ? {} : { path: listPath };
    upstreams[id] = madeUpstream({ baseUrl, wire: api, discovery: path });
    titles.set(id, title);
    local.add(id);
  }
  for (const { id, name, keys, baseUrl, api, elsewhere } of vendors) {
    const keyVariable = keys.find((key) => (env[key]?.trim() ?? '') !== '');
    if (keyVariable === undefined || config.upstreams[id] !== undefined || configured.has(originOf(baseUrl))) continue;
    const pointed = elsewhere === undefined ? undefined : env[elsewhere]?.trim();
    if (pointed !== undefined && pointed !== '' && originOf(pointed) !== originOf(baseUrl)) {
      leftOut.push(`${name} is not asked: ${elsewhere} points elsewhere, so ${keyVariable} may not be its key.`);
      continue;
    }
    upstreams[id] = madeUpstream({ baseUrl, wire: api, keyVariable });
    titles.set(id, `${name}, by ${keyVariable}`);
  }
  return { upstreams, titles, local, servers, leftOut };
}

/** The configuration with what was found after what it names. */
export function withFound(config: Config, found: FoundUpstreams | undefined): Config {
  return found === undefined ? config : { ...config, upstreams: { ...config.upstreams, ...found.upstreams } };
}

/** Two servers of one kind are told apart by their ports. */
function freeName(
  kind: string,
  { port, taken }: { readonly port: string; readonly taken: Readonly<Record<string, unknown>> },
): string {
  return taken[kind] === undefined ? kind : `${kind}-${port}`;
}

function originOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '';
  return new URL(url).origin.replace('//localhost', '//127.0.0.1');
}
