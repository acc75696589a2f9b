/** A model as Copilot's Ollama provider puts it into the picker. */
export interface CopilotOllamaModel {
  readonly id: string;
  readonly name: string;
  readonly toolCalling: boolean;
  readonly vision: boolean;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
}

export interface CopilotOllamaDiscovery {
  readonly models: readonly CopilotOllamaModel[];
  /** Models that the provider leaves out, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** Where the chats of these models go. */
  readonly chatUrl: string;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** As much of `/api/show` as the provider reads. */
interface ShowAnswer {
  readonly capabilities?: readonly string[];
  readonly model_info?: Readonly<Record<string, unknown>>;
  readonly remote_model?: string;
}

/** The oldest version that the provider talks to; `0.0.0` is let through as a build of one's own. */
const oldest = '0.6.4';
const defaultWindow = 32_768;
const outputTokens = 4096;

/**
 * Finds the models of a server as Copilot's Ollama provider does: version, list, then one question for each model, all
 * without a key. Throws what the provider shows when it finds no server that it can use.
 */
export async function discoverAsCopilot(
  base: string,
  fetch: Fetch = globalThis.fetch,
): Promise<CopilotOllamaDiscovery> {
  const ask = (url: string, body?: object) => askWith(fetch, url, body);
  const root = base.endsWith('/') ? base.slice(0, -1) : base;
  const { version } = await ask(`${root}/api/version`);
  if (typeof version !== 'string' || !isNewEnough(version)) throw new Error(`Ollama ${version} is too old.`);
  const { models: listed } = await ask(`${root}/api/tags`);
  const models: CopilotOllamaModel[] = [];
  const skipped: { id: string; reason: string }[] = [];
  for (const { model } of listed) {
    const about: ShowAnswer = await ask(`${root}/api/show`, { model });
    if (!Array.isArray(about.capabilities)) skipped.push({ id: model, reason: 'it has no capabilities' });
    else models.push(readModel(model, about));
  }
  return { models, skipped, chatUrl: `${root}/v1/chat/completions` };
}

function readModel(id: string, { capabilities = [], model_info: info = {}, remote_model: remote }: ShowAnswer) {
  const window = Number(info[`${info['general.architecture']}.context_length`] ?? defaultWindow);
  const output = window < outputTokens ? Math.floor(window / 2) : outputTokens;
  return {
    id,
    name: String(info['general.basename'] ?? remote ?? id),
    toolCalling: capabilities.includes('tools'),
    vision: capabilities.includes('vision'),
    maxInputTokens: window - output,
    maxOutputTokens: output,
  };
}

async function askWith(fetch: Fetch, url: string, body?: object) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

function isNewEnough(version: string): boolean {
  const numbers = (text: string) => text.split('.').map(Number);
  const [given, least] = [numbers(version), numbers(oldest)];
  if (given.every((number) => number === 0)) return true;
  for (let place = 0; place < 3; place += 1) {
    const [left, right] = [given[place] ?? 0, least[place] ?? 0];
    if (left !== right) return left > right;
  }
  return true;
}
