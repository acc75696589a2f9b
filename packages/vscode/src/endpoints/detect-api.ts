import type { Api } from '../read-settings.ts';
import { type FoundServer, findServers, identifyServer } from './connect.ts';

/** What stands behind an address. */
export interface Detected {
  /** `gateway` is Dragoman; the rest is what the engine inside speaks, or `responses` for OpenResponses. */
  readonly api: Exclude<Api, 'auto'> | 'gateway';
  /** The address that the API's paths stand after. */
  readonly baseUrl: string;
  /** Where its list of models says most, from the root; absent: where the API has it. */
  readonly listPath?: string;
}

export interface DetectOptions {
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for each question. */
  readonly patience: number;
}

/** Finds the model servers of this machine, but those at the addresses that are known. */
export function findLocal(known: readonly string[]): Promise<readonly FoundServer[]> {
  // Looked up when it is called: in a web worker only servers that allow the page are found.
  return findServers({ fetch: (input, init) => globalThis.fetch(input, init), except: known });
}

/** The APIs that a copied address names with its last words. */
const routes: readonly (readonly [string, Detected['api']])[] = [
  ['/chat/completions', 'openai-chat'],
  ['/completions', 'openai-completions'],
  ['/responses', 'responses'],
  ['/messages', 'anthropic-messages'],
];

/**
 * Finds out what a server speaks, where nobody says: by the route in its address, by a well-known host, or by asking what it
 * is. Of servers that are no known kind, that which has no Chat Completions and has Responses is asked there; the rest through
 * the engine inside, in Chat Completions. Throws where nothing answers at all.
 */
export async function detectApi(url: string, { fetch, headers, patience }: DetectOptions): Promise<Detected> {
  const { hostname, origin, pathname } = new URL(url);
  const route = routes.find(([end]) => pathname.endsWith(end));
  if (route !== undefined) return { api: route[1], baseUrl: versioned(url) };
  if (hostname === 'api.anthropic.com') return { api: 'anthropic-messages', baseUrl: versioned(url) };
  if (hostname === 'api.openai.com' || hostname === 'ai-gateway.vercel.sh')
    return { api: 'responses', baseUrl: versioned(url) };
  const signal = AbortSignal.timeout(patience);
  const withHeaders: typeof fetch = (input, init) => fetch(input, { ...init, headers });
  const found = await identifyServer(origin, { fetch: withHeaders, patience });
  signal.throwIfAborted();
  if (found?.kind === 'dragoman') return { api: 'gateway', baseUrl: found.baseUrl };
  if (found?.kind === 'ollama') return { api: 'ollama-chat', baseUrl: found.baseUrl };
  const baseUrl = versioned(url);
  if (found !== undefined && found.kind !== 'other' && baseUrl === found.baseUrl) {
    const { listPath } = found;
    return { api: 'openai-chat', baseUrl, ...(listPath === undefined ? {} : { listPath }) };
  }
  const lacks = (path: string) => lacksRoute(baseUrl + path, { fetch, headers, signal });
  const isResponses = (await lacks('/chat/completions')) && !(await lacks('/responses'));
  return { api: isResponses ? 'responses' : 'openai-chat', baseUrl };
}

/** Asks for nothing at all, which every server that has the route refuses. */
async function lacksRoute(
  url: string,
  { fetch, headers, signal }: Pick<DetectOptions, 'fetch' | 'headers'> & { readonly signal: AbortSignal },
): Promise<boolean> {
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}', signal };
  try {
    const response = await fetch(url, init);
    await response.body?.cancel();
    return response.status === 404 || response.status === 405;
  } catch (error) {
    // One that merely takes its time has the route.
    if (signal.aborted) return false;
    throw error;
  }
}

/** The address of an API that a person named. */
export function baseUrlOf(url: string, api: Exclude<Api, 'auto'>): string {
  return api === 'ollama-chat' ? new URL(url).origin : versioned(url);
}

/** An address that is only a host gets `/v1`; the path of a single route, as people copy it, is taken off. */
function versioned(url: string): string {
  const ends = [...routes.map(([end]) => end), '/models'];
  const route = ends.find((each) => url.endsWith(each));
  const base = route === undefined ? url : url.slice(0, -route.length);
  return new URL(base).pathname === '/' ? `${new URL(base).origin}/v1` : base;
}
