import type { Direct, DirectOptions, ToldModel } from '@dragoman/core';

/** Tokens that Ollama is asked for, where a model has less than the least that an agent can work in. */
const ollamaWindow = { least: 8_192, asked: 16_384 } as const;

export interface ServerAccess {
  readonly url: string;
  /** Empty: none. */
  readonly key: string;
  /** Its models are taught to call tools in text. */
  readonly taught: boolean;
  /** Connects to it; twice with the same options gives the same. */
  readonly create: (options: DirectOptions) => Direct;
  /** A request that is no page's, so that no answer is forbidden; it asks the server what it is. */
  readonly fetchWhole: typeof fetch;
}

export interface OpenServer {
  readonly direct: Direct;
  readonly models: readonly ToldModel[];
}

/**
 * Finds out what a server speaks, and asks for its models. A gateway and Ollama are asked in their own API whatever the address says,
 * and Ollama for a window that tools and notes have room in. Rejects as `Direct.models` does.
 */
export async function openServer(access: ServerAccess, signal: AbortSignal): Promise<OpenServer> {
  const { url, key, taught, create } = access;
  const kind = await kindOf(access, signal);
  const { origin } = new URL(url);
  const options: DirectOptions = {
    url: kind === 'gateway' ? `${origin}/v1` : kind === 'ollama' ? origin : url,
    ...(kind === 'ollama' && { api: 'ollama-chat' }),
    ...(key !== '' && { key }),
    // A gateway teaches its models itself.
    ...(taught
      ? { rule: { toolCalling: { dialect: 'auto' } } }
      : kind === 'gateway' && { rule: { toolCalling: 'native' } }),
  };
  const direct = create(options);
  const models = await direct.models({ signal });
  const small = kind === 'ollama' ? models.filter((each) => (each.contextWindow ?? 0) < ollamaWindow.least) : [];
  if (small.length === 0) return { direct, models };
  const rules = small.map(({ id }) => [id, { contextWindow: ollamaWindow.asked }] as const);
  const roomy = create({ ...options, models: Object.fromEntries(rules) });
  return { direct: roomy, models: await roomy.models({ signal }) };
}

/** Dragoman and Ollama tell their version to everybody. */
async function kindOf({ url, fetchWhole }: ServerAccess, signal: AbortSignal): Promise<'gateway' | 'ollama' | 'other'> {
  try {
    const answer = await fetchWhole(`${new URL(url).origin}/api/version`, { signal });
    const told: unknown = answer.ok ? await answer.json() : undefined;
    if (typeof told !== 'object' || told === null || !('version' in told)) return 'other';
    return 'dragoman' in told ? 'gateway' : 'ollama';
  } catch {
    // Why nobody answers, the list of models tells.
    signal.throwIfAborted();
    return 'other';
  }
}
