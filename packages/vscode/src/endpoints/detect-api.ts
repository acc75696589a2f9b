import type { Api } from '../read-settings.ts';
import { isObject } from '../translate/read-parts.ts';

/** What stands behind an address. */
export interface Detected {
  /** `gateway` is Dragoman; the rest is what the engine inside speaks, or `responses` for OpenResponses. */
  readonly api: Exclude<Api, 'auto'> | 'gateway';
  /** The address that the API's paths stand behind. */
  readonly baseUrl: string;
}

export interface DetectOptions {
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The APIs that a copied address names with its last words. */
const routes: readonly (readonly [string, Detected['api']])[] = [
  ['/chat/completions', 'openai-chat'],
  ['/completions', 'openai-completions'],
  ['/responses', 'responses'],
  ['/messages', 'anthropic-messages'],
];

/**
 * Finds out what a server speaks, where nobody says: by the route in its address, by a well-known host, or by asking.
 * Dragoman and Ollama tell their version without a key. Of all others that which has no Chat Completions and has Responses
 * is asked there; the rest through the engine inside, in Chat Completions.
 */
export async function detectApi(url: string, options: DetectOptions): Promise<Detected> {
  const { hostname, origin, pathname } = new URL(url);
  const route = routes.find(([end]) => pathname.endsWith(end));
  if (route !== undefined) return { api: route[1], baseUrl: versioned(url) };
  if (hostname === 'api.anthropic.com') return { api: 'anthropic-messages', baseUrl: versioned(url) };
  if (hostname === 'api.openai.com' || hostname === 'ai-gateway.vercel.sh')
    return { api: 'responses', baseUrl: versioned(url) };
  const version = await askVersion(origin, options);
  if (version !== undefined && 'dragoman' in version) return { api: 'gateway', baseUrl: `${origin}/v1` };
  if (version !== undefined && typeof version.version === 'string') return { api: 'ollama-chat', baseUrl: origin };
  const baseUrl = versioned(url);
  const lacksChat = await lacksRoute(`${baseUrl}/chat/completions`, options);
  const isResponses = lacksChat && !(await lacksRoute(`${baseUrl}/responses`, options));
  return { api: isResponses ? 'responses' : 'openai-chat', baseUrl };
}

/** Asks for nothing at all, which every server that has the route refuses. */
async function lacksRoute(url: string, { fetch, headers, signal }: DetectOptions): Promise<boolean> {
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
  try {
    const response = await fetch(url, { ...init, ...(signal === undefined ? {} : { signal }) });
    await response.body?.cancel();
    return response.status === 404 || response.status === 405;
  } catch {
    return false;
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

/** Throws where nothing answers at all; nothing where the server has no such route. */
async function askVersion(
  origin: string,
  { fetch, headers, signal }: DetectOptions,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(`${origin}/api/version`, { headers, ...(signal === undefined ? {} : { signal }) });
  try {
    const body: unknown = response.ok ? await response.json() : undefined;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
