import type { ServerKind } from '../discovery/local-servers.ts';
import type { ModelDescription } from '../plan/model-description.ts';
import { createDirectClient, type DirectClient, type DirectClientOptions } from './direct.ts';

/** Tokens that Ollama is asked for, where a model has less: below them neither tools nor what they read have room. */
const roomAtOllama = 16_384;

/** A server by its address, or as `findServers` has found it. */
export interface ServerAccess extends DirectClientOptions {
  /** What it is. Default: it is asked. */
  readonly kind?: ServerKind;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Asks the server what it is, from a host that a page's rules do not bind. Default: the host's own `fetch`. */
  readonly fetch?: typeof fetch;
  /** Connects to it. Default: `createDirectClient`. */
  readonly create?: (options: DirectClientOptions) => DirectClient;
}

/** A server that has told its models. */
export interface OpenServer {
  readonly kind: ServerKind;
  readonly direct: DirectClient;
  readonly models: readonly ModelDescription[];
}

/**
 * Connects to a server in the API that is best for it, and asks for its models. A gateway and Ollama are asked in their own API
 * whatever the address says, and Ollama for a window that an agent has room in. Rejects as `DirectClient.models` does.
 */
export async function openServer(
  { kind: told, ...access }: ServerAccess,
  { signal, fetch: ask = fetch, create = createDirectClient }: OpenOptions,
): Promise<OpenServer> {
  const kind = told ?? (await kindOf(access, { signal, ask }));
  const direct = create(optionsFor(kind, access));
  return { kind, direct, models: await direct.models({ signal }) };
}

function optionsFor(kind: ServerKind, access: DirectClientOptions): DirectClientOptions {
  const { origin } = new URL(access.url);
  if (kind === 'ollama') {
    return { ...access, url: origin, api: 'ollama-chat', rule: { leastWindow: roomAtOllama, ...access.rule } };
  }
  // A gateway teaches its models itself.
  if (kind === 'dragoman') return { ...access, url: `${origin}/v1`, rule: { toolCalling: 'native', ...access.rule } };
  return access;
}

/** Dragoman and Ollama tell their version to everybody. */
async function kindOf(
  { url, key }: DirectClientOptions,
  { signal, ask }: { readonly signal: AbortSignal; readonly ask: typeof fetch },
): Promise<ServerKind> {
  try {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await ask(`${new URL(url).origin}/api/version`, { headers, signal });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    if (typeof body !== 'object' || body === null || !('version' in body)) return 'other';
    return 'dragoman' in body ? 'dragoman' : 'ollama';
  } catch {
    // Why nobody answers, the list of models tells.
    signal.throwIfAborted();
    return 'other';
  }
}
